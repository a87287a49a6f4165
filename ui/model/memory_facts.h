#pragma once

#include "data/figure/figure_spec.h"
#include "engine/api/footprint.h"
#include "ui/model/model_page.h"

#include <QString>
#include <QStringList>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ui {

/// The subject of each bar of the page Memory: a stage of the experiment's pipeline, or its largest stage under one
/// sharding.
enum class MemoryBy : std::uint8_t { stage, sharding };

/// The bytes on one GPU of a stage, or of consecutive stages with the same bytes.
struct MemoryBar {
    QString name;  ///< "stages 2–7", "optimizer"
    engine::StageFootprint stage;
    std::optional<bool> fits;  ///< whether the bytes fit into node.memory, if that is limited
    QString problem{};         ///< why there are no bytes; otherwise empty
};

/// Everything that the page Memory shows.
struct MemoryFacts {
    MemoryBy by = MemoryBy::stage;
    std::vector<MemoryBar> bars;
    std::size_t own = 0;  ///< index of the bar of the largest stage, or of the experiment's sharding
    std::optional<engine::Bytes> capacity;
    engine::Notices notices;
    QString title;  ///< "Training step of gpt-3 on 512 GPUs (…)"
    /// The total that the axis has to reach, so that these bars can be compared with those of other experiments; empty:
    /// the axis suits these bars alone.
    std::optional<engine::Bytes> reach{};

    engine::Bytes largest() const;
};

/// The length of an axis over the largest value on it.
inline constexpr double kMemoryHeadroom = 1.04;

/// A kind of data that takes memory, such as the weights, as the page shows it.
struct MemoryHolder {
    const char* title;
    const char* meaning;  ///< the meaning in a sentence
    engine::Bytes engine::FootprintBytes::*bytes;
};
inline constexpr std::size_t kMemoryHolders = 7;
const std::array<MemoryHolder, kMemoryHolders>& memoryHolders();
QString titleOf(const MemoryHolder& holder);
QString meaningOf(const MemoryHolder& holder);
/// Returns the indices of the holders that have bytes in some bar.
std::vector<std::size_t> holdersOf(const MemoryFacts& facts);

struct MemoryAnswer {
    engine::Problems problems;  ///< why the facts cannot be computed
    MemoryFacts facts;
};
/// Computes the footprint of the question's stages, or of its largest stage under each sharding. A sharding that cannot
/// be computed is a bar with a problem; the answer has problems only if no bar can be computed.
MemoryAnswer memoryOf(const ModelQuestion& question, MemoryBy by);

/// Returns "fits" or "does not fit"; empty if the capacity is unlimited.
QString verdictOf(const MemoryBar& bar);
/// Formats bytes with as many digits as the totals have: "71.3 GB".
QString formatHeld(engine::Bytes bytes);
/// Returns "stage 0: 71.3 GB, does not fit: weights 5.59 GB, …".
QString spokenOf(const MemoryBar& bar);
QString headlineOf(const MemoryFacts& facts);
/// Returns the text below the values as rich text: what a footprint leaves out, and the notices.
QString memoryHtml(const MemoryFacts& facts);
/// Returns a figure of the bars: a stack for each, and the capacity as a reference.
data::FigureSpec memoryFigure(const MemoryFacts& facts, const engine::Experiment& experiment);

}  // namespace ui
