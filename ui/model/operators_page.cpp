#include "ui/model/operators_page.h"

#include "data/figure/operator_figures.h"
#include "ui/look/format.h"
#include "ui/look/palette.h"
#include "ui/look/widget_parts.h"
#include "ui/model/class_bars.h"
#include "ui/model/model_parts.h"
#include "ui/model/roofline_chart.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSplitter>
#include <QVBoxLayout>

namespace ui {

OperatorsPage::OperatorsPage(ModelTimes& times, QWidget* parent)
    : TimedPage(times, QStringLiteral("operators"), parent) {
    setObjectName(QStringLiteral("operatorsPage"));
    QPushButton* copy = newButton(tr("Cop&y Table"), QStringLiteral("operatorsCopy"), bar(), this,
                                  [this] { QGuiApplication::clipboard()->setText(m_table->copied()); });
    copy->setToolTip(tr("Copies all values of the operators, for a spreadsheet"));
    addControl(copy);
    QWidget* desk = buildDesk();
    onEvents(*this, {QEvent::PaletteChange}, [this] { showSelection(); });
    setDesk(desk);
}

QWidget* OperatorsPage::buildDesk() {
    auto* rows = new QSplitter(Qt::Vertical, this);
    rows->setChildrenCollapsible(false);
    auto* pictures = new QSplitter(Qt::Horizontal, rows);
    pictures->setChildrenCollapsible(false);
    m_chart = new RooflineChart(pictures);
    auto* side = new QWidget(pictures);
    m_bars = new ClassBars(side);
    QScrollArea* scroll = newDetails(side, m_details, QStringLiteral("operatorsDetails"), tr("Selected operator"));
    auto* column = flushLayout<QVBoxLayout>(side, 0);
    column->addWidget(m_bars);
    column->addWidget(scroll, 1);
    m_table = new ValueTable(rows);
    setNames(*m_table, QStringLiteral("operatorsTable"), tr("Values of the operators"));
    const int em = fontMetrics().averageCharWidth();
    pictures->setStretchFactor(0, 3);
    pictures->setStretchFactor(1, 2);
    pictures->setSizes({em * 100, em * 66});
    rows->setSizes({em * 70, em * 28});
    rows->setStretchFactor(0, 3);
    rows->setStretchFactor(1, 1);
    connect(m_chart, &RooflineChart::chosenChanged, this, [this] { choose(m_chart->chosen()); });
    connect(m_table, &ValueTable::chosenChanged, this, [this] { choose(m_table->chosen()); });
    return rows;
}

QString OperatorsPage::showTimes() {
    m_facts = std::make_shared<const OperatorFacts>(operatorFactsOf(times().shown(), times().policyIndex()));
    std::vector<ValueRow> rows;
    for (std::size_t row = 0; row < m_facts->points.size(); ++row)
        rows.push_back(operatorRow(*m_facts, row));
    m_bars->showFacts(m_facts);
    {
        // Clears the table's choice, which is only a line number; the chart chooses the same operator again.
        const QSignalBlocker blocker(m_table);
        m_table->choose(std::nullopt);
        m_table->showRows(operatorColumns(), std::move(rows));
    }
    m_chart->showFacts(m_facts);
    return headlineOf(*m_facts);
}

void OperatorsPage::choose(std::optional<std::size_t> row) {
    m_chart->choose(row);
    m_table->choose(row);
    m_bars->choose(row);
    showSelection();
}

void OperatorsPage::showSelection() {
    if (m_facts)
        m_details->setText(detailsHtml(*m_facts, m_chart->chosen(), paletteOf(*this)));
}

void OperatorsPage::setStale(bool stale) {
    m_chart->setStale(stale);
    m_bars->setStale(stale);
}

QWidget* OperatorsPage::picture() const { return m_chart; }

bool OperatorsPage::dropSelection() {
    const bool had = m_chart->chosen().has_value();
    choose(std::nullopt);
    return had;
}

std::optional<FigureOffer> OperatorsPage::figure() const {
    if (!m_facts || !times().shown())
        return std::nullopt;
    const data::ModelRun& run = *m_facts->run;
    data::FigureSpec figure = data::operatorFigure(run, m_facts->times());
    figure.provenance = provenanceOf(run.base, run.base.workload.model);
    const QString what = phaseTitle(run.graph.phase);
    figure.provenance.moment = what.toStdString();
    figure.name = fileNameOf(tr("%1 %2 operators").arg(text(run.base.workload.model), what)).toStdString();
    figure.title = tr("Operators of %1: %2").arg(titleOfModel(run.base.workload.model), what).toStdString();
    return FigureOffer{std::move(figure), {}};
}

}  // namespace ui
