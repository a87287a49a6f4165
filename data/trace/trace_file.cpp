#include "data/trace/trace_file.h"

#include "data/document/document_body.h"
#include "data/document/document_keys.h"
#include "data/document/document_tree.h"
#include "data/document/problem_list.h"
#include "data/document/regular_file.h"
#include "data/document/unpacked_text.h"
#include "data/document/whole_file.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

namespace data {
namespace {

using Kind = DocumentNode::Kind;

constexpr std::size_t kLongestHead = std::size_t{4} << 20;
constexpr std::string_view kTraceFormat = "ringside-trace";
constexpr std::string_view kTraceVersion = "1";
constexpr std::string_view kOwnFormat = "\"format\":\"ringside-trace\"";  // as writeChromeTrace writes it

[[noreturn]] void cannotRead(const std::string& path, int reason) {
    throw FileError(path + ": cannot be read: " + std::generic_category().message(reason));
}

/// Opens a trace; throws FileError.
OpenFile opened(const std::string& path) {
    FileOpening opening = openForReading(path);
    if (!opening.reason.empty())
        throw FileError(path + ": " + opening.reason);
    return std::move(opening.file);
}

std::string beginningOf(const std::string& path, std::size_t most) {
    const OpenFile file = opened(path);
    std::string text(most, '\0');
    text.resize(std::fread(text.data(), 1, text.size(), file.get()));
    if (std::ferror(file.get()) != 0)
        cannotRead(path, errno);
    return text;
}

/// Returns the beginning of a file that may be a trace; empty if it is no object, no list or cannot be read.
std::string lookedAt(const std::string& path) {
    constexpr std::size_t kLookedAt = 64 * 1024;
    std::string text;
    try {
        text = beginningOfText(path, kLookedAt);
    } catch (const FileError&) { return {}; }
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    const bool mayBeTrace = first != std::string::npos && (text[first] == '{' || text[first] == '[');
    return mayBeTrace ? text : std::string();
}

std::string textAt(const DocumentNode& head, std::string_view key) {
    const DocumentNode* node = head.find(key);
    return node != nullptr && node->kind == Kind::string ? node->text : std::string();
}

void readDraftOf(const DocumentNode& head, const char* key, ExperimentDraft& draft, engine::Problems& problems) {
    const DocumentNode* node = childOf(head, "otherData", key, Kind::object, "an experiment {...}", problems);
    if (node == nullptr) {
        problems.push_back({std::string("otherData.") + key, "", "missing"});
        return;
    }
    BodyReading body = readBody(flatten(*node), key, {kExperimentFormat, "an experiment", {}});
    append(problems, body.problems);
    draft = draftOf(std::move(body));
}

void readChoice(const DocumentNode& head, TraceChoice& choice) {
    const DocumentNode* without = head.find("without");
    for (const DocumentNode& name : without != nullptr ? without->children : std::vector<DocumentNode>()) {
        for (const TracePart& part : traceParts()) {
            if (part.name == name.text)
                choose(choice, part, false);
        }
    }
    const DocumentNode* path = head.find("critical_path");
    choice.path = choice.path && path != nullptr && path->text == "true";
}

void readHeadOfTrace(const DocumentNode& head, TraceReading& reading) {
    const DocumentNode* version = head.find("version");
    if (version == nullptr || version->text != kTraceVersion) {
        reading.problems.push_back({"otherData.version", version != nullptr ? version->shown() : "",
                                    "written by another version of Ringside; allowed: " + std::string(kTraceVersion)});
        return;
    }
    reading.head.hash = textAt(head, "experiment_hash");
    reading.head.engineVersion = textAt(head, "engine_version");
    readChoice(head, reading.head.choice);
    ExperimentDraft complete;
    readDraftOf(head, "draft", reading.head.draft, reading.problems);
    readDraftOf(head, "experiment", complete, reading.problems);
    if (!reading.problems.empty())
        return;
    // If presets have changed since, uses the complete experiment, which has their values at that time.
    const Expansion expansion = expand(reading.head.draft);
    if (!expansion.runnable() || experimentHash(expansion.experiment) != reading.head.hash)
        reading.head.draft = std::move(complete);
    const Expansion wanted = expand(reading.head.draft);
    reading.problems = wanted.problems;
    const std::string hash = experimentHash(wanted.experiment);
    // The hash is compared only for this engine's version: another version may give the same experiment another hash.
    if (reading.head.engineVersion != engine::engineVersion())
        reading.head.hash = hash;
    if (wanted.runnable() && hash != reading.head.hash)
        reading.problems.push_back({"otherData.experiment_hash", reading.head.hash,
                                    "not that of the experiment beside it: the file was altered"});
}

/// Compares a file, from its second line on, with the pieces of a trace as they are written.
class Comparing {
public:
    explicit Comparing(const std::string& path) : m_path(path), m_file(opened(path)) { skipFirstLine(); }

    void take(std::string_view piece) {
        if (!m_headPassed) {
            const std::size_t end = piece.find('\n');
            piece.remove_prefix(end == std::string_view::npos ? piece.size() : end + 1);
            m_headPassed = end != std::string_view::npos;
        }
        if (m_differs)
            return;
        m_there.resize(piece.size());
        m_there.resize(std::fread(m_there.data(), 1, m_there.size(), m_file.get()));
        if (std::ferror(m_file.get()) != 0)
            cannotRead(m_path, errno);
        const auto [here, there] = std::mismatch(piece.begin(), piece.end(), m_there.begin(), m_there.end());
        const auto agree = static_cast<std::size_t>(here - piece.begin());
        m_result.bytes += static_cast<std::int64_t>(agree);
        m_result.line += std::count(piece.begin(), here, '\n');
        m_differs = agree < piece.size();
        if (m_differs) {
            m_result.here = lineAt(piece, agree);
            m_result.inFile = lineAt(m_there, agree);
        }
    }

    TraceComparison result() {
        char more = 0;
        if (!m_differs && std::fread(&more, 1, 1, m_file.get()) == 1) {
            m_differs = true;
            m_result.inFile = std::string(1, more) + "…";
        }
        m_result.same = !m_differs;
        return m_result;
    }

private:
    void skipFirstLine() {
        int letter = 0;
        for (std::size_t i = 0; i < kLongestHead && letter != '\n' && letter != EOF; ++i)
            letter = std::fgetc(m_file.get());
    }

    static std::string lineAt(std::string_view text, std::size_t at) {
        constexpr std::size_t kMostOfALine = 300;
        const std::size_t before = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
        const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
        return std::string(text.substr(begin, std::min(text.find('\n', at) - begin, kMostOfALine)));
    }

    std::string m_path;
    OpenFile m_file;
    std::string m_there;
    TraceComparison m_result{.line = 2};
    bool m_headPassed = false, m_differs = false;
};

}  // namespace

void writeTraceFile(const LaboratoryRun& run, const std::string& path, const TraceChoice& choice,
                    const TraceWatch& watch) {
    WholeFile file(path);
    writeChromeTrace(
        run, [&file](std::string_view piece) { file.write(piece); }, choice, watch);
    file.keep();
}

bool isTraceFile(const std::string& path) {
    const std::string text = lookedAt(path);
    const auto has = [&text](std::string_view part) { return text.find(part) != std::string::npos; };
    if (text.empty())
        return false;
    // A trace may also be a bare list of events. The format and the keys of a profiler are looked for as well, because an
    // experiment with thousands of links, or process groups, may push the first event beyond this part of the file.
    return has(kOwnFormat) || has("\"traceEvents\"") || (has("\"ph\"") && has("\"pid\"")) ||
           has("\"deviceProperties\"") || has("\"distributedInfo\"");
}

bool isOwnTraceFile(const std::string& path) { return lookedAt(path).find(kOwnFormat) != std::string::npos; }

TraceReading readTraceFile(const std::string& path) {
    TraceReading reading;
    std::string text;
    try {
        text = beginningOf(path, kLongestHead);
    } catch (const FileError& error) {
        reading.problems.push_back({path, "", error.what()});
        return reading;
    }
    const std::size_t end = text.find('\n');
    const std::string line = text.substr(0, end);
    if (line.find("\"" + std::string(kTraceFormat) + "\"") == std::string::npos) {
        reading.problems.push_back(
            {path, "",
             "a trace that does not carry an experiment: another program's, or rewritten by one. "
             "Perfetto (ui.perfetto.dev) shows it, and `ringside-cli trace` evaluates one of PyTorch's profiler; Ringside "
             "opens the traces that it wrote"});
        return reading;
    }
    const DocumentTree tree = readTree(line + "]}", path);
    const DocumentNode* head = tree.root ? tree.root->find("otherData") : nullptr;
    if (end == std::string::npos || head == nullptr || head->kind != Kind::object ||
        textAt(*head, "format") != kTraceFormat) {
        reading.problems.push_back({path, "", "damaged: its first line, which carries the experiment, cannot be read"});
        return reading;
    }
    readHeadOfTrace(*head, reading);
    return reading;
}

TraceComparison compareTrace(const LaboratoryRun& run, const std::string& path, const TraceChoice& choice,
                             const TraceWatch& watch) {
    Comparing comparing(path);
    writeChromeTrace(
        run, [&comparing](std::string_view piece) { comparing.take(piece); }, choice, watch);
    return comparing.result();
}

}  // namespace data
