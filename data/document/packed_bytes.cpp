#include "data/document/packed_bytes.h"

#include <new>
#include <zlib.h>

namespace data {

std::string gzipped(std::string_view bytes, Packing packing) {
    constexpr int kGzip = 16 + MAX_WBITS;  // zlib's way to ask for gzip
    constexpr int kMemory = 9;
    z_stream stream{};
    if (deflateInit2(&stream, packing == Packing::quick ? Z_BEST_SPEED : Z_BEST_COMPRESSION, Z_DEFLATED, kGzip, kMemory,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        throw std::bad_alloc();
    std::string packed(deflateBound(&stream, static_cast<uLong>(bytes.size())), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    const int result = deflate(&stream, Z_FINISH);
    const auto size = static_cast<std::size_t>(stream.total_out);
    deflateEnd(&stream);
    if (result != Z_STREAM_END)
        throw std::bad_alloc();  // the room suffices, so it fails only if there is no memory
    packed.resize(size);
    return packed;
}

}  // namespace data
