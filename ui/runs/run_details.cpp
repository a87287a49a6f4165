#include "ui/runs/run_details.h"

#include "ui/look/widget_events.h"
#include "ui/look/widget_parts.h"
#include "ui/runs/run_page.h"

#include <QAction>
#include <QGridLayout>
#include <QScrollBar>
#include <QTextBrowser>
#include <QToolButton>
#include <QVBoxLayout>

namespace ui {
namespace {

constexpr int kButtonsInARow = 2;

}  // namespace

RunDetails::RunDetails(QWidget* parent)
    : QWidget(parent), m_page(new QTextBrowser(this)), m_buttons(new QWidget(this)) {
    setObjectName(QStringLiteral("runDetails"));
    setNames(*m_page, QStringLiteral("runPage"), tr("What the selected runs are"));
    m_page->setFrameShape(QFrame::NoFrame);
    m_page->document()->setDocumentMargin(fontMetrics().height() * 0.6);
    setMinimumWidth(fontMetrics().averageCharWidth() * 40);  // what its tables need
    auto* column = flushLayout<QVBoxLayout>(this, 0);
    column->addWidget(m_buttons);
    column->addWidget(m_page, 1);
    followColours(*this, [this] { m_runs ? showPage() : showHint(); });
}

QSize RunDetails::sizeHint() const { return {fontMetrics().averageCharWidth() * 50, fontMetrics().height() * 20}; }

void RunDetails::setActions(const QList<QAction*>& actions) {
    auto* grid = new QGridLayout(m_buttons);
    const int gap = fontMetrics().height() / 2;
    grid->setContentsMargins(gap, gap, gap, 0);
    grid->setSpacing(gap / 2);
    for (int column = 0; column < kButtonsInARow; ++column)
        grid->setColumnStretch(column, 1);
    for (QAction* action : actions) {
        QToolButton* button = newActionButton(action, m_buttons);
        button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        m_offered << button;
        connect(action, &QAction::enabledChanged, this, &RunDetails::arrangeButtons);
    }
    arrangeButtons();
}

void RunDetails::arrangeButtons() {
    auto* grid = static_cast<QGridLayout*>(m_buttons->layout());
    int place = 0;
    for (QToolButton* button : m_offered) {
        grid->removeWidget(button);
        button->setVisible(button->defaultAction()->isEnabled());
        if (!button->defaultAction()->isEnabled())
            continue;
        grid->addWidget(button, place / kButtonsInARow, place % kButtonsInARow);
        ++place;
    }
    m_buttons->setVisible(place > 0);
}

void RunDetails::showHint() {
    m_runs.reset();
    setHtml(hintPage(paletteOf(*this)));
}

void RunDetails::showRows(const std::vector<const data::CatalogueRow*>& rows) {
    m_runs.reset();
    setHtml(selectionPage(rows, paletteOf(*this)));
}

void RunDetails::showRuns(std::shared_ptr<const std::vector<KeptRun>> runs, std::vector<data::CatalogueRow> rows) {
    m_runs = std::move(runs);
    m_rows = std::move(rows);
    showPage();
}

void RunDetails::showPage() {
    if (!m_runs || m_runs->size() != m_rows.size() || m_rows.empty())
        return;
    if (m_rows.size() == 1)
        setHtml(runPage(m_runs->front(), m_rows.front(), paletteOf(*this)));
    else
        setHtml(comparisonPage(m_runs->front(), m_runs->back(), paletteOf(*this)));
}

void RunDetails::setHtml(const QString& html) {
    const int scrolled = m_page->verticalScrollBar()->value();
    m_page->setHtml(html);
    m_page->verticalScrollBar()->setValue(scrolled);
}

QString RunDetails::text() const { return m_page->toPlainText(); }

}  // namespace ui
