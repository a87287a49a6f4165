#pragma once

#include "data/figure/figure_spec.h"
#include "engine/api/footprint.h"
#include "ui/look/texture.h"
#include "ui/model/model_page.h"

#include <QString>
#include <QStringList>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ui {

struct Palette;

/// What the bars of the page Memory are of: the stages of the experiment's pipeline, or its largest stage under each sharding.
enum class MemoryBy : std::uint8_t { stage, sharding };

/// Bytes of one GPU, of a stage or of some stages in a row that hold the same.
struct MemoryBar {
    QString name;  ///< "stages 2–7", "optimizer"
    engine::StageFootprint stage;
    std::optional<bool> fits;  ///< into node.memory, where that is limited
    QString problem{};         ///< why there are no bytes; else empty
};

/// Everything that the page Memory shows.
struct MemoryFacts {
    MemoryBy by = MemoryBy::stage;
    std::vector<MemoryBar> bars;
    std::size_t own = 0;  ///< of bars: the largest stage, or the sharding of the experiment
    std::optional<engine::Bytes> capacity;
    engine::Notices notices;
    QString title;  ///< "Training step of gpt-3 on 512 GPUs (…)"

    engine::Bytes largest() const;
};

/// A holder of bytes, as the page shows it.
struct MemoryHolder {
    const char* title;
    const char* meaning;  ///< a sentence
    engine::Bytes engine::FootprintBytes::*bytes;
};
inline constexpr std::size_t kMemoryHolders = 6;
const std::array<MemoryHolder, kMemoryHolders>& memoryHolders();
QString titleOf(const MemoryHolder& holder);
QString meaningOf(const MemoryHolder& holder);
Fill holderFill(std::size_t holder, const Palette& colors);
/// Returns the indices of the holders that have bytes in some bar.
std::vector<std::size_t> holdersOf(const MemoryFacts& facts);

struct MemoryAnswer {
    engine::Problems problems;  ///< everything that keeps the facts from being computed
    MemoryFacts facts;
};
/// Computes the footprint of the question's stages, or of its largest stage under each sharding. A sharding that cannot be
/// computed is a bar with a problem; there are problems only if no bar can be computed.
MemoryAnswer memoryOf(const ModelQuestion& question, MemoryBy by);

/// "fits" or "does not fit"; empty where the capacity is unlimited.
QString verdictOf(const MemoryBar& bar);
/// "71.3 GB", with as many digits as the totals have.
QString formatHeld(engine::Bytes bytes);
/// "stage 0: 71.3 GB, does not fit: weights 5.59 GB, …"
QString spokenOf(const MemoryBar& bar);
QString headlineOf(const MemoryFacts& facts);
/// Returns what the page says beneath its values, as rich text: what a footprint leaves out, and the notices.
QString memoryHtml(const MemoryFacts& facts);
/// The bars as a figure: a stack each, the capacity as a reference.
data::FigureSpec memoryFigure(const MemoryFacts& facts, const engine::Experiment& experiment);

}  // namespace ui
