#include "ui/figure/packed_bytes.h"

#include <algorithm>
#include <limits>
#include <string_view>
#include <zlib.h>

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

}  // namespace ui
