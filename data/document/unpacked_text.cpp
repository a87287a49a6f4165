#include "data/document/unpacked_text.h"

#include "data/document/regular_file.h"
#include "data/document/whole_file.h"

#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <new>
#include <system_error>
#include <utility>

namespace data {
namespace {

constexpr std::size_t kInputSize = std::size_t{128} << 10;
constexpr unsigned char kGzipFirst = 0x1f, kGzipSecond = 0x8b;

}  // namespace

/// The state of zlib for one stream of gzip members.
class UnpackedText::Inflater {
public:
    Inflater() {
        constexpr int kGzipOnly = 16;
        if (inflateInit2(&stream, MAX_WBITS + kGzipOnly) != Z_OK)
            throw std::bad_alloc();
    }
    ~Inflater() { inflateEnd(&stream); }
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;

    z_stream stream{};
    bool memberEnded = false;
};

ByteSource bytesOfFile(std::FILE* file, std::string path) {
    return [file, path = std::move(path)](char* buffer, std::size_t size) {
        const std::size_t count = std::fread(buffer, 1, size, file);
        if (count == 0 && std::ferror(file) != 0)
            throw FileError(path + ": cannot be read: " + std::generic_category().message(errno));
        return count;
    };
}

ByteSource bytesOfText(std::string_view text) {
    return [text](char* buffer, std::size_t size) mutable {
        const std::size_t count = std::min(size, text.size());
        std::copy_n(text.data(), count, buffer);
        text.remove_prefix(count);
        return count;
    };
}

UnpackedText::UnpackedText(ByteSource source) : m_source(std::move(source)), m_input(kInputSize) {}

UnpackedText::~UnpackedText() = default;

/// Adds bytes to the unused part of the input; returns false at the end of the source.
bool UnpackedText::fill() {
    std::copy(m_input.begin() + static_cast<std::ptrdiff_t>(m_at), m_input.begin() + static_cast<std::ptrdiff_t>(m_end),
              m_input.begin());
    m_end -= std::exchange(m_at, 0);
    const std::size_t count = m_source(m_input.data() + m_end, m_input.size() - m_end);
    m_end += count;
    m_taken += count;
    return count > 0;
}

std::size_t UnpackedText::read(char* buffer, std::size_t size) {
    if (!m_begun) {
        m_begun = true;
        while (m_end < 2 && fill()) {}
        if (m_end >= 2 && static_cast<unsigned char>(m_input[0]) == kGzipFirst &&
            static_cast<unsigned char>(m_input[1]) == kGzipSecond)
            m_inflater = std::make_unique<Inflater>();
    }
    if (size == 0 || m_ended)
        return 0;
    if (m_inflater)
        return unpack(buffer, size);
    if (m_at < m_end) {
        const std::size_t count = std::min(size, m_end - m_at);
        std::copy_n(m_input.begin() + static_cast<std::ptrdiff_t>(m_at), count, buffer);
        m_at += count;
        return count;
    }
    const std::size_t count = m_source(buffer, size);
    m_taken += count;
    return count;
}

/// Goes to the next gzip member; returns false if there is none. Zeros may follow the last member, as padding of tapes.
bool UnpackedText::nextMember() {
    while (m_end - m_at < 2 && fill()) {}
    if (m_end - m_at >= 2 && static_cast<unsigned char>(m_input[m_at]) == kGzipFirst &&
        static_cast<unsigned char>(m_input[m_at + 1]) == kGzipSecond) {
        inflateReset(&m_inflater->stream);
        m_inflater->memberEnded = false;
        return true;
    }
    do {
        for (; m_at < m_end; ++m_at) {
            if (m_input[m_at] != '\0') {
                m_damage = "other bytes follow the gzip data";
                return false;
            }
        }
    } while (fill());
    return false;
}

std::size_t UnpackedText::unpack(char* buffer, std::size_t size) {
    z_stream& stream = m_inflater->stream;
    const auto room = static_cast<uInt>(std::min<std::size_t>(size, std::numeric_limits<uInt>::max()));
    stream.next_out = reinterpret_cast<Bytef*>(buffer);
    stream.avail_out = room;
    while (stream.avail_out == room) {
        if (m_inflater->memberEnded && !nextMember()) {
            m_ended = true;
            break;
        }
        // At the end of the source zlib may still hold output that had no room before.
        const bool hasInput = m_at < m_end || fill();
        stream.next_in = reinterpret_cast<Bytef*>(m_input.data() + m_at);
        stream.avail_in = static_cast<uInt>(m_end - m_at);
        const int result = inflate(&stream, Z_NO_FLUSH);
        m_at = m_end - stream.avail_in;
        if (result == Z_STREAM_END) {
            m_inflater->memberEnded = true;
        } else if (result == Z_BUF_ERROR && !hasInput) {
            m_damage = "the gzip data are cut off";
            m_ended = true;
            break;
        } else if (result != Z_OK && result != Z_BUF_ERROR) {
            m_damage = "the gzip data are damaged";
            m_ended = true;
            break;
        }
    }
    return room - stream.avail_out;
}

std::string beginningOfText(const std::string& path, std::size_t most) {
    const FileOpening opening = openForReading(path);
    if (!opening.file)
        throw FileError(path + ": " + opening.reason);
    UnpackedText unpacked(bytesOfFile(opening.file.get(), path));
    std::string text(most, '\0');
    std::size_t length = 0;
    while (length < most) {
        const std::size_t count = unpacked.read(text.data() + length, most - length);
        if (count == 0)
            break;
        length += count;
    }
    text.resize(length);
    return text;
}

}  // namespace data
