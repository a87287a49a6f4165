#include "ui/figure/embedded_text.h"

#include <QString>
#include <QtEndian>
#include <archive.h>
#include <archive_entry.h>
#include <zlib.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <new>
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
            // The first 64 characters suffice to reject most streams that are not documents.
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

/// Returns the offset of the stream data after the `stream` keyword at `keyword`, or nullopt if it is malformed.
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

/// Returns the length of the JSON object at the beginning of the text, or nullopt if the text does not end with it. The
/// keyword that ends a stream cannot be used for this, because it may occur in one of the object's strings.
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

/// Returns the text of the stream that begins here, compressed or plain; nullopt if it does not begin like a document.
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

/// Returns the text of an iTXt chunk. `content` is what follows the key: whether and how the text is compressed, the
/// language, the key in that language, the text.
std::optional<QByteArray> international(const QByteArray& content, std::size_t budget) {
    const qsizetype language = content.indexOf('\0', 2);
    const qsizetype translated = language < 0 ? -1 : content.indexOf('\0', language + 1);
    if (translated < 0)
        return std::nullopt;
    const QByteArray text = content.mid(translated + 1);
    return content[0] == '\0' ? std::optional(text) : unpacked(text, budget);
}

constexpr int kMostEntries = 10'000;

struct CloseReading {
    void operator()(archive* held) const { archive_read_free(held); }
};
struct CloseWriting {
    void operator()(archive* held) const { archive_write_free(held); }
};
struct FreeEntry {
    void operator()(archive_entry* held) const { archive_entry_free(held); }
};

la_ssize_t append(archive*, void* bytes, const void* data, std::size_t size) {
    static_cast<QByteArray*>(bytes)->append(static_cast<const char*>(data), static_cast<qsizetype>(size));
    return static_cast<la_ssize_t>(size);
}

QByteArray lastPartOf(const char* path) {
    const QByteArray whole(path);
    return whole.mid(whole.lastIndexOf('/') + 1);
}

std::optional<QByteArray> contentOf(archive* reader, std::size_t limit) {
    QByteArray content;
    char piece[16 * 1024];
    for (;;) {
        const la_ssize_t read = archive_read_data(reader, piece, sizeof piece);
        if (read == 0)
            return content;
        if (read < 0 || static_cast<std::size_t>(content.size() + read) > limit)
            return std::nullopt;
        content.append(piece, static_cast<qsizetype>(read));
    }
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

QByteArray zipOf(const std::vector<FigureFile>& files) {
    QByteArray bytes;
    const std::unique_ptr<archive, CloseWriting> writer(archive_write_new());
    const std::unique_ptr<archive_entry, FreeEntry> entry(archive_entry_new());
    if (!writer || !entry)
        throw std::bad_alloc();
    archive_write_set_format_zip(writer.get());
    archive_write_set_bytes_per_block(writer.get(), 0);
    archive_write_open(writer.get(), &bytes, nullptr, append, nullptr);
    for (const FigureFile& file : files) {
        archive_entry_clear(entry.get());
        archive_entry_set_pathname(entry.get(), file.name.toUtf8().constData());
        archive_entry_set_filetype(entry.get(), AE_IFREG);
        archive_entry_set_perm(entry.get(), 0644);
        archive_entry_set_size(entry.get(), file.content.size());
        archive_write_header(writer.get(), entry.get());
        archive_write_data(writer.get(), file.content.constData(), static_cast<std::size_t>(file.content.size()));
    }
    archive_write_close(writer.get());
    return bytes;
}

std::optional<QByteArray> fileInZip(const QByteArray& zip, const QByteArray& name, std::size_t limit) {
    const std::unique_ptr<archive, CloseReading> reader(archive_read_new());
    if (!reader)
        throw std::bad_alloc();
    archive_read_support_format_zip(reader.get());
    if (archive_read_open_memory(reader.get(), zip.constData(), static_cast<std::size_t>(zip.size())) != ARCHIVE_OK)
        return std::nullopt;
    archive_entry* entry = nullptr;
    for (int i = 0; i < kMostEntries; ++i) {
        const int result = archive_read_next_header(reader.get(), &entry);
        if (result != ARCHIVE_OK && result != ARCHIVE_WARN)
            return std::nullopt;
        const char* path = archive_entry_pathname(entry);
        if (path != nullptr && lastPartOf(path) == name)
            return contentOf(reader.get(), limit);
    }
    return std::nullopt;
}

}  // namespace ui
