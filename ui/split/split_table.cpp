#include "ui/split/split_table.h"

#include "ui/look/format.h"
#include "ui/look/widget_parts.h"
#include "ui/shared/ring_moment.h"
#include "ui/shared/view_state.h"
#include "ui/split/split_view.h"

#include <QLabel>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace ui {

SplitTable::SplitTable(ViewState& viewState, RingMoment& moment, const SplitView& view, QWidget* parent)
    : QWidget(parent), m_viewState(viewState), m_view(view),
      m_title(newWrappedLabel(this, QStringLiteral("splitTitle"))), m_table(new ValueTable(this)) {
    const int em = fontMetrics().averageCharWidth();
    setRelativeFont(*m_title, 1.1, QFont::DemiBold);
    m_title->setContentsMargins(em, 0, em, 0);
    setNames(*m_table, QStringLiteral("splitTable"), tr("Partial sums of the chunks on the GPU in focus"));
    m_table->setFrameShape(QFrame::NoFrame);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, em, 0, 0);
    column->addWidget(m_title);
    column->addWidget(m_table, 1);
    connect(m_table, &ValueTable::chosenChanged, this, [this] {
        if (const auto row = m_table->chosen())
            m_viewState.setFollowedChunk(static_cast<std::uint32_t>(*row));
    });
    for (const auto signal : {&RingMoment::changed, &RingMoment::runChanged})
        connect(&moment, signal, this, &SplitTable::follow);
    for (const auto signal : {&ViewState::focusedGpuChanged, &ViewState::followedChunkChanged})
        connect(&m_viewState, signal, this, &SplitTable::follow);
    showRows();
}

void SplitTable::follow() {
    if (isVisible())
        showRows();
}

void SplitTable::showEvent(QShowEvent* event) {
    showRows();
    QWidget::showEvent(event);
}

void SplitTable::showRows() {
    if (!m_view.hasRun()) {
        m_title->setText(
            tr("No partial sums: there is no run yet, or the run is a perfect overlap, which is calculated."));
        m_table->showRows({}, {});
        return;
    }
    const SplitFacts& facts = m_view.facts();
    const std::uint32_t gpu = m_view.focusedGpu();
    m_title->setText(tr("Partial sums on GPU %1").arg(gpu));
    std::vector<ValueColumn> columns{
        {tr("chunk"), false, tr("The chunks, in their order in the output")},
        {tr("for GPU"), false, tr("The GPU that has the complete sum after the reduce-scatter")},
        {tr("partial sums"), false, tr("Number of partial sums in each tile of the chunk")},
        {tr("own"), false, tr("Tiles that have this GPU's own partial sum")},
        {tr("sent on"), false, tr("Tiles that have been sent to another GPU")},
        {tr("whole"), false, tr("Tiles that are final on this GPU")},
        {tr("tiles"), false, tr("Number of tiles in the chunk")}};
    std::vector<ValueRow> rows;
    for (std::uint32_t chunk = 0; chunk < facts.chunks(); ++chunk) {
        const data::ChunkSums sums = m_view.sumsAt(gpu, chunk);
        const std::uint32_t keeper = facts.plan.keeperOf(chunk);
        rows.push_back({{QString::number(chunk), keeper < facts.gpus ? QString::number(keeper) : QStringLiteral("–"),
                         facts.plan.reduces() ? sumsText(sums, facts.plan.parts()) : QStringLiteral("–"),
                         formatCount(sums.in[0] + sums.sent + sums.whole), formatCount(sums.sent),
                         formatCount(sums.whole), formatCount(sums.tiles)}});
    }
    const QSignalBlocker quiet(m_table);
    m_table->showRows(std::move(columns), std::move(rows));
    const auto followed = m_view.followedChunk();
    m_table->choose(followed ? std::optional<std::size_t>(*followed) : std::nullopt);
}

}  // namespace ui
