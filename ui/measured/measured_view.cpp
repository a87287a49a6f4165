#include "ui/measured/measured_view.h"

#include "ui/look/format.h"
#include "ui/look/palette.h"
#include "ui/look/value_table.h"
#include "ui/look/widget_parts.h"
#include "ui/measured/measured_figure.h"
#include "ui/measured/measured_picture.h"
#include "ui/measured/measured_words.h"
#include "ui/measured/pair_card.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QTabBar>
#include <QTabWidget>
#include <QVBoxLayout>

#include <cmath>
#include <set>
#include <utility>

namespace ui {
namespace {

constexpr int kReadSteps = 1000;
constexpr std::size_t kMostListedSteps = 100;

}  // namespace

MeasuredView::MeasuredView(std::string classesFolder, QWidget* parent)
    : QWidget(parent), m_picture(new MeasuredPicture(false, this)), m_session(std::move(classesFolder)) {
    setObjectName(QStringLiteral("measuredView"));
    m_commands.add({.id = "measured.open",
                    .text = tr("&Open Traces…"),
                    .hint = tr("Opens traces of a profiler, one file for each rank")},
                   this, &MeasuredView::openRequested);
    m_commands.add(
        {.id = "measured.simulate",
         .text = tr("&Simulate This Pair"),
         .keys = {QKeySequence(Qt::Key_P)},
         .hint = tr("Makes the chosen GEMM and collective the experiment and compares it with the trace (P)")},
        this, [this] { Q_EMIT m_card->simulateRequested(); });
    m_scroll = newScrollArea(this, tr("Measured traces"));
    m_scroll->setWidget(m_picture);
    m_scroll->setFocusPolicy(Qt::NoFocus);  // the picture handles the keys
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* parts = new QSplitter(Qt::Vertical, this);
    parts->setChildrenCollapsible(false);
    auto* column = flushLayout<QVBoxLayout>(this, 0);
    column->addWidget(buildBar());
    m_foot = buildFoot();
    addWidgets(*parts, {m_scroll, m_foot});
    parts->setStretchFactor(0, 3);
    parts->setStretchFactor(1, 2);
    parts->setSizes({480, 340});
    column->addWidget(parts, 1);
    setFocusProxy(m_picture);
    connect(m_picture, &MeasuredPicture::selectedChanged, this, &MeasuredView::choose);
    connect(m_card, &PairCard::clearRequested, this, [this] {
        m_picture->select(std::nullopt);
        setChoice({});
    });
    connect(&m_session, &MeasuredSession::started, this, &MeasuredView::showRunning);
    connect(&m_session, &MeasuredSession::progressChanged, this, &MeasuredView::showProgress);
    connect(&m_session, &MeasuredSession::ready, this, [this](const SharedMeasured& set) {
        m_files = m_reading;
        showSet(set);
        chooseWanted();
        showRunning();
        Q_EMIT settled();
    });
    connect(&m_session, &MeasuredSession::fitted, this, [this](const std::shared_ptr<const data::PartsFit>& fit) {
        showRunning();
        Q_EMIT fitted(fit);
    });
    connect(&m_session, &MeasuredSession::failed, this, [this](const QString& why) {
        m_reading = m_files;
        showRunning();
        if (!why.isEmpty())
            Q_EMIT failed(why);
        Q_EMIT settled();
    });
    showRunning();
    showTables();
}

QWidget* MeasuredView::buildBar() {
    auto* bar = new QWidget(this);
    const int em = fontMetrics().averageCharWidth();
    auto* row = newLayout<QHBoxLayout>(bar, {em, em / 2, em, em / 2}, em);
    m_open = newButton(tr("&Open Traces…"), QStringLiteral("measuredOpen"), bar, this, &MeasuredView::openRequested);
    m_steps = new QComboBox(bar);
    setNames(*m_steps, QStringLiteral("measuredSteps"), tr("Steps of the training loop"));
    m_steps->setToolTip(tr("Which steps of the training loop count"));
    connect(m_steps, &QComboBox::activated, this, &MeasuredView::chooseSteps);
    m_headline = newWrappedLabel(bar, QStringLiteral("measuredHeadline"));
    m_headline->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_left = new QLabel(bar);
    m_progress = new QProgressBar(bar);
    makeThin(*m_progress, kReadSteps, fontMetrics().height() / 2, tr("Progress of reading"));
    m_progress->setFixedWidth(em * 18);
    m_stop = newButton(tr("Sto&p"), QStringLiteral("measuredStop"), bar, this, &MeasuredView::stepOut);
    m_stop->setToolTip(tr("Stops and keeps what was read (Escape)"));
    addWidgets(*row, {m_open, m_steps});
    row->addWidget(m_headline, 1);
    addWidgets(*row, {m_left, m_progress, m_stop});
    return bar;
}

ValueTable* MeasuredView::addTable(const QString& name, const QString& title) {
    auto* table = new ValueTable(m_tabs);
    setNames(*table, name, title);
    table->setSorted();
    m_tabs->addTab(table, title);
    return table;
}

QWidget* MeasuredView::buildFoot() {
    auto* whole = new QWidget(this);  // a cover is laid over it, which a splitter would take for one of its parts
    auto* foot = new QSplitter(Qt::Horizontal, whole);
    flushLayout<QVBoxLayout>(whole, 0)->addWidget(foot);
    foot->setChildrenCollapsible(false);
    m_tabs = new QTabWidget(foot);
    setNames(*m_tabs, QStringLiteral("measuredTabs"), tr("What the traces say"));
    m_tabs->tabBar()->setAccessibleName(m_tabs->accessibleName());
    m_tabs->setDocumentMode(true);
    m_tables = {addTable(QStringLiteral("measuredRanks"), tr("Ranks")),
                addTable(QStringLiteral("measuredCollectives"), tr("Collectives")),
                addTable(QStringLiteral("measuredGemms"), tr("GEMMs")),
                addTable(QStringLiteral("measuredUnknown"), tr("Unknown"))};
    auto* side = newScrollArea(foot, tr("The pair to simulate"));
    m_card = new PairCard(side);
    side->setWidget(m_card);
    addWidgets(*foot, {m_tabs, side});
    foot->setStretchFactor(0, 3);
    foot->setStretchFactor(1, 2);
    foot->setSizes({620, 420});
    return whole;
}

void MeasuredView::open(const QStringList& files) {
    m_reading = files;
    m_wanted.clear();
    m_session.read(files);
}

void MeasuredView::showTraces(const QStringList& files, const QString& pair) {
    if (files != (m_session.isRunning() ? m_reading : m_files) && !files.isEmpty()) {
        open(files);
        m_wanted = pair;
        return;
    }
    m_wanted = pair;
    if (files.isEmpty() && m_set) {
        m_files.clear();
        showSet(nullptr);
    }
    if (m_session.isRunning())
        return;
    chooseWanted();
    Q_EMIT settled();
}

std::vector<QWidget*> MeasuredView::numbers() const { return {m_headline, m_foot}; }

void MeasuredView::chooseWanted() {
    if (!m_set)
        return;
    engine::Problems problems;
    data::MeasuredChoice choice;
    const QString wanted = std::exchange(m_wanted, {});
    if (!wanted.isEmpty())
        choice = data::choiceNamed(m_set->traces, m_set->report, wanted.toStdString(), problems);
    if (!problems.empty())
        Q_EMIT failed(text(problems));
    m_picture->select(choice.gemm ? choice.gemm : choice.collective);
    setChoice(choice);
}

void MeasuredView::fit(const data::ExperimentDraft& draft) { m_session.fit(draft, m_card->pair()); }

void MeasuredView::showSet(const SharedMeasured& set) {
    m_set = set;
    m_choice = {};
    m_picture->showSet(set);
    showTables();
    showSteps();
    m_card->showChoice(m_set, m_choice);
    Q_EMIT changed();
}

void MeasuredView::showTables() {
    m_foot->setVisible(m_set != nullptr);
    m_headline->setText(m_set ? measuredHeadline(*m_set) : QString());
    if (!m_set)
        return;
    std::size_t index = 0;
    for (const auto make : {rankTable, collectiveTable, gemmTable, unknownTable}) {
        MeasuredTable table = make(*m_set);
        m_tables[index++]->showRows(std::move(table.columns), std::move(table.rows));
    }
    const auto unknown = static_cast<qsizetype>(m_tables[3]->rows().size());
    m_tabs->setTabText(3, unknown > 0 ? tr("Unknown (%1)").arg(unknown) : tr("Unknown"));
}

void MeasuredView::showSteps() {
    m_steps->clear();
    if (!m_set)
        return;
    m_steps->addItem(tr("All steps"), QStringLiteral("all"));
    std::set<std::int32_t> numbers;
    for (const data::MeasuredTrace& trace : m_set->traces) {
        for (const data::MeasuredStep& step : trace.steps)
            numbers.insert(step.number);
    }
    if (numbers.size() > 1)
        m_steps->addItem(tr("All but the last"), QStringLiteral("all-but-last"));
    for (const std::int32_t number : numbers) {
        if (static_cast<std::size_t>(m_steps->count()) > kMostListedSteps)
            break;
        m_steps->addItem(tr("Step %1").arg(number), QString::number(number));
    }
    m_steps->setCurrentIndex(std::max(0, m_steps->findData(QString::fromStdString(data::textOf(m_set->steps)))));
}

void MeasuredView::chooseSteps() {
    const auto steps = data::stepChoiceOf(m_steps->currentData().toString().toStdString());
    if (m_set && steps)
        m_session.choose(m_set, *steps);
}

void MeasuredView::choose() {
    const std::optional<data::MeasuredPlace>& place = m_picture->selected();
    if (!m_set || !place)
        return;
    if (const auto y = m_picture->selectedY())
        m_scroll->ensureVisible(0, static_cast<int>(*y), 0, fontMetrics().height());
    const data::MeasuredSpan& span = m_set->spanOf(*place);
    data::MeasuredChoice choice = m_choice;
    if (span.kernelClass == data::KernelClass::gemm) {
        choice.gemm = place;
        choice.collective = data::nearestCollective(m_set->traces, m_set->steps, *place);
    } else if (span.isCommunication()) {
        choice.collective = place;
        if (choice.gemm && choice.gemm->trace != place->trace)
            choice.gemm.reset();
    } else {
        return;
    }
    setChoice(choice);
}

void MeasuredView::setChoice(const data::MeasuredChoice& choice) {
    if (m_choice == choice)
        return;
    m_choice = choice;
    m_picture->showChoice(choice);
    m_card->showChoice(m_set, choice);
    Q_EMIT changed();
}

void MeasuredView::showRunning() {
    const bool running = m_session.isRunning();
    m_progress->setVisible(running);
    m_stop->setVisible(running);
    m_left->setVisible(running);
    m_left->setText(running ? tr("Working…") : QString());
    m_steps->setVisible(m_set != nullptr && m_steps->count() > 1);
    m_steps->setEnabled(!running);
    m_card->setBusy(running);
    if (running)
        m_progress->setValue(0);
}

void MeasuredView::showProgress(double fraction) {
    m_progress->setValue(static_cast<int>(fraction * kReadSteps));
    if (const auto seconds = m_session.secondsLeft())
        m_left->setText(tr("%1 s left").arg(static_cast<int>(std::ceil(*seconds))));
}

std::optional<FigureOffer> MeasuredView::figure() const {
    return m_set ? std::optional(measuredFigure(*m_set, m_card->compared())) : std::nullopt;
}

}  // namespace ui
