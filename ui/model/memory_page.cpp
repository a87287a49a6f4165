#include "ui/model/memory_page.h"

#include "ui/drawing/figure_canvas.h"
#include "ui/look/format.h"
#include "ui/look/palette.h"
#include "ui/look/value_table.h"
#include "ui/look/widget_parts.h"
#include "ui/model/model_parts.h"
#include "ui/workbench/commands.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QScrollArea>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace ui {
namespace {

constexpr auto kBySharding = "sharding";
constexpr auto kByStage = "stage";
constexpr auto kMemoryBars = "memoryBars";  // key of the session

QString inFlightText(double microbatches) { return QLocale::c().toString(microbatches, 'g', 4); }

}  // namespace

MemoryPage::MemoryPage(QWidget* parent) : ComputedPage(parent) {
    QWidget* controls = buildControls();
    QWidget* desk = buildDesk();
    build(QStringLiteral("memory"), controls, desk);
    connect(m_bars, &FigureCanvas::chosenChanged, this, [this] {
        m_table->choose(m_bars->chosen());
        showBar();
    });
    connect(m_table, &ValueTable::chosenChanged, this, [this] { m_bars->choose(m_table->chosen()); });
}

QWidget* MemoryPage::buildControls() {
    auto* bar = new QWidget(this);
    auto* label = new QLabel(tr("&Bars"), bar);
    m_choice = new QComboBox(bar);
    label->setBuddy(m_choice);
    setNames(*m_choice, QStringLiteral("memoryBy"), plain(label->text()));
    m_choice->addItems({tr("one per stage"), tr("one per sharding")});
    m_choice->setToolTip(
        tr("Show one bar for each stage of the experiment's pipeline, or one for its largest stage under each "
           "sharding (ZeRO stages 0 to 3)"));
    auto* row = flushLayout<QHBoxLayout>(bar, fontMetrics().averageCharWidth());
    addWidgets(*row, {label, m_choice});
    row->addStretch(1);
    connect(m_choice, &QComboBox::currentIndexChanged, this,
            [this](int index) { setBy(index == 1 ? MemoryBy::sharding : MemoryBy::stage); });
    return bar;
}

QWidget* MemoryPage::buildDesk() {
    auto* rows = new QSplitter(Qt::Vertical, this);
    rows->setChildrenCollapsible(false);
    m_scroll = newScrollArea(rows, tr("Memory of a GPU"));
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_bars = new FigureCanvas(QStringLiteral("memoryBars"), tr("Memory of a GPU: one bar for each stage or sharding"),
                              m_scroll);
    m_bars->setTips([this](const FigureHit& hit) { return tipOf(hit); });
    m_scroll->setWidget(m_bars);
    auto* beneath = new QWidget(rows);
    const int em = fontMetrics().averageCharWidth();
    auto* column = flushLayout<QVBoxLayout>(beneath, 0);
    m_table = new ValueTable(beneath);
    setNames(*m_table, QStringLiteral("memoryTable"), tr("Values of the bars"));
    m_notes = newWrappedLabel(beneath, QStringLiteral("memoryNotes"));
    m_notes->setTextFormat(Qt::RichText);
    m_notes->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_notes->setContentsMargins(em, em / 2, em, em / 2);
    column->addWidget(m_table, 1);
    column->addWidget(m_notes);
    rows->setStretchFactor(0, 3);
    rows->setStretchFactor(1, 2);
    rows->setSizes({em * 60, em * 36});
    return rows;
}

void MemoryPage::setBy(MemoryBy by) {
    if (by == m_by)
        return;
    m_by = by;
    m_choice->setCurrentIndex(by == MemoryBy::sharding ? 1 : 0);
    answerAgain();
}

engine::Problems MemoryPage::answer(const ModelQuestion& question) {
    MemoryAnswer answer = memoryOf(question, m_by);
    if (!answer.problems.empty())
        return answer.problems;
    for (const engine::Experiment& other : m_comparable) {
        const engine::Bytes most = memoryOf({modelOf(other), question.phase, {}}, m_by).facts.largest();
        answer.facts.reach = std::max(most, answer.facts.reach.value_or(engine::Bytes{}));
    }
    setHeadline(headlineOf(answer.facts));
    m_notes->setText(memoryHtml(answer.facts));
    fillTable(answer.facts);
    if (answer.facts.by != m_facts.by)
        m_bars->choose(std::nullopt);
    m_facts = std::move(answer.facts);
    showBars(question.experiment);
    m_table->choose(m_bars->chosen());
    return {};
}

void MemoryPage::showBars(const engine::Experiment& experiment) {
    FigureCanvas::Content content;
    content.figure = memoryFigure(m_facts, experiment);
    RowOptions& rows = content.rows.emplace();
    rows.parts = true;
    rows.strong = m_facts.own;
    rows.columns = {{{}, {}, QStringLiteral("0000 GB")}};
    if (m_facts.capacity)
        rows.columns.push_back({{}, {}, tr("does not fit")});
    std::vector<std::string>& names = content.figure.panels.front().categories.labels;
    for (std::size_t i = 0; i < m_facts.bars.size(); ++i) {
        const MemoryBar& bar = m_facts.bars[i];
        const bool known = bar.problem.isEmpty();
        names[i] = bar.name.toStdString();
        content.choices << spokenOf(bar);
        rows.gaps.push_back(known ? QString() : tr("not computed: %1").arg(bar.problem));
        rows.columns.front().cells.push_back({known ? formatHeld(bar.stage.bytes.total()) : QString()});
        if (m_facts.capacity)
            rows.columns.back().cells.push_back({known ? verdictOf(bar) : QString(), bar.fits.value_or(true)
                                                                                         ? RowOptions::Tone::better
                                                                                         : RowOptions::Tone::error});
    }
    m_bars->showContent(std::move(content));
}

QString MemoryPage::tipOf(const FigureHit& hit) const {
    if (!hit.series)
        return {};
    const MemoryHolder& held = memoryHolders()[holdersOf(m_facts)[*hit.series]];
    const engine::FootprintBytes& bytes = m_facts.bars[hit.row].stage.bytes;
    const double share = static_cast<double>((bytes.*held.bytes).count) /
                         static_cast<double>(std::max<std::int64_t>(1, bytes.total().count));
    return tr("%1, %2: %3, %4 of %5\n%6")
        .arg(m_facts.bars[hit.row].name, titleOf(held), formatHeld(bytes.*held.bytes), formatPercent(share),
             formatHeld(bytes.total()), meaningOf(held));
}

void MemoryPage::fillTable(const MemoryFacts& facts) {
    const std::vector<std::size_t> holders = holdersOf(facts);
    std::vector<ValueColumn> columns{{facts.by == MemoryBy::stage ? tr("stage") : tr("sharding"), true},
                                     {tr("layers"), false, tr("Layers of the stage")},
                                     {tr("in flight"), false, tr("Micro-batches whose activations are held at once")}};
    for (const std::size_t holder : holders)
        columns.push_back({titleOf(memoryHolders()[holder]), false, meaningOf(memoryHolders()[holder])});
    columns.push_back({tr("total"), false, tr("Sum of all kinds of data")});
    if (facts.capacity)
        columns.push_back({tr("capacity %1").arg(formatHeld(*facts.capacity)), true, tr("node.memory")});
    std::vector<ValueRow> rows;
    for (const MemoryBar& bar : facts.bars) {
        const bool known = bar.problem.isEmpty();
        const QString none = QStringLiteral("–");
        const bool hasLayers =
            known && bar.stage.layers > 0;  // a division given by its number of weights has no layers
        QStringList cells{bar.name, hasLayers ? formatCount(bar.stage.layers) : none,
                          bar.stage.inFlight > 0 ? inFlightText(bar.stage.inFlight) : none};
        for (const std::size_t holder : holders)
            cells << (known ? formatHeld(bar.stage.bytes.*memoryHolders()[holder].bytes) : none);
        cells << (known ? formatHeld(bar.stage.bytes.total()) : none);
        if (facts.capacity)
            cells << (known ? verdictOf(bar) : tr("not computed"));
        const bool isTooLarge = bar.fits && !*bar.fits;
        rows.push_back({cells, spokenOf(bar), isTooLarge ? std::optional(cells.size() - 1) : std::nullopt});
    }
    m_table->showRows(std::move(columns), std::move(rows));
}

void MemoryPage::showBar() {
    if (!m_bars->chosen())
        return;
    const QRect row = m_bars->laidOut().panels.front().rows[*m_bars->chosen()].toRect();
    m_scroll->ensureVisible(0, row.center().y(), 0, row.height());
}

std::optional<FigureOffer> MemoryPage::figure() const {
    if (!hasAnswer())
        return std::nullopt;
    return FigureOffer{memoryFigure(m_facts, question()->experiment), {}};
}

void MemoryPage::shareAxis(std::vector<engine::Experiment> experiments) {
    if (experiments == m_comparable)
        return;
    m_comparable = std::move(experiments);
    answerAgain();
}

QWidget* MemoryPage::picture() const { return m_bars; }

bool MemoryPage::stepOut() {
    const bool had = m_bars->chosen().has_value();
    m_bars->choose(std::nullopt);
    return had;
}

void MemoryPage::save(QJsonObject& kept) const {
    kept[QLatin1String(kMemoryBars)] = QLatin1String(m_by == MemoryBy::sharding ? kBySharding : kByStage);
}

void MemoryPage::restore(const QJsonObject& kept) {
    setBy(kept[QLatin1String(kMemoryBars)].toString() == QLatin1String(kBySharding) ? MemoryBy::sharding
                                                                                    : MemoryBy::stage);
}

}  // namespace ui
