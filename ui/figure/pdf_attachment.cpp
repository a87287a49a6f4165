#include "ui/figure/pdf_attachment.h"

#include <algorithm>
#include <cctype>
#include <zlib.h>

namespace ui {
namespace {

constexpr int kMostStreams = 20'000;
constexpr const char* kFormat = "\"ringside-figure\"";

bool beginsAsDocument(const QByteArray& text) {
    for (const char letter : text) {
        if (std::isspace(static_cast<unsigned char>(letter)) == 0)
            return letter == '{';
    }
    return false;
}

bool isDocument(const QByteArray& text) { return beginsAsDocument(text) && text.contains(kFormat); }

/// What a packed stream holds; nothing for one that is damaged, too large, or no document from its first letter.
class Unpacking {
public:
    explicit Unpacking(QByteArrayView packed) {
        m_stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
        m_stream.avail_in = static_cast<uInt>(packed.size());
        m_open = inflateInit(&m_stream) == Z_OK;
    }
    ~Unpacking() {
        if (m_open)
            inflateEnd(&m_stream);
    }
    Unpacking(const Unpacking&) = delete;
    Unpacking& operator=(const Unpacking&) = delete;

    std::optional<QByteArray> document(std::size_t limit) {
        QByteArray text;
        char piece[16 * 1024];
        for (int result = Z_OK; m_open && result == Z_OK;) {
            m_stream.next_out = reinterpret_cast<Bytef*>(piece);
            m_stream.avail_out = sizeof piece;
            result = inflate(&m_stream, Z_NO_FLUSH);
            text.append(piece, static_cast<qsizetype>(sizeof piece - m_stream.avail_out));
            if (!beginsAsDocument(text) || static_cast<std::size_t>(text.size()) > limit)
                return std::nullopt;
            if (result == Z_STREAM_END)
                return text;
        }
        return std::nullopt;
    }

private:
    z_stream m_stream{};
    bool m_open = false;
};

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

}  // namespace

std::optional<QByteArray> figureInPdf(const QByteArray& pdf, std::size_t limit) {
    int streams = 0;
    for (qsizetype keyword = pdf.indexOf("stream"); keyword >= 0 && streams < kMostStreams;
         keyword = pdf.indexOf("stream", keyword + 1)) {
        const std::optional<qsizetype> begin = beginOfStream(pdf, keyword);
        if (!begin)
            continue;
        ++streams;
        const QByteArrayView bytes = QByteArrayView(pdf).sliced(*begin);
        if (auto document = Unpacking(bytes).document(limit); document && isDocument(*document))
            return document;
        const qsizetype end = std::max(pdf.indexOf("endstream", *begin), *begin);
        if (static_cast<std::size_t>(end - *begin) > limit || !beginsAsDocument(pdf.mid(*begin, 64)))
            continue;
        if (const QByteArray plain = pdf.mid(*begin, end - *begin); isDocument(plain))
            return plain;
    }
    return std::nullopt;
}

}  // namespace ui
