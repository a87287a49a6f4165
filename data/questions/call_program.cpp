#include "data/questions/call_program.h"

#include "data/document/names.h"
#include "data/document/tree_reader.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

namespace data {
namespace {

constexpr std::size_t kLongestCallName = 100;  // in bytes
constexpr std::string_view kWait = "wait ";
constexpr const char* kCallForms = "allowed: LIBRARY:OPERATION, or wait OPERATION";

bool isCallName(std::string_view name) {
    return !name.empty() && name.size() <= kLongestCallName && name.find_first_of(": \t\r\n") == std::string_view::npos;
}

/// Reads one document of calls. Every problem is added to the reading.
class CallReader : private TreeReader {
public:
    explicit CallReader(CallReading& reading) : TreeReader(reading.problems), m_program(reading.program) {}

    void read(const DocumentNode& root) {
        checkKeys(root, "", {"format", "version", "title", "libraries", "ranks", "groups"}, problems());
        checkVersion(root, 1, problems());
        m_program.title = textAt(root, "", "title", false);
        readLibraries(root);
        const DocumentNode* ranks = childOf(root, "", "ranks", Kind::list, "a list of ranks [...]", problems());
        if (root.find("ranks") == nullptr || (ranks != nullptr && ranks->children.empty()))
            report("ranks", ranks == nullptr ? "" : "[]", "at least one rank with its calls [...] is expected");
        if (!problems().empty())
            return;
        if (ranks->children.size() > kMostRanks)
            return report("ranks", std::to_string(ranks->children.size()) + " ranks",
                          "too many; allowed: up to " + std::to_string(kMostRanks));
        for (std::size_t rank = 0; rank < ranks->children.size() && goesOn(); ++rank)
            readRank(ranks->children[rank], indexed("ranks", rank));
        readGroups(root);
    }

private:
    void readLibraries(const DocumentNode& root) {
        const DocumentNode* libraries = childOf(root, "", "libraries", Kind::object, "an object {...}", problems());
        if (root.find("libraries") == nullptr || (libraries != nullptr && libraries->keys.empty()))
            report("libraries", libraries == nullptr ? "" : "{}",
                   "at least one library with its kind is expected, such as {\"mpi\": \"blocking\"}");
        for (std::size_t i = 0; libraries != nullptr && i < libraries->keys.size() && goesOn(); ++i) {
            const std::string& name = libraries->keys[i];
            const DocumentNode& kind = libraries->children[i];
            if (!isCallName(name))
                report("libraries", name,
                       "not the name of a library; allowed: up to 100 bytes without blanks and \":\"");
            if (kind.kind != Kind::string || (kind.text != "blocking" && kind.text != "stream"))
                report(within("libraries", name), kind.shown(),
                       "no kind of library; allowed: \"blocking\", \"stream\"");
            m_libraryOf.emplace(name, m_program.libraries.size());
            m_program.libraries.push_back({name, kind.text == "stream" ? CallKind::stream : CallKind::blocking});
        }
    }

    void readRank(const DocumentNode& rank, const std::string& path) {
        std::vector<Call>& calls = m_program.ranks.emplace_back();
        if (rank.kind != Kind::list)
            return report(path, rank.shown(), "wrong type, a list of calls [...] is expected");
        m_called.clear();
        for (std::size_t i = 0; i < rank.children.size() && goesOn(); ++i) {
            const DocumentNode& node = rank.children[i];
            if (++m_calls > kMostCalls)
                return report(indexed(path, i), node.shown(),
                              "too many calls; allowed: up to " + std::to_string(kMostCalls) + " of all ranks");
            if (node.kind != Kind::string)
                report(indexed(path, i), node.shown(), std::string("wrong type; ") + kCallForms);
            else if (const auto call = callOf(node.text, indexed(path, i)))
                calls.push_back(*call);
        }
    }

    std::optional<Call> callOf(const std::string& text, const std::string& path) {
        if (text.starts_with(kWait))
            return waitOf(text, path);
        const std::size_t colon = text.find(':');
        const std::string library = text.substr(0, colon);
        const std::string name = colon == std::string::npos ? std::string() : text.substr(colon + 1);
        if (!isCallName(name) || !isCallName(library)) {
            report(path, text, std::string("no call; ") + kCallForms);
            return std::nullopt;
        }
        const auto known = m_libraryOf.find(library);
        if (known == m_libraryOf.end()) {
            report(path, text, "no such library; allowed: " + libraryNames());
            return std::nullopt;
        }
        const auto [place, isNew] = m_operationOf.emplace(name, m_program.operations.size());
        if (isNew)
            m_program.operations.push_back({name, known->second, {}});
        else if (m_program.operations[place->second].library != known->second) {
            report(path, text,
                   "another rank calls this operation by the library " +
                       m_program.libraries[m_program.operations[place->second].library].name +
                       "; allowed: one library for each operation");
            return std::nullopt;
        }
        if (!m_called.emplace(place->second, true).second) {
            report(path, text, "this rank has called it already; a rank calls an operation once");
            return std::nullopt;
        }
        return Call{place->second, false};
    }

    std::optional<Call> waitOf(const std::string& text, const std::string& path) {
        const std::string name = text.substr(kWait.size());
        const auto known = m_operationOf.find(name);
        if (known == m_operationOf.end() || !m_called.contains(known->second)) {
            report(path, text, "this rank has not called it before; allowed: an operation of an earlier call");
            return std::nullopt;
        }
        if (m_program.libraries[m_program.operations[known->second].library].kind == CallKind::blocking) {
            report(path, text, "its call is blocking and has ended; allowed: an operation of a stream library");
            return std::nullopt;
        }
        return Call{known->second, true};
    }

    std::string libraryNames() const {
        std::vector<std::string> names;
        for (const CallLibrary& library : m_program.libraries)
            names.push_back(library.name);
        return joinedNames(names, ", ");
    }

    void readGroups(const DocumentNode& root) {
        const DocumentNode* groups = childOf(root, "", "groups", Kind::object, "an object {...}", problems());
        for (std::size_t i = 0; groups != nullptr && i < groups->keys.size() && goesOn(); ++i) {
            const std::string path = within("groups", groups->keys[i]);
            const auto known = m_operationOf.find(groups->keys[i]);
            if (known == m_operationOf.end())
                report(path, groups->children[i].shown(), "no rank calls an operation of this name");
            else
                readGroup(groups->children[i], path, m_program.operations[known->second].group);
        }
        for (CallOperation& operation : m_program.operations) {
            if (!operation.group.empty())
                continue;
            operation.group.resize(m_program.ranks.size());
            std::iota(operation.group.begin(), operation.group.end(), std::size_t{0});
        }
        checkMembers();
    }

    void readGroup(const DocumentNode& node, const std::string& path, std::vector<std::size_t>& group) {
        if (node.kind != Kind::list || node.children.empty())
            return report(path, node.shown(), "a list of ranks is expected, such as [0, 1]");
        for (std::size_t i = 0; i < node.children.size() && goesOn(); ++i) {
            const auto rank = wholeNumber(node.children[i]);
            if (!rank || *rank < 0 || *rank >= std::ssize(m_program.ranks))
                report(indexed(path, i), node.children[i].shown(),
                       "no rank; allowed: 0 to " + std::to_string(m_program.ranks.size() - 1));
            else
                group.push_back(static_cast<std::size_t>(*rank));
        }
        std::ranges::sort(group);
        if (const auto twice = std::ranges::adjacent_find(group); twice != group.end())
            report(path, std::to_string(*twice), "this rank is in the group twice");
    }

    /// Refuses calls of ranks that are not in the operation's group.
    void checkMembers() {
        for (std::size_t rank = 0; rank < m_program.ranks.size(); ++rank)
            for (std::size_t i = 0; i < m_program.ranks[rank].size() && goesOn(); ++i) {
                const Call& call = m_program.ranks[rank][i];
                const std::vector<std::size_t>& group = m_program.operations[call.operation].group;
                if (!call.waits && !std::ranges::binary_search(group, rank))
                    report(indexed(indexed("ranks", rank), i), m_program.textOf(call),
                           "this rank is not in the operation's group");
            }
    }

    CallProgram& m_program;
    std::map<std::string, std::size_t, std::less<>> m_libraryOf, m_operationOf;
    std::map<std::size_t, bool> m_called;  // operations of the rank that is read
    std::size_t m_calls = 0;
};

}  // namespace

std::string CallProgram::textOf(const Call& call) const {
    const CallOperation& operation = operations[call.operation];
    return call.waits ? std::string(kWait) + operation.name : libraries[operation.library].name + ":" + operation.name;
}

CallReading readCalls(std::string_view json, std::string_view origin) {
    CallReading reading;
    DocumentTree tree = readTree(json, origin);
    reading.problems = std::move(tree.problems);
    if (!tree.root)
        return reading;
    if (auto other = formatProblem(*tree.root, origin, "a document of calls", kCallFormat)) {
        reading.problems = {std::move(*other)};
        return reading;
    }
    if (reading.problems.empty())
        CallReader(reading).read(*tree.root);
    if (reading.problems.size() > kMostProblems)
        reading.problems.resize(kMostProblems);
    return reading;
}

CallReading readCallFile(const std::string& path) {
    CallReading reading;
    const std::string text = readText(path, reading.problems);
    return reading.problems.empty() ? readCalls(text, path == "-" ? "standard input" : path) : reading;
}

}  // namespace data
