#include "ui/model/graph_page.h"

#include "engine/api/parameters.h"
#include "ui/drawing/figure_canvas.h"
#include "ui/look/format.h"
#include "ui/look/palette.h"
#include "ui/look/widget_parts.h"
#include "ui/model/model_parts.h"
#include "ui/model/operator_canvas.h"

#include <QComboBox>
#include <QEvent>
#include <QJsonObject>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>

namespace ui {

using engine::PolicyPreset;

GraphPage::GraphPage(ModelTimes& times, QWidget* parent) : TimedPage(times, QStringLiteral("model"), parent) {
    setObjectName(QStringLiteral("graphPage"));
    m_colourings = addChooser(QStringLiteral("modelColour"), tr("C&olour"));
    m_colourings->addItems({tr("share of the time"), tr("exposed communication")});
    QWidget* desk = buildDesk();
    connect(m_colourings, &QComboBox::currentIndexChanged, this, [this](int index) {
        m_canvas->setColouring(index == 1 ? OperatorColouring::exposed : OperatorColouring::time);
    });
    onEvents(*this, {QEvent::PaletteChange}, [this] { showSelection(); });
    setDesk(desk);
}

QWidget* GraphPage::buildDesk() {
    m_rows = new QSplitter(Qt::Vertical, this);
    m_rows->setChildrenCollapsible(false);
    m_scroll = newScrollArea(m_rows, tr("Operators of the model"));
    m_canvas = new OperatorCanvas(m_scroll);
    m_scroll->setWidget(m_canvas);
    auto* beneath = new QSplitter(Qt::Horizontal, m_rows);
    beneath->setChildrenCollapsible(false);
    m_bars = new FigureCanvas(QStringLiteral("modelBreakdown"), tr("Where the time goes, by policy"), beneath);
    auto* panel = new QWidget(beneath);
    QScrollArea* scroll = newDetails(panel, m_details, QStringLiteral("modelDetails"), tr("Selected operator"));
    const int em = fontMetrics().averageCharWidth();
    m_open = newButton(tr("Open in &Explore"), QStringLiteral("modelOpen"), panel, this,
                       [this] { open(*m_canvas->selected()); });
    m_open->hide();
    auto* column = newLayout<QVBoxLayout>(panel, {0, 0, em, em});
    column->addWidget(scroll, 1);
    column->addWidget(m_open, 0, Qt::AlignLeft);
    panel->setMinimumWidth(em * 34);
    beneath->setStretchFactor(0, 1);
    beneath->setStretchFactor(1, 1);
    beneath->setSizes({em * 100, em * 60});
    m_rows->setStretchFactor(0, 5);
    m_rows->setStretchFactor(1, 2);
    m_rows->setSizes({em * 73, em * 27});
    connect(m_canvas, &OperatorCanvas::selectionChanged, this, &GraphPage::showSelection);
    connect(m_canvas, &OperatorCanvas::openRequested, this, &GraphPage::open);
    m_bars->setChoosing(FigureCanvas::Choosing::one);
    connect(m_bars, &FigureCanvas::chosenChanged, this, [this] {
        if (m_bars->chosen())
            times().setPolicy(ModelTimes::policies()[*m_bars->chosen()]);
    });
    return m_rows;
}

QString GraphPage::showTimes() {
    const std::size_t policy = times().policyIndex();
    m_canvas->showRun(times().shown(), policy);
    showPolicies();
    showSelection();
    return headlineOf(*times().shown(), times().shown()->policies[policy]);
}

void GraphPage::showPolicies() {
    const data::ModelRun& run = *times().shown();
    FigureCanvas::Content content;
    content.figure = modelFigure(run, run.graph.phase);
    content.figure.panels.front().title = tr("Parts of the time").toStdString();
    RowOptions& rows = content.rows.emplace();
    rows.axis = false;
    rows.strong = times().policyIndex();
    rows.columns = {{tr("total"), {}}, {tr("exposed"), {}}, {tr("speed-up"), {}}, {tr("sub-layers"), {}}};
    for (const data::PolicyModelTime& policy : run.policies) {
        rows.columns[0].cells.push_back({formatTime(policy.time.total().ps)});
        rows.columns[1].cells.push_back({formatShare(policy.communicationShare)});
        rows.columns[2].cells.push_back({formatFactor(policy.speedupOverSequential)});
        rows.columns[3].cells.push_back({formatFactor(policy.sublayerGeomean)});
        content.choices << spokenOf(policy);
    }
    content.summary = content.choices.join(QStringLiteral(". "));
    m_bars->showContent(std::move(content));
    m_bars->choose(times().policyIndex());
}

void GraphPage::showSelection() {
    const std::shared_ptr<const data::ModelRun>& run = times().shown();
    if (!run)
        return;
    const Palette& colors = paletteOf(*this);
    const auto selected = m_canvas->selected();
    m_details->setText(selected ? operatorHtml(*run, run->policies[times().policyIndex()], *selected, colors)
                                : modelHtml(*run, colors));
    m_open->setVisible(selected && openedExperiment(*run, *selected));
    if (selected)
        showBox(*selected);
}

/// Scrolls a wide graph to an operator.
void GraphPage::showBox(std::uint32_t op) {
    const std::vector<QRectF>& boxes = m_canvas->operatorLayout().boxes;
    if (op >= boxes.size())
        return;
    const QPoint center = boxes[op].center().toPoint();
    m_scroll->ensureVisible(center.x(), center.y(), static_cast<int>(boxes[op].width()), 0);
}

void GraphPage::setStale(bool stale) {
    m_canvas->setStale(stale);
    m_bars->setStale(stale);
}

QWidget* GraphPage::picture() const { return m_canvas; }

bool GraphPage::dropSelection() {
    const bool had = m_canvas->selected().has_value();
    m_canvas->select(std::nullopt);
    return had;
}

void GraphPage::open(std::uint32_t op) {
    const std::shared_ptr<const data::ModelRun>& run = times().shown();
    if (!run)
        return;
    const engine::Operator& node = run->graph.operators[op];
    if (const auto experiment = openedExperiment(*run, op))
        Q_EMIT openRequested(*experiment, times().policy(), QString::fromStdString(node.title));
    else
        Q_EMIT notOpened(tr("%1 has no timeline: its time comes from a formula or from a GEMM alone. A "
                            "sub-layer is a GEMM with its collective, such as fc-2.")
                             .arg(QString::fromStdString(node.title)));
}

std::optional<FigureOffer> GraphPage::figure() const {
    const std::shared_ptr<const data::ModelRun>& run = times().shown();
    return run ? std::optional(FigureOffer{modelFigure(*run, run->graph.phase), {}}) : std::nullopt;
}

void GraphPage::save(QJsonObject& kept) const {
    kept[QStringLiteral("policy")] = text(engine::name(times().policy()));
    kept[QStringLiteral("exposed")] = m_colourings->currentIndex() == 1;
}

std::optional<PolicyPreset> GraphPage::policyOf(const QJsonObject& kept) {
    const auto policy = engine::policyPresetNamed(kept[QStringLiteral("policy")].toString().toStdString());
    const bool known = policy && std::ranges::find(ModelTimes::policies(), *policy) != ModelTimes::policies().end();
    return known ? policy : std::nullopt;
}

void GraphPage::restore(const QJsonObject& kept) {
    if (const auto policy = policyOf(kept))
        times().setPolicy(*policy);
    m_colourings->setCurrentIndex(kept[QStringLiteral("exposed")].toBool() ? 1 : 0);
}

}  // namespace ui
