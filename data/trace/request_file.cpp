#include "data/trace/request_file.h"

#include "data/document/document_body.h"
#include "data/document/document_reader.h"
#include "data/document/regular_file.h"
#include "data/document/text_hash.h"
#include "data/document/whole_file.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <system_error>
#include <utility>

namespace data {
namespace {

constexpr std::size_t kLongestShownPart = 60;
constexpr std::string_view kRequestBlanks = " \t";
constexpr std::string_view kHexPrefix = "0x";

std::string_view lineOf(RequestForm form) { return kRequestForms.at(static_cast<std::size_t>(form)).line; }

/// The parts of a line, which blanks divide. A line with more parts than any form has is counted but not kept.
struct RequestParts {
    static constexpr std::size_t kMost = 3;
    std::array<std::string_view, kMost> parts;
    std::size_t count = 0;

    explicit RequestParts(std::string_view line) {
        for (std::size_t end = 0; (end = line.find_first_not_of(kRequestBlanks, end)) != std::string_view::npos;) {
            const std::size_t begin = end;
            end = std::min(line.find_first_of(kRequestBlanks, begin), line.size());
            if (count < kMost)
                parts.at(count) = line.substr(begin, end - begin);
            ++count;
        }
    }
};

/// The two words of a form for the kind of a request.
struct KindWords {
    std::string_view read, write;
};

constexpr KindWords kindWordsOf(RequestForm form) {
    switch (form) {
    case RequestForm::dramsim3: break;
    case RequestForm::ramulator2: return {"LD", "ST"};
    case RequestForm::ramulator: return {"R", "W"};
    }
    return {"READ", "WRITE"};
}

constexpr std::size_t partsOf(RequestForm form) { return form == RequestForm::dramsim3 ? 3 : 2; }

constexpr std::size_t kindPlaceOf(RequestForm form) { return form == RequestForm::ramulator2 ? 0 : 1; }

constexpr std::size_t addressPlaceOf(RequestForm form) { return 1 - kindPlaceOf(form); }

bool isKindOf(RequestForm form, std::string_view word) {
    const KindWords words = kindWordsOf(form);
    return word == words.read || word == words.write;
}

/// Returns the form of a line, which its word for the kind shows.
std::optional<RequestForm> formOf(const RequestParts& line) {
    for (std::size_t i = 0; i < kRequestForms.size(); ++i) {
        const auto form = static_cast<RequestForm>(i);
        if (line.count > kindPlaceOf(form) && isKindOf(form, line.parts.at(kindPlaceOf(form))))
            return form;
    }
    return std::nullopt;
}

/// Returns a whole number. One that is too large becomes the largest, so that it is refused as too large.
std::optional<std::uint64_t> wholeNumber(std::string_view digits, int base) {
    std::uint64_t value = 0;
    const char* end = digits.data() + digits.size();
    const auto read = std::from_chars(digits.data(), end, value, base);
    if (read.ptr != end || read.ec == std::errc::invalid_argument)
        return std::nullopt;
    return read.ec == std::errc{} ? value : std::numeric_limits<std::uint64_t>::max();
}

/// Returns the address; only ramulator2 allows a decimal one.
std::optional<std::uint64_t> addressIn(std::string_view part, RequestForm form) {
    constexpr int kDecimal = 10, kHexadecimal = 16;
    if (part.starts_with(kHexPrefix))
        return wholeNumber(part.substr(kHexPrefix.size()), kHexadecimal);
    return form == RequestForm::ramulator2 ? wholeNumber(part, kDecimal) : std::nullopt;
}

void appendNumber(std::uint64_t value, int base, std::string& text) {
    std::array<char, std::numeric_limits<std::uint64_t>::digits> digits{};
    text.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value, base).ptr);
}

std::string hexText(std::uint64_t address) {
    constexpr int kBase = 16;
    std::string text(kHexPrefix);
    appendNumber(address, kBase, text);
    return text;
}

std::string shownPart(std::string_view part) {
    return shownValue(part.substr(0, kLongestShownPart), DocumentValue::Kind::string);
}

/// Reads the lines of one text.
class RequestReader {
public:
    RequestReader(const std::string& origin, engine::Bytes granule)
        : m_origin(origin), m_granule(granule),
          m_endOfAddresses(engine::kMostMemoryGranules * static_cast<std::uint64_t>(granule.count)) {}

    RequestReading read(std::string_view text) {
        while (!text.empty() && m_reading.problems.size() < kMostProblems) {
            const std::size_t end = std::min(text.find('\n'), text.size());
            ++m_number;
            if (!readLine(text.substr(0, end)))
                break;
            text.remove_prefix(std::min(end + 1, text.size()));
        }
        if (m_reading.requests.empty() && m_reading.problems.empty())
            m_reading.problems.push_back({m_origin, "no requests", "at least one is expected; allowed: " + forms()});
        if (!m_reading.problems.empty())
            m_reading.requests.clear();
        return std::move(m_reading);
    }

private:
    // A line may have two problems, of its address and of its cycle.
    void report(std::string_view value, std::string text) {
        if (m_reading.problems.size() == kMostProblems)
            return;
        m_reading.problems.push_back({m_origin + ":" + std::to_string(m_number), std::string(value), std::move(text)});
    }

    static std::string forms() {
        std::vector<std::string> lines;
        for (const RequestFormText& form : kRequestForms)
            lines.emplace_back(form.line);
        return joinedNames(lines, " or ");
    }

    /// Returns false if the rest of the text is not worth reading.
    bool readLine(std::string_view line) {
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        if (line.size() > kLongestRequestLine) {
            report(std::to_string(line.size()) + " bytes",
                   "too long; a line may have " + std::to_string(kLongestRequestLine));
            return true;
        }
        const RequestParts parts(line);
        if (parts.count == 0 || parts.parts.front().starts_with('#'))
            return true;
        if (!m_formKnown) {
            const auto form = formOf(parts);
            if (!form) {
                report(shownPart(line), "no request; allowed: " + forms());
                return false;
            }
            m_reading.form = *form;
            m_formKnown = true;
        }
        if (m_reading.requests.size() == kMostRequests) {
            report(shownPart(line), "too many requests; allowed: up to " + std::to_string(kMostRequests));
            return false;
        }
        readRequest(line, parts);
        return true;
    }

    void readRequest(std::string_view line, const RequestParts& parts) {
        const RequestForm form = m_reading.form;
        if (parts.count != partsOf(form))
            return report(shownPart(line), std::to_string(parts.count) +
                                               (parts.count == 1 ? " part instead of " : " parts instead of ") +
                                               std::to_string(partsOf(form)) +
                                               "; allowed: " + std::string(lineOf(form)) + ", as in the first request");
        const std::string_view kind = parts.parts.at(kindPlaceOf(form));
        const KindWords words = kindWordsOf(form);
        if (!isKindOf(form, kind))
            return report(shownPart(kind), "no kind of request; allowed: " + std::string(words.read) + ", " +
                                               std::string(words.write) + ", as in the first request");
        const auto address = addressOf(parts.parts.at(addressPlaceOf(form)));
        const auto cycle = form == RequestForm::dramsim3 ? cycleOf(parts.parts.back()) : std::optional(m_lastCycle);
        if (!address || !cycle)
            return;
        m_lastCycle = *cycle;
        m_reading.requests.push_back({*address, *cycle, kind == words.write});
    }

    /// Returns the address; reports a problem and returns an empty optional if it is not allowed.
    std::optional<std::uint64_t> addressOf(std::string_view part) {
        const auto address = addressIn(part, m_reading.form);
        if (!address) {
            report(shownPart(part), m_reading.form == RequestForm::ramulator2
                                        ? "no address; allowed: a decimal number, or 0x and hexadecimal digits"
                                        : "no address; allowed: 0x and hexadecimal digits");
            return std::nullopt;
        }
        if (*address >= m_endOfAddresses) {
            report(shownPart(part), "too high; allowed: below " + hexText(m_endOfAddresses) +
                                        ", which is 2^31 granules of " + std::to_string(m_granule.count) + " B");
            return std::nullopt;
        }
        return address;
    }

    /// Returns the cycle; reports a problem and returns an empty optional if it is not allowed.
    std::optional<std::uint64_t> cycleOf(std::string_view part) {
        constexpr int kDecimal = 10;
        const auto cycle = wholeNumber(part, kDecimal);
        if (!cycle)
            report(shownPart(part), "no cycle; allowed: a whole number");
        else if (*cycle > kLastRequestCycle)
            report(shownPart(part), "too late; allowed: cycles up to " + std::to_string(kLastRequestCycle));
        else if (*cycle < m_lastCycle)
            report(shownPart(part), "before the cycle " + std::to_string(m_lastCycle) +
                                        " of an earlier line; allowed: cycles that do not fall");
        else
            return cycle;
        return std::nullopt;
    }

    const std::string& m_origin;
    engine::Bytes m_granule;
    std::uint64_t m_endOfAddresses;
    std::size_t m_number = 0;  ///< of the line, counted from 1
    bool m_formKnown = false;
    std::uint64_t m_lastCycle = 0;
    RequestReading m_reading;
};

}  // namespace

RequestReading readRequests(std::string_view text, const std::string& origin, engine::Bytes granule) {
    RequestReading reading = RequestReader(origin, granule).read(text);
    reading.digest = sha256(text);
    return reading;
}

bool isRequestFile(const std::string& path) {
    constexpr std::size_t kLookedAt = 64 * 1024;
    const FileOpening opening = openForReading(path);
    if (!opening.file)
        return false;
    std::string text(kLookedAt, '\0');
    text.resize(std::fread(text.data(), 1, text.size(), opening.file.get()));
    std::string_view rest(text);
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        std::string_view line = rest.substr(0, end);
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        const RequestParts parts(line);
        if (parts.count != 0 && !parts.parts.front().starts_with('#')) {
            const auto form = line.size() > kLongestRequestLine ? std::nullopt : formOf(parts);
            return form && parts.count == partsOf(*form);
        }
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return false;
}

ExperimentDraft withRequests(ExperimentDraft draft, const std::string& digest) {
    draft.explicitValues.insert_or_assign("workload.sublayer", std::string("access"));
    draft.explicitValues.insert_or_assign("access.pattern", std::string("trace"));
    draft.explicitValues.insert_or_assign("access.trace", digest);
    return draft;
}

RequestReading readRequestFile(const std::string& path, engine::Bytes granule) {
    engine::Problems problems;
    const std::string text = readText(path, problems, kLargestRequestFile, "a request file");
    if (!problems.empty()) {
        RequestReading reading;
        reading.problems = std::move(problems);
        return reading;
    }
    return readRequests(text, path == "-" ? "standard input" : path, granule);
}

void appendRequest(const engine::AccessRequest& request, RequestForm form, std::string& text) {
    constexpr int kDecimal = 10, kHexadecimal = 16;
    const KindWords words = kindWordsOf(form);
    const std::string_view kind = request.write ? words.write : words.read;
    if (kindPlaceOf(form) == 0)
        text.append(kind).append(" ");
    text.append(kHexPrefix);
    appendNumber(request.address, kHexadecimal, text);
    if (kindPlaceOf(form) != 0)
        text.append(" ").append(kind);
    if (form == RequestForm::dramsim3) {
        text.append(" ");
        appendNumber(request.cycle, kDecimal, text);
    }
    text += '\n';
}

void writeRequestFile(std::span<const engine::AccessRequest> requests, RequestForm form, const std::string& path) {
    constexpr std::size_t kPiece = std::size_t{1} << 16;
    WholeFile file(path);
    std::string piece;
    for (const engine::AccessRequest& request : requests) {
        appendRequest(request, form, piece);
        if (piece.size() >= kPiece) {
            file.write(piece);
            piece.clear();
        }
    }
    file.write(piece);
    file.keep();
}

}  // namespace data
