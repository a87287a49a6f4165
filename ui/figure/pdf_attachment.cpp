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

/// The stream from there on, packed or plain; nothing where it does not begin as a document.
std::optional<QByteArray> textFrom(QByteArrayView bytes, std::size_t& budget) {
    const QByteArrayView head = bytes.first(std::min<qsizetype>(bytes.size(), 64));
    if (!beginsWith(head, '{'))
        return unpacked(bytes, budget, '{');
    const QByteArrayView within = bytes.first(std::min(bytes.size(), static_cast<qsizetype>(budget)));
    const qsizetype end = within.indexOf("endstream");
    budget -= static_cast<std::size_t>(end < 0 ? within.size() : end);
    return end < 0 ? std::nullopt : std::optional(within.first(end).toByteArray());
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
