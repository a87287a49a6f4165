#include "ui/workbench/moment_table.h"

#include "ui/look/widget_parts.h"
#include "ui/shared/ring_moment.h"
#include "ui/shared/view_state.h"

#include <QLabel>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace ui {

MomentTable::MomentTable(ViewState& viewState, RingMoment& moment, Config config, QWidget* parent)
    : QWidget(parent), m_config(std::move(config)), m_table(new ValueTable(this)) {
    setNames(*m_table, m_config.name, m_config.spoken);
    auto* column = flushLayout<QVBoxLayout>(this);
    if (!m_config.title.isEmpty()) {
        const int em = fontMetrics().averageCharWidth();
        m_title = newWrappedLabel(this, m_config.title);
        setRelativeFont(*m_title, 1.1, QFont::DemiBold);
        m_title->setContentsMargins(em, 0, em, 0);
        column->setContentsMargins(0, em, 0, 0);
        column->setSpacing(-1);
        column->addWidget(m_title);
    }
    column->addWidget(m_table, 1);
    const auto follow = [this] { refresh(); };
    connect(&moment, m_config.followsTime ? &RingMoment::changed : &RingMoment::runChanged, this, follow);
    for (const auto signal :
         {&ViewState::focusedGpuChanged, &ViewState::followedChunkChanged, &ViewState::selectionChanged})
        connect(&viewState, signal, this, follow);
    onEvents(*this, {QEvent::Show}, [this] { showContent(); });
    connect(m_table, &ValueTable::chosenChanged, this, [this] {
        if (const auto row = m_table->chosen(); row && m_config.choose)
            m_config.choose(*row);
    });
    if (m_config.press) {
        connect(m_table, &QTableView::clicked, this,
                [this](const QModelIndex& index) { m_config.press(static_cast<std::size_t>(index.row())); });
        connect(m_table, &ValueTable::rowActivated, this, m_config.press);
    }
    showContent();
}

void MomentTable::refresh() {
    if (isVisible())
        showContent();
}

void MomentTable::showContent() {
    Content content = m_config.content();
    if (m_title != nullptr)
        m_title->setText(content.title);
    const QSignalBlocker quiet(m_table);  // a selection that was made elsewhere is not one by the user
    m_table->showRows(std::move(content.columns), std::move(content.rows));
    if (!content.chosen)
        return;
    const std::vector<std::size_t>& chosen = *content.chosen;
    if (chosen.empty())
        m_table->choose(std::nullopt);
    else if (!m_table->chosen() || std::ranges::find(chosen, *m_table->chosen()) == chosen.end())
        m_table->choose(chosen.front());
}

}  // namespace ui
