#include "engine/workload/network_text.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace engine {
namespace {

constexpr std::array<std::string_view, 3> kDivisions{"samples", "columns", "rows"};
constexpr std::array<std::string_view, 6> kReserved{"B", "S", "N", "D", "e", "b"};
constexpr std::string_view kNoOperator = "none";  // from none: nothing of the network
constexpr std::size_t kMostNetworkProblems = 20;
constexpr const char* kForms =
    "allowed: let NAME = EXPRESSION; ID: gemm ROWS COLUMNS INNER; ID: work FLOPS BYTES out ELEMENTS; "
    "ID: all-reduce, reduce-scatter, all-gather or all-to-all BYTES";

struct CollectiveWord {
    std::string_view word;
    CollectiveOperation operation;
};
constexpr std::array kCollectives{CollectiveWord{"all-reduce", CollectiveOperation::allReduce},
                                  CollectiveWord{"reduce-scatter", CollectiveOperation::reduceScatter},
                                  CollectiveWord{"all-gather", CollectiveOperation::allGather},
                                  CollectiveWord{"all-to-all", CollectiveOperation::allToAll}};

bool isIdPart(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
           c == '.' || c == '/';
}

bool isId(std::string_view text) {
    constexpr std::size_t kLongest = 64;
    return !text.empty() && text.size() <= kLongest && std::ranges::all_of(text, isIdPart);
}

/// Reads one line.
class NetworkLineReader {
public:
    NetworkLineReader(std::string_view line, const TextPlace& begin, NetworkReading& into)
        : m_line(line), m_begin(begin), m_into(into) {}

    void read() {
        const PlacedWord first = word();
        if (first.word == "let")
            return readLet();
        readOperator(first);
    }

private:
    TextPlace place(std::size_t at) const { return {m_begin.line, m_begin.column + at}; }

    void report(const TextPlace& at, std::string value, std::string text) {
        m_failed = true;
        if (m_into.problems.size() < kMostNetworkProblems)
            m_into.problems.push_back(networkProblem(at, std::move(value), std::move(text)));
    }

    bool atEnd() {
        while (m_at < m_line.size() && isBlankOfLine(m_line[m_at]))
            ++m_at;
        return m_at == m_line.size();
    }

    /// Returns the next part up to a blank outside of parentheses; empty at the end of the line.
    PlacedWord word() {
        atEnd();
        const std::size_t begin = m_at;
        int depth = 0;
        while (m_at < m_line.size() && (depth > 0 || !isBlankOfLine(m_line[m_at]))) {
            depth += m_line[m_at] == '(' ? 1 : m_line[m_at] == ')' && depth > 0 ? -1 : 0;
            ++m_at;
        }
        return {std::string(m_line.substr(begin, m_at - begin)), place(begin)};
    }

    std::optional<PlacedExpression> expression(const PlacedWord& from, const char* what) {
        if (from.word.empty()) {
            report(from.at, "", std::string(what) + " is missing; " + kForms);
            return std::nullopt;
        }
        Expression::Parsed parsed = Expression::parse(from.word);
        if (parsed.error) {
            report({from.at.line, from.at.column + parsed.error->column}, parsed.error->value, parsed.error->text);
            return std::nullopt;
        }
        return PlacedExpression{std::move(*parsed.expression), from.at};
    }

    void readLet() {
        atEnd();
        const std::size_t begin = m_at;
        const std::size_t equals = m_line.find('=', begin);
        if (equals == std::string_view::npos)
            return report(place(begin), std::string(trimmedLine(m_line.substr(begin))),
                          "no value; allowed: let NAME = EXPRESSION, or samples, columns or rows");
        NetworkLet let{{std::string(trimmedLine(m_line.substr(begin, equals - begin))), place(begin)}, {}, {}};
        if (!isExpressionName(let.name.word))
            return report(let.name.at, let.name.word, "no name; allowed: letters, digits and _");
        if (std::ranges::find(kReserved, let.name.word) != kReserved.end())
            return report(let.name.at, let.name.word,
                          "this name has a value already; B, S, N, D, e and b come from the experiment");
        if (m_into.network.find(let.name.word) != nullptr)
            return report(let.name.at, let.name.word, "this name is used twice");
        std::size_t from = equals + 1;
        while (from < m_line.size() && isBlankOfLine(m_line[from]))
            ++from;
        const PlacedWord value{std::string(trimmedLine(m_line.substr(from))), place(from)};
        let.division = operatorDivisionNamed(value.word);
        if (!let.division)
            let.expression = expression(value, "the value");
        if (!m_failed)
            m_into.network.lets.push_back(std::move(let));
    }

    void readOperator(PlacedWord id) {
        NetworkLine line;
        if (!id.word.ends_with(':'))
            return report(id.at, id.word, std::string("no operator; ") + kForms);
        id.word.pop_back();
        if (!isId(id.word) || id.word == kNoOperator)
            return report(id.at, id.word, "no name of an operator; allowed: letters, digits, _ - . /, at most 64");
        line.id = std::move(id);
        const PlacedWord kind = word();
        if (!readKind(kind, line))
            return;
        while (!m_failed && !atEnd())
            readModifier(line);
        if (!m_failed && line.kind == NetworkLine::Kind::work && !line.output)
            return report(kind.at, kind.word, "the elements that it writes are missing; allowed: out ELEMENTS");
        if (!m_failed)
            m_into.network.lines.push_back(std::move(line));
    }

    bool readKind(const PlacedWord& kind, NetworkLine& line) {
        std::vector<const char*> sizes;
        const auto* collective = std::ranges::find(kCollectives, kind.word, &CollectiveWord::word);
        if (kind.word == "gemm") {
            line.kind = NetworkLine::Kind::gemm;
            sizes = {"the number of rows", "the number of columns", "the inner side"};
        } else if (kind.word == "work") {
            line.kind = NetworkLine::Kind::work;
            sizes = {"the number of flops", "the number of bytes"};
        } else if (collective != kCollectives.end()) {
            line.kind = NetworkLine::Kind::collective;
            line.operation = collective->operation;
            sizes = {"the number of bytes"};
        } else {
            report(kind.at, kind.word, std::string("no kind of operator; ") + kForms);
            return false;
        }
        for (const char* what : sizes) {
            auto size = expression(word(), what);
            if (!size)
                return false;
            line.sizes.push_back(std::move(*size));
        }
        return true;
    }

    void readModifier(NetworkLine& line) {
        const PlacedWord modifier = word();
        const bool isGemm = line.kind == NetworkLine::Kind::gemm;
        const auto once = [&](const auto& value) {
            if (value)
                report(modifier.at, modifier.word, "this line has it twice");
            return !value.has_value();
        };
        const auto readSize = [&](std::optional<PlacedExpression>& size, const char* what) {
            if (once(size))
                size = expression(word(), what);
        };
        if (modifier.word == "times" && isGemm)
            readSize(line.times, "how often it runs");
        else if (modifier.word == "weights" && line.kind != NetworkLine::Kind::collective)
            readSize(line.weights, "the number of weights");
        else if (modifier.word == "out")
            readSize(line.output, "the number of elements");
        else if (modifier.word == "halo")
            readSize(line.halo, "the number of bytes");
        else if (modifier.word == "in" && once(line.division))
            readDivision(line);
        else if (modifier.word == "from" && once(line.from))
            readFrom(line);
        else if (!m_failed)
            report(modifier.at, modifier.word,
                   std::string("not expected here; allowed: ") + (isGemm ? "times T, " : "") +
                       (line.kind == NetworkLine::Kind::collective ? "" : "weights W, ") +
                       "in DIVISION, from ID, ID (or none), out ELEMENTS, halo BYTES");
    }

    void readDivision(NetworkLine& line) {
        line.division = word();
        if (!isExpressionName(line.division->word))
            report(line.division->at, line.division->word,
                   "no division; allowed: samples, columns, rows, or the name of a let");
    }

    void readFrom(NetworkLine& line) {
        line.from.emplace();
        bool more = true;
        while (more && !m_failed) {
            PlacedWord id = word();
            more = id.word.ends_with(',');
            if (more)
                id.word.pop_back();
            if (!isId(id.word))
                report(id.at, id.word, "no name of an operator; allowed: from ID, ID, or from none");
            line.from->push_back(std::move(id));
        }
        if (line.from->size() == 1 && line.from->front().word == kNoOperator)
            line.from->clear();
    }

    std::string_view m_line;
    TextPlace m_begin;
    NetworkReading& m_into;
    std::size_t m_at = 0;
    bool m_failed = false;
};

/// Checks that names are used once and that operators read those before them.
void checkIds(NetworkReading& reading) {
    std::set<std::string_view> known;
    for (const NetworkLine& line : reading.network.lines) {
        if (reading.problems.size() >= kMostNetworkProblems)
            return;
        if (line.from)
            for (const PlacedWord& from : *line.from)
                if (!known.contains(from.word))
                    reading.problems.push_back(
                        networkProblem(from.at, from.word, "no operator before this one has this name"));
        if (!known.insert(line.id.word).second)
            reading.problems.push_back(networkProblem(line.id.at, line.id.word, "this name is used twice"));
    }
}

}  // namespace

std::string_view name(OperatorDivision division) { return kDivisions.at(static_cast<std::size_t>(division)); }

std::optional<OperatorDivision> operatorDivisionNamed(std::string_view word) {
    const auto* found = std::ranges::find(kDivisions, word);
    return found == kDivisions.end() ? std::nullopt
                                     : std::optional(static_cast<OperatorDivision>(found - kDivisions.begin()));
}

const NetworkLet* NetworkText::find(std::string_view name) const {
    const auto found = std::ranges::find_if(lets, [&](const NetworkLet& let) { return let.name.word == name; });
    return found == lets.end() ? nullptr : &*found;
}

Problem networkProblem(const TextPlace& at, std::string value, std::string text) {
    return {"workload.network", std::move(value),
            "line " + std::to_string(at.line) + ", column " + std::to_string(at.column) + ": " + std::move(text)};
}

Problem networkProblem(const PlacedExpression& where, const TextError& error) {
    return networkProblem({where.at.line, where.at.column + error.column}, error.value, error.text);
}

NetworkReading readNetwork(std::string_view text) {
    NetworkReading reading;
    forEachTextLine(text, [&](std::string_view line, const TextPlace& at) {
        if (reading.problems.size() >= kMostNetworkProblems)
            return;
        if (reading.network.lines.size() == kMostNetworkOperators) {
            reading.problems.push_back(
                networkProblem(at, "", "too many operators; allowed: up to " + std::to_string(kMostNetworkOperators)));
            return;
        }
        NetworkLineReader(line, at, reading).read();
    });
    if (reading.problems.empty() && reading.network.lines.empty())
        reading.problems.push_back(networkProblem({1, 1}, "", std::string("no operator; ") + kForms));
    checkIds(reading);
    return reading;
}

void replaceSymbols(std::string_view symbols, NetworkText& network, Problems& problems) {
    const auto report = [&](std::string_view piece, std::size_t column, std::string text) {
        problems.push_back(
            {"workload.symbols", std::string(piece), "column " + std::to_string(column + 1) + ": " + std::move(text)});
    };
    if (trimmedLine(symbols) == kNoNetwork || trimmedLine(symbols).empty())
        return;
    std::set<std::string> replaced;
    std::size_t begin = 0;
    int depth = 0;
    for (std::size_t at = 0; at <= symbols.size(); ++at) {
        const bool ends = at == symbols.size() || (symbols[at] == ',' && depth == 0);
        if (!ends) {
            depth += symbols[at] == '(' ? 1 : symbols[at] == ')' && depth > 0 ? -1 : 0;
            continue;
        }
        const std::string_view piece = symbols.substr(begin, at - begin);
        const std::size_t equals = std::min(piece.find('='), piece.size());
        const std::string name(trimmedLine(piece.substr(0, equals)));
        const std::string_view value =
            equals == piece.size() ? std::string_view() : trimmedLine(piece.substr(equals + 1));
        const std::size_t column = begin;
        begin = at + 1;
        const auto let =
            std::ranges::find_if(network.lets, [&](const NetworkLet& each) { return each.name.word == name; });
        if (equals == piece.size()) {
            report(trimmedLine(piece), column, "no value; allowed: NAME=EXPRESSION, divided by commas");
        } else if (let == network.lets.end()) {
            report(name, column, "the network has no let of this name");
        } else if (!replaced.insert(name).second) {
            report(name, column, "this name is set twice");
        } else if (const auto division = operatorDivisionNamed(value)) {
            let->division = division;
            let->expression.reset();
        } else if (Expression::Parsed parsed = Expression::parse(value); parsed.error) {
            report(parsed.error->value,
                   column + static_cast<std::size_t>(value.data() - piece.data()) + parsed.error->column,
                   parsed.error->text);
        } else {
            let->division.reset();
            let->expression = PlacedExpression{std::move(*parsed.expression), let->name.at};
        }
    }
}

}  // namespace engine
