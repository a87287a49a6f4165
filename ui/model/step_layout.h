#pragma once

#include "data/model/model_step.h"
#include "ui/model/opened_tasks.h"

#include <QString>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ui {

/// One pass of a stage in time, or one task of a document.
struct ShownPass {
    std::int64_t begin = 0, end = 0;         ///< ps, or OpenedTasks::fine
    std::uint32_t pass = 0;                  ///< index in ModelStep::plan, or the task of a document
    engine::PassKind kind{};                 ///< decides how it looks
    bool isLater = false;                    ///< through a chunk beyond the first of its stage
    std::vector<engine::TaskIndex> tasks{};  ///< of a model's step
    double tensorTime = 0;                   ///< in which its compute lane waits for collectives of the tensor group

    double tensorShare() const { return end > begin ? tensorTime / static_cast<double>(end - begin) : 0; }
};

/// Something else that a stage does for a time: a message, a send, the optimizer.
struct StepBar {
    std::int64_t begin = 0, end = 0;
    engine::TaskIndex task = 0;
};

/// A stage of a step in time, or a place of a document's pool. All lists are sorted.
struct StageRow {
    std::size_t group = 0;   ///< which of the shown steps
    std::int64_t stage = 0;  ///< or the position in OpenedTasks::places
    QString label;
    std::vector<ShownPass> passes;
    std::vector<StepBar> optimizer, messages, sends;
    std::int64_t gapBegin = 0, gapEnd = 0;  ///< the longest time in which the stage waits for others
    double idleShare = 0;                   ///< share of the whole time in which it waits for others
};

/// A step with the title that tells it from others. It is the step of a model or a document of tasks: one of the two
/// pointers is null.
struct ShownStep {
    QString title;
    std::shared_ptr<const data::ModelStep> step{};
    std::shared_ptr<const OpenedTasks> tasks{};

    std::int64_t end() const;
    /// Returns the passes that ShownPass::pass counts; null for a document that is no pipeline.
    const engine::PipelinePlan* plan() const;
};

/// A task of the critical chain.
struct ChainBar {
    std::size_t row = 0;
    std::int64_t begin = 0, end = 0;
    bool isMessage = false;  ///< beneath the passes of its row
};

/// Returns the critical chain of a step whose rows begin with the first.
std::vector<ChainBar> chainBars(const ShownStep& shown);

/// Returns the number of sections that a pass goes through: its layers, and the ends of the model that it has.
std::int64_t sectionCountOf(const data::ModelStep& step, const ShownPass& pass);

/// Returns the rows of all steps, step after step, from stage 0 to the last.
std::vector<StageRow> stageRows(const std::vector<ShownStep>& steps);

/// Returns the time up to which the steps last.
std::int64_t endOf(const std::vector<ShownStep>& steps);

/// The bytes that a stage holds from a time on.
struct HeldBytes {
    std::int64_t ps = 0;
    double bytes = 0;
};

/// Returns the bytes that a GPU of a stage holds over time: its model states, copies and buffers, and the activations of
/// each micro-batch from the begin of its forward pass to the end of its last pass. The most is the footprint of the
/// stage.
std::vector<HeldBytes> heldOverTime(const data::ModelStep& step, const StageRow& row);

/// Shares of a column of time, as columns show them where passes are too narrow.
struct StepShares {
    double forward = 0, backward = 0, weight = 0, tensor = 0, bubble = 0;
};
/// Returns the shares between each of the rising times and the next.
std::vector<StepShares> columnsOf(const StageRow& row, const std::vector<std::int64_t>& edges);

/// Returns the columns with the mix of the columns around them: `around` on both sides, or as many as there are. A
/// column that is mostly bubble keeps its bubble; in the others it is a mean too, since waits are shorter than a column.
/// `times`: how often; the second time smooths what the ends of the first cut off.
std::vector<StepShares> withMixAround(const std::vector<StepShares>& columns, std::size_t around, int times = 1);

}  // namespace ui
