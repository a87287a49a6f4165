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
    collective,  ///< reduce-scatter and all-gather in one row, for GPUs that are shown small
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

/// Returns whether a row is a part of a bound.
inline bool isBound(RowKind kind) { return kind >= RowKind::boundGemm; }

/// The properties that all rows of a kind share.
struct RowTraits {
    const char* word;   ///< identifies the kind in files
    const char* label;  ///< label of the row; null if the run decides on it
    double weight;      ///< height in lines of text
    Role role;          ///< the row's colour, and that of spans without a colour of their own
    const char* term;   ///< the glossary's term that explains the row; null: the term that has the row's label, if any
};
const RowTraits& traitsOf(RowKind kind);

/// Identifies a row independently of the shown run.
struct LaneKey {
    std::uint32_t gpu = 0;
    RowKind kind{};
    std::uint32_t index = 0;  ///< the number of a channel
    auto operator<=>(const LaneKey&) const = default;
};

/// The user's arrangement of the rows: a plain value, used for every run and restored at the next start. Rows that a
/// run does not have are skipped, and shown again with a run that has them.
struct LaneArrangement {
    /// Returns the lanes that are direct members of their GPU's group, in the default order. Lanes with details are
    /// shown below them.
    static const std::vector<RowKind>& usualOrder();
    /// Returns the lanes that are shown below a lane of this kind when it is opened.
    static const std::vector<RowKind>& detailsOf(RowKind kind);
    /// Returns the lane that a detail belongs to, or `kind` itself if it is not a detail.
    static RowKind lanesOwner(RowKind kind);

    std::vector<RowKind> order = usualOrder();  ///< the same for all GPUs, so that they can be compared
    std::vector<std::uint32_t> gpuOrder;        ///< empty: by number
    std::set<std::uint32_t> expanded{0};        ///< GPUs with a row for each lane
    std::set<LaneKey> opened;                   ///< lanes whose details are shown
    std::set<LaneKey> hidden;
    std::set<std::uint32_t> hiddenGpus;
    std::vector<LaneKey> pinned;  ///< shown above the other rows, and not scrolled

    bool isPinned(LaneKey key) const;
    /// Returns whether a row is neither hidden nor pinned.
    bool showsInGroup(LaneKey key) const { return !hidden.contains(key) && !isPinned(key); }
    void togglePinned(LaneKey key);
    void showAll();  ///< clears the hidden rows
    /// Returns all GPUs, each once, in the order in which they are shown.
    std::vector<std::uint32_t> gpusInOrder(std::uint32_t gpus) const;
    /// Moves a lane by `by` positions, not counting lanes that are not in `seen`. Returns false at the end of the list.
    bool moveLane(RowKind kind, int by, const std::set<RowKind>& seen);
    bool moveGpu(std::uint32_t gpu, int by, std::uint32_t gpus);

    QJsonObject toJson() const;
    /// Reads an arrangement; invalid parts keep their defaults.
    static LaneArrangement fromJson(const QJsonObject& json);
    bool operator==(const LaneArrangement&) const = default;
};

}  // namespace ui
