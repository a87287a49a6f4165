#include "data/measured/trace_reading.h"

#include "data/document/bundled_json.h"
#include "data/document/names.h"
#include "data/document/problem_list.h"
#include "data/document/regular_file.h"
#include "data/document/whole_file.h"
#include "data/measured/kineto_join.h"
#include "data/measured/measured_report.h"
#include "engine/api/letters.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <condition_variable>
#include <deque>
#include <exception>
#include <filesystem>
#include <istream>
#include <mutex>
#include <optional>
#include <streambuf>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace data {
namespace {

/// A part of the text, or its end.
struct TextPiece {
    std::vector<char> text;   ///< empty at the end
    std::uint64_t taken = 0;  ///< bytes of the file up to here
};

/// Delivers the pieces of a text. If asked to, a second thread reads and unpacks the next ones meanwhile.
class TextPieces {
public:
    TextPieces(const ByteSource& source, std::size_t piece, bool readAhead)
        : m_text(source), m_piece(std::max<std::size_t>(piece, 1)) {
        if (readAhead)
            m_reader = std::jthread([this](const std::stop_token& stop) { readAll(stop); });
    }
    ~TextPieces() {
        m_reader.request_stop();
        m_changed.notify_all();
    }
    TextPieces(const TextPieces&) = delete;
    TextPieces& operator=(const TextPieces&) = delete;

    /// Returns the next piece. `used` is the storage of one that is no longer needed.
    TextPiece next(std::vector<char> used) {
        if (!m_reader.joinable())
            return read(std::move(used));
        std::unique_lock lock(m_mutex);
        m_free.push_back(std::move(used));
        m_changed.wait(lock, [this] { return !m_ready.empty(); });
        TextPiece piece = std::move(m_ready.front());
        m_ready.pop_front();
        m_changed.notify_all();
        return piece;
    }
    /// Throws what reading threw, once the text has ended.
    void rethrow() const {
        if (m_failure)
            std::rethrow_exception(m_failure);
    }
    /// Returns why the text ended early; call after its end.
    const std::string& damage() const { return m_text.damage(); }

private:
    TextPiece read(std::vector<char> storage) {
        storage.resize(m_piece);
        std::size_t length = 0;
        try {
            length = m_text.read(storage.data(), storage.size());
        } catch (...) { m_failure = std::current_exception(); }
        storage.resize(length);
        return {std::move(storage), m_text.bytesTaken()};
    }

    void readAll(const std::stop_token& stop) {
        constexpr std::size_t kMostReady = 4;
        bool ended = false;
        while (!ended) {
            std::vector<char> storage;
            {
                std::unique_lock lock(m_mutex);
                m_changed.wait(lock, stop, [this] { return m_ready.size() < kMostReady; });
                if (stop.stop_requested())
                    return;
                if (!m_free.empty()) {
                    storage = std::move(m_free.back());
                    m_free.pop_back();
                }
            }
            TextPiece piece = read(std::move(storage));
            ended = piece.text.empty();
            const std::lock_guard lock(m_mutex);
            m_ready.push_back(std::move(piece));
            m_changed.notify_all();
        }
    }

    UnpackedText m_text;
    std::size_t m_piece;
    std::exception_ptr m_failure;
    std::mutex m_mutex;
    std::condition_variable_any m_changed;
    std::deque<TextPiece> m_ready;
    std::vector<std::vector<char>> m_free;
    std::jthread m_reader;  // the last member: it uses the others
};

/// The text as a stream that the parser reads. It ends early at a limit and when asked to stop.
class PieceBuffer final : public std::streambuf {
public:
    PieceBuffer(TextPieces& pieces, const MeasuredOptions& options, std::uint64_t size, KinetoState& state)
        : m_pieces(pieces), m_options(options), m_size(size), m_state(state) {}

    /// Returns why the stream ended before the text did; empty if it did not.
    const std::string& reason() const { return m_reason; }
    std::uint64_t textRead() const { return m_read; }
    /// Returns whether all of the text was delivered.
    bool hasReachedEnd() const { return m_ended && m_reason.empty(); }

protected:
    int_type underflow() override {
        if (m_ended || !mayGoOn())
            return traits_type::eof();
        TextPiece piece = m_pieces.next(std::move(m_piece.text));
        m_piece = std::move(piece);
        if (m_piece.text.empty()) {
            m_ended = true;
            return traits_type::eof();
        }
        m_read += m_piece.text.size();
        if (m_size > 0)
            m_state.part = std::min(1.0, static_cast<double>(m_piece.taken) / static_cast<double>(m_size));
        if (m_options.progress && m_size > 0)
            m_options.progress(m_state.part);
        char* text = m_piece.text.data();
        setg(text, text, text + m_piece.text.size());
        return traits_type::to_int_type(*text);
    }

private:
    bool mayGoOn() {
        if (m_state.tokens != m_lastTokens) {
            m_lastTokens = m_state.tokens;
            m_readAtToken = m_read;
        }
        if (m_options.stop.stop_requested())
            m_reason = "stopped";
        else if (m_read >= m_options.limits.text)
            m_reason = "more than " + std::to_string(m_options.limits.text) + " bytes of text";
        else if (m_read - m_readAtToken > m_options.limits.token)
            m_reason = "a text of more than " + std::to_string(m_options.limits.token) + " bytes";
        m_ended = !m_reason.empty();
        return !m_ended;
    }

    TextPieces& m_pieces;
    const MeasuredOptions& m_options;
    std::uint64_t m_size;
    KinetoState& m_state;
    std::uint64_t m_lastTokens = 0, m_read = 0, m_readAtToken = 0;
    TextPiece m_piece;
    bool m_ended = false;
    std::string m_reason;
};

std::string endText(std::uint64_t event, std::uint64_t byte, const std::string& reason) {
    return "ends at event " + std::to_string(event) + ", byte " + std::to_string(byte) + ": " + reason;
}

}  // namespace

MeasuredReading readMeasuredTrace(const ByteSource& source, const std::string& file, const MeasuredOptions& options,
                                  std::uint64_t size) {
    KinetoRecords records;
    KinetoEnd end;
    bool isBadJson = false;
    {
        TextPieces pieces(source, options.piece, options.readAhead);
        KinetoState state;
        PieceBuffer buffer(pieces, options, size, state);
        std::istream stream(&buffer);
        end = readKineto(stream, options.limits, state, records);
        isBadJson = !end.reason.empty() && buffer.reason().empty() && buffer.textRead() > 0;
        if (end.byte == 0)
            end.byte = buffer.textRead();
        if (!buffer.reason().empty())
            end.reason = buffer.reason();
        // Where the parser ended before the text, the other thread may still be reading.
        if (buffer.hasReachedEnd()) {
            pieces.rethrow();
            if (!pieces.damage().empty())
                end.reason = pieces.damage();
            else if (buffer.textRead() == 0)
                end.reason = "it is empty";
            else if (!end.reason.empty())
                end.reason = "the text is cut off";
        }
        records.trace.counts.text = buffer.textRead();
    }
    MeasuredReading reading;
    if (!end.isTrace && isBadJson)
        end.reason = "not valid JSON, " + end.reason;
    if (!end.isTrace) {
        reading.problems.push_back({file, "",
                                    "not a trace: " + (end.reason.empty() ? "it has no list traceEvents" : end.reason) +
                                        "; allowed: a Chrome trace of PyTorch's profiler (Kineto), .json or .json.gz"});
        return reading;
    }
    const std::uint64_t events = records.trace.counts.events;
    reading.trace = joinedTrace(std::move(records), options.classes);
    reading.trace.file = file;
    if (!end.reason.empty())
        reading.trace.endsEarly = endText(events, end.byte, end.reason);
    if (reading.trace.spans.empty()) {
        const MeasuredCounts& counts = reading.trace.counts;
        const std::uint64_t leftOut = counts.badTime + counts.badDuration;
        reading.problems.push_back(
            {file, "",
             "no GPU kernels among " + std::to_string(events) + " events: recorded without CUDA activity?" +
                 (leftOut == 0 ? "" : " " + std::to_string(leftOut) + " spans have no usable time") +
                 (end.reason.empty() ? "" : " The file " + reading.trace.endsEarly)});
    }
    if (!reading.trace.rank)
        reading.trace.rank = rankInName(file);
    return reading;
}

MeasuredReading readMeasuredFile(const std::string& path, const MeasuredOptions& options) {
    if (path.starts_with(kBundledTrace)) {
        const BundledText* bundled =
            findNamed(bundledTraceTexts(), &BundledText::name, std::string_view(path).substr(kBundledTrace.size()));
        if (bundled != nullptr)
            return readMeasuredTrace(bytesOfText(bundled->text), path, options, std::string_view(bundled->text).size());
        MeasuredReading reading;
        reading.problems.push_back(
            {path, "",
             "no such bundled trace; allowed: " + joined(namesOf(bundledTraceTexts(), &BundledText::name), " or ")});
        return reading;
    }
    const FileOpening opening = openForReading(path == "-" ? "/dev/stdin" : path);
    if (!opening.file) {
        MeasuredReading reading;
        reading.problems.push_back({path, "", opening.reason});
        return reading;
    }
    std::error_code error;
    const auto size = path == "-" ? 0 : std::filesystem::file_size(path, error);
    return readMeasuredTrace(bytesOfFile(opening.file.get(), path), path == "-" ? "standard input" : path, options,
                             error ? 0 : size);
}

MeasuredTraces readMeasuredFiles(std::span<const std::string> files, const MeasuredOptions& options) {
    MeasuredTraces read;
    for (std::size_t i = 0; i < files.size(); ++i) {
        if (options.stop.stop_requested() && !read.traces.empty())
            break;
        MeasuredOptions one = options;
        if (options.progress) {
            one.progress = [&, i](double done) {
                options.progress((static_cast<double>(i) + done) / static_cast<double>(files.size()));
            };
        }
        MeasuredReading reading = readMeasuredFile(files[i], one);
        append(read.problems, reading.problems);
        read.traces.push_back(std::move(reading.trace));
    }
    if (read.problems.empty())
        append(read.problems, orderRanks(read.traces));
    return read;
}

std::optional<std::int64_t> rankInName(std::string_view path) {
    constexpr std::string_view kRank = "rank";
    std::string name(path.substr(path.find_last_of('/') + 1));
    std::ranges::transform(name, name.begin(), engine::lowerLetter);
    for (std::size_t at = name.find(kRank); at != std::string::npos; at = name.find(kRank, at + 1)) {
        const bool beginsWord = at == 0 || name[at - 1] < 'a' || name[at - 1] > 'z';
        std::size_t digits = at + kRank.size();
        if (digits < name.size() && (name[digits] == '-' || name[digits] == '_' || name[digits] == '='))
            ++digits;
        std::int64_t rank = 0;
        const auto read = std::from_chars(name.data() + digits, name.data() + name.size(), rank);
        if (beginsWord && read.ec == std::errc{} && rank >= 0)
            return rank;
    }
    return std::nullopt;
}

}  // namespace data
