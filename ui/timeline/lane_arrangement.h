#pragma once

#include "ui/look/palette.h"

#include <QJsonObject>

#include <compare>
#include <cstdint>
#include <set>
#include <vector>

namespace ui {

enum class RowKind : std::uint8_t {
    waves,  ///< running workgroups over time, tinted by GEMM wave
    slots,  ///< what each workgroup slot of the CUs runs
    loads,
    stores,
    reduceScatter,
    allGather,
    collective,  ///< both in one row, where a GPU is shown small
    tracker,
    dma,
    link,
    linkIn,
    dram,
    dramChannel,
    queues,
    companion,  ///< waves of a companion's GEMMs by copy, or steps and transfers of its collective
    boundGemm,  ///< the parts of a bound's formula
    boundReduceScatter,
    boundAllGather
};

/// Whether it is one of a bound's.
inline bool isBound(RowKind kind) { return kind >= RowKind::boundGemm; }

/// What is the same for all rows of a kind.
struct RowTraits {
    const char* word;   ///< by which files know it
    const char* label;  ///< before the row; null where the run names it
    double weight;      ///< height in lines of text
    Role role;          ///< its colour, and that of its spans where they have no colours of their own
};
const RowTraits& traitsOf(RowKind kind);

/// A row, whatever run is shown.
struct LaneKey {
    std::uint32_t gpu = 0;
    RowKind kind{};
    std::uint32_t index = 0;  ///< of a channel
    auto operator<=>(const LaneKey&) const = default;
};

/// How the reader has arranged the rows: a plain value, good for every run and for the next start. What a run does not
/// have is skipped and comes back with a run that has it.
struct LaneArrangement {
    /// Lanes that stand in their GPU's group themselves, in the order they come in; details stand below theirs.
    static const std::vector<RowKind>& usualOrder();
    /// The lanes that opening `kind` shows below it.
    static const std::vector<RowKind>& detailsOf(RowKind kind);
    /// A detail's lane; any other is its own.
    static RowKind lanesOwner(RowKind kind);

    std::vector<RowKind> order = usualOrder();  ///< the same for all GPUs, so that they can be compared
    std::vector<std::uint32_t> gpuOrder;        ///< empty: by number
    std::set<std::uint32_t> expanded{0};        ///< GPUs with a row for each lane
    std::set<LaneKey> opened;                   ///< lanes with their details
    std::set<LaneKey> hidden;
    std::set<std::uint32_t> hiddenGpus;
    std::vector<LaneKey> pinned;  ///< stand above the others and do not scroll

    bool isPinned(LaneKey key) const;
    /// Neither hidden nor above the others.
    bool showsInGroup(LaneKey key) const { return !hidden.contains(key) && !isPinned(key); }
    void togglePinned(LaneKey key);
    void showAll();  ///< nothing is hidden any more
    /// All GPUs, each once, in the order to show them.
    std::vector<std::uint32_t> gpusInOrder(std::uint32_t gpus) const;
    /// False at the end of the list. Lanes that the reader does not see are no step.
    bool moveLane(RowKind kind, int by, const std::set<RowKind>& seen);
    bool moveGpu(std::uint32_t gpu, int by, std::uint32_t gpus);

    QJsonObject toJson() const;
    /// Whatever cannot be understood is left as it usually is.
    static LaneArrangement fromJson(const QJsonObject& json);
    bool operator==(const LaneArrangement&) const = default;
};

}  // namespace ui
