#include "ui/figure/png_text.h"

#include "ui/figure/packed_bytes.h"

#include <QString>
#include <QtEndian>

namespace ui {
namespace {

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
