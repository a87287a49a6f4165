#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace data {

enum class Packing : std::uint8_t { smallest, quick };

/// Returns bytes packed with gzip, without a name and a time: the same bytes give the same result.
std::string gzipped(std::string_view bytes, Packing packing = Packing::smallest);

}  // namespace data
