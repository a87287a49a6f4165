#include "ui/model/operators_page.h"

#include "data/figure/operator_figures.h"
#include "data/results/shared_notices.h"
#include "ui/drawing/figure_canvas.h"
#include "ui/look/format.h"
#include "ui/look/palette.h"
#include "ui/look/widget_parts.h"
#include "ui/model/model_parts.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

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
    m_chart = new FigureCanvas(QStringLiteral("rooflineChart"), tr("Operators under the machine's roofline"), pictures);
    auto* side = new QWidget(pictures);
    m_bars = new FigureCanvas(QStringLiteral("classBars"), tr("Time by class of operators"), side);
    m_bars->setChoosing(FigureCanvas::Choosing::nothing);
    m_bars->setOverlay([this](QPainter& painter) { frameChosenPart(painter); });
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
    connect(m_chart, &FigureCanvas::chosenChanged, this, [this] { choose(m_chart->chosen()); });
    connect(m_table, &ValueTable::chosenChanged, this, [this] { choose(m_table->chosen()); });
    return rows;
}

QString OperatorsPage::showTimes() {
    const std::string kept = m_facts && m_chart->chosen() ? m_facts->at(*m_chart->chosen()).id : std::string();
    m_facts = std::make_shared<const OperatorFacts>(operatorFactsOf(times().shown(), times().policyIndex()));
    std::vector<ValueRow> rows;
    for (std::size_t row = 0; row < m_facts->points.size(); ++row)
        rows.push_back(operatorRow(*m_facts, row));
    {
        // Clears the table's choice, which is only a line number; the chart chooses the same operator again.
        const QSignalBlocker blocker(m_table);
        m_table->choose(std::nullopt);
        m_table->showRows(operatorColumns(*m_facts), std::move(rows));
    }
    showRoofline();
    choose(kept.empty() ? std::nullopt : m_facts->rowOf(kept));
    return headlineOf(*m_facts);
}

void OperatorsPage::choose(std::optional<std::size_t> row) {
    m_chart->choose(row);
    m_table->choose(row);
    showSelection();
}

void OperatorsPage::showSelection() {
    if (!m_facts)
        return;
    m_details->setText(detailsHtml(*m_facts, m_chart->chosen(), paletteOf(*this)));
    showRoofline();
    showClasses();
}

// Returns the texts of the roof, and the names of the operators, of which those are shown that have room: the chosen
// one comes first, then the longest.
std::vector<data::FigureAnnotation> OperatorsPage::labelsOf(const data::FigurePanel& panel,
                                                            std::vector<std::size_t> rows) const {
    const engine::Roofline& roof = m_facts->roof;
    const double ridge = roof.ridge(), flat = roof.flopsPerSecond / data::kTera, over = std::sqrt(flat * *panel.y.to);
    const double left = std::max(*panel.x.from, *panel.y.from * data::kTera / roof.bytesPerSecond);
    std::vector<data::FigureAnnotation> labels{
        {std::cbrt(*panel.x.from * *panel.x.from * ridge), over, flatText(*m_facts).toStdString(), *panel.x.to, over},
        {left, roof.at(left) / data::kTera, slopeText(*m_facts).toStdString(), ridge, flat},
        {ridge, *panel.y.from * 1.2, tr("ridge %1").arg(formatIntensity(ridge)).toStdString()}};
    std::ranges::stable_partition(rows, [this](std::size_t row) { return row == m_chart->chosen(); });
    for (const std::size_t row : rows) {
        const data::OperatorWork& work = m_facts->points[row].work;
        labels.push_back({work.intensity(), work.rate() / data::kTera, labelOf(m_facts->at(row)).toStdString()});
    }
    return labels;
}

void OperatorsPage::showRoofline() {
    FigureCanvas::Content content;
    data::FigurePanel& panel = content.figure.panels.emplace_back(data::rooflinePanel(*m_facts->run, m_facts->times()));
    panel.title = tr("Area of a mark: time").toStdString();
    content.summary = headlineOf(*m_facts);
    content.downIsNext = true;
    content.leastWidth = 26;
    std::vector<std::size_t>& rows = content.choiceOfRow.emplace_back();
    const std::vector<data::OperatorPoint> points = data::operatorPointsOf(*m_facts->run, m_facts->times());
    for (const data::OperatorPoint& point : points) {
        if (data::isPlotted(*m_facts->run, point))
            rows.push_back(*m_facts->rowOf(m_facts->run->graph.operators[point.index].id));
    }
    for (std::size_t row = 0; row < m_facts->points.size(); ++row) {
        content.choices << operatorRow(*m_facts, row).spoken;
        if (m_facts->isPlotted(row))
            content.order.push_back(row);
    }
    panel.annotations = labelsOf(panel, content.order);
    const engine::Roofline& roof = m_facts->roof;
    std::get<data::LineMark>(panel.marks.front()).series.front().meaning = "neutral";  // a whole line
    panel.marks.insert(
        panel.marks.begin(),
        data::LineMark{{roof.ridge(), roof.ridge()},
                       {{"", "ideal/light", {*panel.y.from, roof.flopsPerSecond / data::kTera}, {}, {}, 0}},
                       false});
    m_chart->showContent(std::move(content));
}

void OperatorsPage::showClasses() {
    FigureCanvas::Content content;
    content.figure.panels = {data::classPanel(*m_facts->run, m_facts->times())};
    content.figure.panels.front().title = tr("Time by class of operators").toStdString();
    content.figure.legend = data::FigureLegend::none;
    RowOptions& rows = content.rows.emplace();
    rows.markers = m_facts->classes.size();
    rows.axis = false;
    rows.columns.resize(2);
    for (std::size_t i = 0; i < m_facts->classes.size(); ++i) {
        const data::ClassTime& time = m_facts->classes[i];
        rows.columns[0].cells.push_back({formatShare(time.share)});
        rows.columns[1].cells.push_back({formatTime(time.work.time.ps)});
        content.choices << spokenOf(time);
        if (m_chart->chosen() && m_facts->at(*m_chart->chosen()).operatorClass == time.operatorClass)
            rows.strong = i;
    }
    m_bars->showContent(std::move(content));
}

// Frames the part of the selected operator in the bar of its class.
void OperatorsPage::frameChosenPart(QPainter& painter) const {
    const auto chosen = m_chart->chosen();
    for (std::size_t i = 0; chosen && i < m_facts->classes.size(); ++i) {
        const data::ClassTime& time = m_facts->classes[i];
        const auto bar = m_bars->boxOf(0, i, i);
        if (time.operatorClass != m_facts->at(*chosen).operatorClass || !bar || m_facts->points[*chosen].share <= 0)
            continue;
        QRectF part = *bar;
        part.setWidth(bar->width() * m_facts->points[*chosen].share / time.share);
        painter.setPen(QPen(paletteOf(*this).ink, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(part);
    }
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
    figure.provenance.notices = data::qualifying(run.notices);
    const QString what = phaseTitle(run.graph.phase);
    figure.provenance.moment = what.toStdString();
    figure.name = fileNameOf(tr("%1 %2 operators").arg(text(run.base.workload.model), what)).toStdString();
    figure.title = tr("Operators of %1: %2").arg(titleOfModel(run.base.workload.model), workTitle(run)).toStdString();
    return FigureOffer{std::move(figure), {}};
}

}  // namespace ui
