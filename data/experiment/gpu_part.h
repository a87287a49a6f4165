#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace data {

/// A part of one GPU. The order follows the data: from the compute units to memory and to the links.
enum class GpuPart : std::uint8_t {
    computeUnits,
    cache,       ///< the last-level cache
    addressMap,  ///< the output address map: where the stores of each chunk go
    tracker,
    nearMemory,  ///< the near-memory update units
    arbiter,     ///< the memory controller: its streams, the arbiter and the DRAM queue
    channels,    ///< the memory channels
    dma,
    linksIn,
    linksOut,
};
inline constexpr std::size_t kGpuParts = static_cast<std::size_t>(GpuPart::linksOut) + 1;

/// A part, or one of its identical units: a channel, a DMA engine, a link, a compute unit, an entry of the tracker.
struct GpuPartRef {
    GpuPart part{};
    std::optional<std::uint32_t> unit;  ///< from 0; an empty optional is the whole part
    bool operator==(const GpuPartRef&) const = default;
};

/// Returns the word for a part in documents: "compute-units", "cache", "address-map", "tracker", "near-memory",
/// "arbiter", "channels", "dma", "links-in", "links-out".
std::string_view wordOf(GpuPart part);

/// Returns "channels/3", or "tracker" for a whole part.
std::string textOf(GpuPartRef ref);

/// Reads what textOf() wrote. Returns an empty optional if `text` names no part. Does not check whether a machine has
/// the unit: the reader of a run does that.
std::optional<GpuPartRef> gpuPartOf(std::string_view text);

/// Returns the words of all parts, for messages.
const std::vector<std::string>& gpuPartWords();

}  // namespace data
