#include "ui/inside/part_table.h"

#include "ui/inside/inside_paint.h"
#include "ui/look/widget_parts.h"
#include "ui/shared/ring_moment.h"
#include "ui/shared/view_state.h"

#include <QScopedValueRollback>
#include <QVBoxLayout>

#include <algorithm>

namespace ui {

PartTable::PartTable(ViewState& viewState, RingMoment& moment, QWidget* parent)
    : QWidget(parent), m_viewState(viewState), m_moment(moment), m_table(new ValueTable(this)) {
    setNames(*m_table, QStringLiteral("partTable"), tr("Numbers of the parts of one GPU"));
    flushLayout<QVBoxLayout>(this)->addWidget(m_table);
    connect(&m_moment, &RingMoment::changed, this, &PartTable::showMoment);
    connect(&m_viewState, &ViewState::focusedGpuChanged, this, &PartTable::showMoment);
    connect(&m_viewState, &ViewState::selectionChanged, this, &PartTable::showMoment);
    onEvents(*this, {QEvent::Show}, [this] { showMoment(); });
    connect(m_table, &ValueTable::chosenChanged, this, [this] {
        const auto row = m_table->chosen();
        if (!m_follows && row && *row < m_facts.size())
            m_viewState.selectPart(m_facts[*row].ref);
    });
}

void PartTable::showMoment() {
    if (!isVisible())
        return;
    m_facts.clear();
    if (m_moment.hasStates()) {
        const std::uint32_t gpu = m_moment.focusedGpu();
        m_facts = partFacts(m_moment, gpu);
        if (const auto part = m_viewState.selectedPart(); part && part->unit) {
            const std::vector<PartFact> unit = partFacts(m_moment, gpu, *part);
            m_facts.insert(m_facts.begin(), unit.begin(), unit.end());
        }
    }
    std::vector<ValueRow> rows;
    for (const PartFact& fact : m_facts)
        rows.push_back({.cells = {titleOf(fact.ref), fact.name, fact.value}});
    const QScopedValueRollback follows(m_follows, true);
    m_table->showRows({{tr("Part"), true}, {tr("Number"), true}, {tr("Value"), false}}, std::move(rows));
    chooseSelected();
}

void PartTable::chooseSelected() {
    const auto part = m_viewState.selectedPart();
    const auto chosen = m_table->chosen();
    if (!part) {
        m_table->choose(std::nullopt);
    } else if (!chosen || *chosen >= m_facts.size() || m_facts[*chosen].ref != *part) {
        const auto found = std::ranges::find(m_facts, *part, &PartFact::ref);
        if (found != m_facts.end())
            m_table->choose(static_cast<std::size_t>(found - m_facts.begin()));
    }
}

}  // namespace ui
