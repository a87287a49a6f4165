#include "ui/figure/carried_text.h"

#include <QString>
#include <QtEndian>
#include <zlib.h>

#include <algorithm>
#include <limits>
#include <string_view>

namespace ui {
namespace {

class Unpacking {
public:
    explicit Unpacking(QByteArrayView packed) {
        const auto size = std::min<std::size_t>(packed.size(), std::numeric_limits<uInt>::max());
        m_stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
        m_stream.avail_in = static_cast<uInt>(size);
        m_open = inflateInit(&m_stream) == Z_OK;
    }
    ~Unpacking() {
        if (m_open)
            inflateEnd(&m_stream);
    }
    Unpacking(const Unpacking&) = delete;
    Unpacking& operator=(const Unpacking&) = delete;

    std::optional<QByteArray> all(std::size_t& budget, char first) {
        QByteArray text;
        char piece[16 * 1024];
        for (int result = Z_OK; m_open && result == Z_OK;) {
            // A look at the beginning tells most apart.
            const uInt room = text.isEmpty() ? 64 : sizeof piece;
            m_stream.next_out = reinterpret_cast<Bytef*>(piece);
            m_stream.avail_out = room;
            result = inflate(&m_stream, Z_NO_FLUSH);
            const uInt got = room - m_stream.avail_out;
            text.append(piece, static_cast<qsizetype>(got));
            if (got > budget || (first != 0 && !beginsWith(text, first)))
                return std::nullopt;
            budget -= got;
            if (result == Z_STREAM_END)
                return text;
        }
        return std::nullopt;
    }

private:
    z_stream m_stream{};
    bool m_open = false;
};

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

constexpr qsizetype kSignature = 8;
constexpr qsizetype kAround = 12;  // length, type and checksum of a chunk

QByteArray fromLatin1(const QByteArray& text) { return QString::fromLatin1(text).toUtf8(); }

std::optional<QByteArray> fromLatin1(const std::optional<QByteArray>& text) {
    return text ? std::optional(fromLatin1(*text)) : std::nullopt;
}

/// Behind the key of an iTXt chunk: whether and how it is packed, language, key in that language, text.
std::optional<QByteArray> international(const QByteArray& content, std::size_t budget) {
    const qsizetype language = content.indexOf('\0', 2);
    const qsizetype translated = language < 0 ? -1 : content.indexOf('\0', language + 1);
    if (translated < 0)
        return std::nullopt;
    const QByteArray text = content.mid(translated + 1);
    return content[0] == '\0' ? std::optional(text) : unpacked(text, budget);
}

}  // namespace

std::optional<QByteArray> unpacked(QByteArrayView packed, std::size_t& budget, char first) {
    return Unpacking(packed).all(budget, first);
}

std::uint32_t checksumOf(QByteArrayView bytes) {
    return static_cast<std::uint32_t>(
        crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<std::size_t>(bytes.size())));
}

bool beginsWith(QByteArrayView text, char first) {
    constexpr std::string_view kBlanks(" \t\n\v\f\r");
    for (const char letter : text) {
        if (kBlanks.find(letter) == std::string_view::npos)
            return letter == first;
    }
    return false;
}

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

std::optional<QByteArray> textInPng(const QByteArray& png, const QByteArray& key, std::size_t limit) {
    const QByteArray begin = key + '\0';
    for (qsizetype at = kSignature; at + kAround <= png.size();) {
        const qsizetype length = qFromBigEndian<quint32>(png.constData() + at);
        if (length > png.size() - at - kAround)
            return std::nullopt;
        const QByteArrayView chunk = QByteArrayView(png).sliced(at + 4, length + 4);
        const QByteArray type = chunk.first(4).toByteArray();
        const bool text = type == "tEXt" || type == "zTXt" || type == "iTXt";
        if (text && chunk.sliced(4).startsWith(begin)) {
            if (qFromBigEndian<quint32>(png.constData() + at + 8 + length) != checksumOf(chunk))
                return std::nullopt;
            const QByteArray content = chunk.sliced(4 + begin.size()).toByteArray();
            std::size_t budget = limit;
            return type == "tEXt"   ? fromLatin1(content)
                   : type == "zTXt" ? fromLatin1(unpacked(content.mid(1), budget))
                                    : international(content, budget);
        }
        at += length + kAround;
    }
    return std::nullopt;
}

}  // namespace ui
