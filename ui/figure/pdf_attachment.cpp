#include "ui/figure/pdf_attachment.h"

#include "ui/figure/packed_bytes.h"

#include <algorithm>

namespace ui {
namespace {

constexpr int kMostStreams = 20'000;
constexpr const char* kFormat = "\"ringside-figure\"";

/// Where the bytes of the stream begin whose keyword stands at `keyword`; nothing where it is none.
std::optional<qsizetype> beginOfStream(const QByteArray& pdf, qsizetype keyword) {
    constexpr qsizetype kLength = 6;  // of "stream"
    if (keyword >= 3 && pdf.mid(keyword - 3, 3) == "end")
        return std::nullopt;
    qsizetype begin = keyword + kLength;
    if (begin < pdf.size() && pdf[begin] == '\r')
        ++begin;
    if (begin >= pdf.size() || pdf[begin] != '\n')
        return std::nullopt;
    return begin + 1;
}

/// Returns the length of the JSON object that begins the text, or nullopt if it does not end there. The keyword that ends a
/// stream may stand in one of its strings and is no guide.
std::optional<qsizetype> lengthOfObject(QByteArrayView text) {
    int depth = 0;
    bool inString = false;
    for (qsizetype at = 0; at < text.size(); ++at) {
        const char letter = text[at];
        if (inString) {
            at += letter == '\\' ? 1 : 0;
            inString = letter != '"';
        } else if (letter == '"') {
            inString = true;
        } else if (letter == '{') {
            ++depth;
        } else if (letter == '}' && --depth == 0) {
            return at + 1;
        }
    }
    return std::nullopt;
}

/// The stream from there on, packed or plain; nothing where it does not begin as a document.
std::optional<QByteArray> textFrom(QByteArrayView bytes, std::size_t& budget) {
    const QByteArrayView head = bytes.first(std::min<qsizetype>(bytes.size(), 64));
    if (!beginsWith(head, '{'))
        return unpacked(bytes, budget, '{');
    const QByteArrayView within = bytes.first(std::min(bytes.size(), static_cast<qsizetype>(budget)));
    const std::optional<qsizetype> length = lengthOfObject(within);
    budget -= static_cast<std::size_t>(length.value_or(within.size()));
    return length ? std::optional(within.first(*length).toByteArray()) : std::nullopt;
}

}  // namespace

std::optional<QByteArray> figureInPdf(const QByteArray& pdf, std::size_t limit) {
    std::size_t budget = limit;
    int streams = 0;
    for (qsizetype keyword = pdf.indexOf("stream"); keyword >= 0 && streams < kMostStreams;
         keyword = pdf.indexOf("stream", keyword + 1)) {
        const std::optional<qsizetype> begin = beginOfStream(pdf, keyword);
        if (!begin)
            continue;
        ++streams;
        std::optional<QByteArray> text = textFrom(QByteArrayView(pdf).sliced(*begin), budget);
        if (text && text->contains(kFormat))
            return text;
    }
    return std::nullopt;
}

}  // namespace ui
