#include "ui/compare/pair_dialog.h"

#include "data/laboratory/laboratory.h"
#include "data/questions/carrier_crossover.h"
#include "data/results/companion_slowdown.h"
#include "engine/api/runner.h"
#include "ui/look/company_words.h"
#include "ui/look/format.h"
#include "ui/look/kernel_style.h"
#include "ui/look/palette.h"
#include "ui/look/value_table.h"
#include "ui/look/widget_parts.h"
#include "ui/shared/run_session.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QThread>
#include <QVBoxLayout>

#include <algorithm>
#include <memory>
#include <utility>

namespace ui {
namespace {

constexpr int kPairProgressMs = 33;
constexpr int kPairProgressSteps = 1000;
constexpr int kPairProgressHeight = 6;
constexpr int kPairSpacing = 10;
constexpr int kPairWidthInLetters = 140;
constexpr int kPairHeightInLines = 30;
constexpr int kFewDecimals = 1;
constexpr int kRatioDecimals = 3;
constexpr auto kDegrees = "1, 2, 4, 8";

/// Returns the options of a question whose work stops with its ticket and sets its progress.
template <class Options>
Options optionsFor(const Worker::Ticket& ticket) {
    Options options;
    options.threads = QThread::idealThreadCount();
    options.stop = ticket.stop;
    options.progress = [&ticket](double fraction) { ticket.setProgress(fraction); };
    return options;
}

/// Returns a percentage with a decimal, since two ways often differ by less than a per cent.
QString percentText(double fraction) {
    constexpr double kPercent = 100;
    return QString::number(kPercent * fraction, 'f', kFewDecimals).replace(u'-', QChar(0x2212)) +
           QStringLiteral("\u00a0%");
}

QString ratioText(double ratio) { return QString::number(ratio, 'f', kRatioDecimals); }

/// Returns by how much a part is slower than alone: "11.5 %", from 2 on "2.7 times".
QString slowerText(const std::optional<double>& slowdown) {
    if (!slowdown)
        return QStringLiteral("-");
    return data::isToldAsFactor(*slowdown) ? PairDialog::tr("%1 times").arg(*slowdown, 0, 'f', kFewDecimals)
                                           : percentText(*slowdown - 1);
}

/// Returns the name of the companion in the heading of a column, which differs from that of the own work.
QString companionHeading(const engine::Experiment& experiment) {
    return engine::hasCompanionCollective(experiment) ? companionWord(experiment) : PairDialog::tr("companion");
}

std::vector<ValueColumn> columnsOfWays(const engine::Experiment& experiment) {
    const QString own = ownWord(experiment), other = companionHeading(experiment);
    const QString waits = PairDialog::tr("Until it has room on a CU");
    const QString slower = PairDialog::tr("Compared with alone, from the time on when it has room on a CU");
    return {{PairDialog::tr("Way"), true, PairDialog::tr("Rule of dispatch, or what carries the companion")},
            {PairDialog::tr("Total"), false, PairDialog::tr("Until both have ended")},
            {PairDialog::tr("%1 ends").arg(own)},
            {PairDialog::tr("%1 ends").arg(other)},
            {PairDialog::tr("%1 waits").arg(own), false, waits},
            {PairDialog::tr("%1 waits").arg(other), false, waits},
            {PairDialog::tr("%1 slower").arg(own), false, slower},
            {PairDialog::tr("%1 slower").arg(other), false, slower},
            {PairDialog::tr("Speed-up"), false, PairDialog::tr("Over running one after the other")},
            {PairDialog::tr("Of ideal"), false,
             PairDialog::tr("0 %: as one after the other; 100 %: as long as the longer part alone")}};
}

std::vector<ValueRow> rowsOfWays(const data::Pair& pair) {
    engine::Duration longest = pair.serial();
    for (const data::PairRow& row : pair.rows)
        longest = std::max(longest, row.result.last.time.total);
    const auto time = [&](engine::Duration each) { return formatTimeSteady(each.ps, longest.ps); };
    const QString none = QStringLiteral("-");
    std::vector<ValueRow> rows;
    rows.push_back({{PairDialog::tr("one after the other"), time(pair.serial()), time(pair.ownAlone()),
                     time(pair.serial()), none, none, none, none, ratioText(1), percentText(0)}});
    const auto best =
        std::ranges::min_element(pair.rows, {}, [](const data::PairRow& row) { return row.result.last.time.total; });
    for (const data::PairRow& row : pair.rows) {
        const engine::CompanionResult& companion = row.result.companion.value();
        const data::BesideTime own = data::ownBeside(companion), other = data::companionBeside(companion);
        const std::optional<double> fraction = pair.fractionOfIdeal(row);
        ValueRow shown;
        shown.cells = {text(row.how.name),
                       time(row.result.last.time.total),
                       time(companion.own),
                       time(companion.time),
                       time(own.waits),
                       time(other.waits),
                       slowerText(own.slowdown),
                       slowerText(other.slowdown),
                       ratioText(pair.speedupOf(row)),
                       fraction ? percentText(*fraction) : none};
        if (row.how.inSwitch)
            shown.meaning =
                PairDialog::tr("As companion-first, and the switch adds or copies the companion's packets.");
        shown.strong = &row == &*best;
        rows.push_back(std::move(shown));
    }
    return rows;
}

/// Returns what each part takes alone: "Alone: GEMM 1.472 ms, all-gather 307.7 µs. …".
QString aloneSentence(const data::Pair& pair) {
    return PairDialog::tr("Alone: %1 %2, %3 %4. Together they can be %5 times as fast as one after the other.")
        .arg(ownWord(pair.experiment), formatTime(pair.ownAlone().ps), companionHeading(pair.experiment),
             formatTime(pair.companionAlone().ps), ratioText(pair.idealSpeedup()));
}

QString freedSentence(const data::Pair::FreedCus& freed) {
    return PairDialog::tr("Copies leave free the %1 CUs that the kernel of companion-first holds for %2: %3 of the CU "
                          "time of that run.")
        .arg(formatCount(freed.cus), formatTime(freed.time.ps), percentText(freed.share));
}

QString adviceSentence(const data::ReserveAdvice& advice) {
    return PairDialog::tr("Reserving %1 CUs is advised: of %2 numbers, the longer part alone is shortest with it.")
        .arg(formatCount(advice.reserved()))
        .arg(advice.candidates.size());
}

QString noticesText(const engine::Notices& notices, const data::BrokenInvariants& broken) {
    QStringList lines;
    if (broken.any())
        lines << PairDialog::tr("Ringside has broken one of its own invariants in %1 runs: do not trust the numbers.")
                     .arg(broken.runs);
    for (const engine::Notice& notice : notices)
        lines << PairDialog::tr("Notice: %1: %2").arg(text(notice.path), text(notice.text));
    return lines.join(QLatin1Char('\n'));
}

/// Returns the experiment of a GEMM without the number of its copies, which follows from the degree.
data::ExperimentDraft withoutCopies(data::ExperimentDraft draft) {
    draft.explicitValues.erase("companion.copies");
    return draft;
}

bool isGemmAlone(const engine::Experiment& experiment) {
    return experiment.workload.sublayer == engine::SubLayer::gemm;
}

/// Returns the numbers of "1, 2, 4", or an empty optional if a part of the text is no number.
std::optional<std::vector<std::int64_t>> degreesIn(const QString& typed) {
    std::vector<std::int64_t> degrees;
    for (const QString& word : typed.split(QLatin1Char(','))) {
        bool read = false;
        degrees.push_back(word.trimmed().toLongLong(&read));
        if (!read)
            return std::nullopt;
    }
    return degrees;
}

std::vector<ValueRow> rowsOfDegrees(const data::Degrees& answer) {
    engine::Duration longest = answer.alone;
    for (const data::DegreeRow& row : answer.rows)
        longest = std::max({longest, row.perKernel, row.estimate});
    std::vector<ValueRow> rows;
    for (const data::DegreeRow& row : answer.rows) {
        ValueRow shown;
        shown.cells = {QString::number(row.degree),
                       PairDialog::tr("%1 x %2").arg(row.tile.m).arg(row.tile.n),
                       formatTimeSteady(row.perKernel.ps, longest.ps),
                       ratioText(answer.overSequential(row)),
                       formatTimeSteady(row.estimate.ps, longest.ps),
                       text(answer.markOf(row))};
        shown.strong = &row == &answer.fastest();
        rows.push_back(std::move(shown));
    }
    return rows;
}

std::vector<ValueColumn> columnsOfDegrees() {
    return {{PairDialog::tr("Degree"), false, PairDialog::tr("Kernels at once")},
            {PairDialog::tr("Tile"), false, PairDialog::tr("The tile that is fastest at this degree")},
            {PairDialog::tr("Per kernel"), false, PairDialog::tr("The time of all kernels, divided by their number")},
            {PairDialog::tr("Over one after another"), false,
             PairDialog::tr("How many times as long kernels take one after another")},
            {PairDialog::tr("Estimate"), false, PairDialog::tr("The time per kernel without simulation")},
            {PairDialog::tr("Choice"), true, PairDialog::tr("Advised is the degree with the least estimate")}};
}

/// Returns a table that has no row yet.
ValueTable* newTable(QWidget* parent, const QString& name, const QString& spoken, std::vector<ValueColumn> columns) {
    auto* table = new ValueTable(parent);
    setNames(*table, name, spoken);
    table->setColumnGap(1);
    table->showRows(std::move(columns), {});
    return table;
}

}  // namespace

bool PairDialog::canAnswer(const engine::Experiment& experiment) {
    return data::hasWaysToShare(experiment) || (isGemmAlone(experiment) && !engine::hasInMemoryPass(experiment));
}

PairDialog::PairDialog(data::ExperimentDraft draft, Open open, QWidget* parent)
    : QDialog(parent), m_draft(std::move(draft)), m_experiment(data::expandValues(m_draft).experiment),
      m_open(std::move(open)), m_sizes(data::carrierQuestion(m_draft)),
      m_worker(kPairProgressMs,
               [this](double fraction) { m_progress->setValue(static_cast<int>(fraction * kPairProgressSteps)); }) {
    setObjectName(QStringLiteral("pair"));
    setWindowTitle(tr("Ways to Share the GPU: %1").arg(text(data::caseName(m_experiment))));
    auto* column = new QVBoxLayout(this);
    column->setSpacing(kPairSpacing);
    if (data::hasWaysToShare(m_experiment))
        buildWays(*column);
    if (m_sizes)
        buildSizes(*column);
    if (isGemmAlone(m_experiment) && !engine::hasCompanionCollective(m_experiment))
        buildDegrees(*column);
    buildFoot(*column);
    for (QPushButton* button : findChildren<QPushButton*>())
        button->setAutoDefault(false);  // Return opens the chosen row, or asks about the degrees that are typed
    resize(fontMetrics().averageCharWidth() * kPairWidthInLetters, fontMetrics().lineSpacing() * kPairHeightInLines);
    if (m_waysTable != nullptr)
        askWays();
    else
        askDegrees();
}

void PairDialog::buildWays(QVBoxLayout& column) {
    m_alone = newWrappedLabel(this, QStringLiteral("alone"));
    m_waysTable = newTable(this, QStringLiteral("ways"), tr("Ways to run both together"), columnsOfWays(m_experiment));
    m_freed = newWrappedLabel(this, QStringLiteral("freed"));
    for (QLabel* label : {m_alone, m_freed})
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    const auto open = [this] {
        const std::optional<std::size_t> row = m_waysTable->chosen();
        openChosen(row && *row > 0 ? std::optional(*row - 1) : std::nullopt, m_ways);
    };
    connect(m_waysTable, &ValueTable::rowActivated, this, open);
    auto* foot = new QHBoxLayout;
    foot->addWidget(m_freed, 1);
    foot->addWidget(newButton(tr("Show &Chosen Way"), QStringLiteral("showWay"), this, this, open));
    column.addWidget(m_alone);
    column.addWidget(m_waysTable, 1);
    column.addLayout(foot);
}

void PairDialog::buildSizes(QVBoxLayout& column) {
    m_sizesAnswer = newWrappedLabel(this, QStringLiteral("sizesAnswer"));
    m_sizesAnswer->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_sizesAnswer->setText(
        tr("For which sizes of the %1 is a kernel as fast as copies?").arg(companionWord(m_experiment)));
    auto* find = newButton(tr("&Find Sizes"), QStringLiteral("findSizes"), this, this, &PairDialog::askSizes);
    find->setToolTip(
        tr("Simulates the kernel of companion-first and copies with sizes from 64 KiB to 64 MiB, or to the "
           "companion's own size"));
    m_askButtons.push_back(find);
    auto* row = new QHBoxLayout;
    row->addWidget(m_sizesAnswer, 1);
    row->addWidget(find);
    column.addLayout(row);
}

void PairDialog::buildDegrees(QVBoxLayout& column) {
    m_degrees = new QLineEdit(QString::fromLatin1(kDegrees), this);
    setNames(*m_degrees, QStringLiteral("degrees"), tr("Degrees: how many kernels run at once"));
    connect(m_degrees, &QLineEdit::returnPressed, this, &PairDialog::askDegrees);
    auto* label = new QLabel(tr("&Kernels of the GEMM at once:"), this);
    label->setBuddy(m_degrees);
    const auto open = [this] { openChosen(m_degreesTable->chosen(), m_degreeDrafts); };
    auto* compare =
        newButton(tr("Compare &Degrees"), QStringLiteral("compareDegrees"), this, this, &PairDialog::askDegrees);
    m_askButtons.push_back(compare);
    auto* row = new QHBoxLayout;
    row->addWidget(label);
    row->addWidget(m_degrees, 1);
    row->addWidget(compare);
    row->addWidget(newButton(tr("Show Chosen D&egree"), QStringLiteral("showDegree"), this, this, open));
    m_degreesTable =
        newTable(this, QStringLiteral("degreesTable"), tr("Degrees, each with its fastest tile"), columnsOfDegrees());
    connect(m_degreesTable, &ValueTable::rowActivated, this, open);
    column.addLayout(row);
    column.addWidget(m_degreesTable, 1);
}

void PairDialog::buildFoot(QVBoxLayout& column) {
    m_notices = newWrappedLabel(this, QStringLiteral("notices"));
    m_notices->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_status = newWrappedLabel(this, QStringLiteral("status"));
    m_progress = new QProgressBar(this);
    makeThin(*m_progress, kPairProgressSteps, kPairProgressHeight, tr("Progress"));
    keepRoom(*m_progress);
    m_stop = newButton(tr("&Stop"), QStringLiteral("stop"), this, this, &PairDialog::stop);
    auto* foot = new QHBoxLayout;
    foot->addWidget(m_status, 1);
    addWidgets(*foot, {m_stop, newButton(tr("C&lose"), QStringLiteral("close"), this, this, &QDialog::close)});
    column.addWidget(m_notices);
    column.addWidget(m_progress);
    column.addLayout(foot);
}

template <class Answer>
void PairDialog::ask(const QString& doing, std::function<Answer(const Worker::Ticket&)> compute,
                     void (PairDialog::*take)(const Answer&)) {
    say(doing, false);
    m_worker.start([this, compute = std::move(compute), take](const Worker::Ticket& ticket) {
        try {
            const auto answer = std::make_shared<const Answer>(compute(ticket));
            ticket.finish([this, answer, take] {
                say({}, false);
                (this->*take)(*answer);
                showRunning(false);
            });
        } catch (const engine::RunStopped&) {
            return;  // `stop` reports it
        } catch (const std::exception& error) {
            const RunFailure failure =
                failureOf(error, tr("There is not enough memory for these runs."), QStringLiteral("%1"));
            ticket.finish([this, words = failure.text] {
                say(words, true);
                showRunning(false);
            });
        }
    });
    showRunning(true);
}

void PairDialog::askWays() {
    ask<data::Pair>(
        tr("Simulating both under every rule…"),
        [question = data::PairQuestion{m_draft, std::nullopt}](const Worker::Ticket& ticket) {
            return data::pairOf(question, optionsFor<data::PairOptions>(ticket));
        },
        &PairDialog::showPair);
}

void PairDialog::askSizes() {
    ask<data::BreakEven>(
        tr("Searching for the sizes…"),
        [question = m_sizes.value()](const Worker::Ticket& ticket) {
            return data::breakEven(question, optionsFor<data::BreakEvenOptions>(ticket));
        },
        &PairDialog::showSizes);
}

void PairDialog::askDegrees() {
    const std::optional<std::vector<std::int64_t>> degrees = degreesIn(m_degrees->text());
    if (!degrees)
        return say(tr("\"%1\" is not a list of numbers; allowed: numbers with commas between them, such as %2")
                       .arg(m_degrees->text(), QString::fromLatin1(kDegrees)),
                   true);
    ask<data::Degrees>(
        tr("Simulating each degree…"),
        [question = data::DegreesQuestion{withoutCopies(m_draft), *degrees}](const Worker::Ticket& ticket) {
            return data::degreesOf(question, optionsFor<data::PairOptions>(ticket));
        },
        &PairDialog::showDegrees);
}

void PairDialog::stop() {
    m_worker.cancel();
    showRunning(false);
    say(tr("Stopped."), false);
}

void PairDialog::showPair(const data::Pair& pair) {
    m_ways.clear();
    for (const data::PairRow& row : pair.rows)
        m_ways.push_back(row.how.draft);
    m_waysTable->showRows(columnsOfWays(pair.experiment), rowsOfWays(pair));
    m_alone->setText(aloneSentence(pair));
    QStringList sentences;
    if (const auto freed = pair.freedByCopies())
        sentences << freedSentence(*freed);
    if (pair.advice)
        sentences << adviceSentence(*pair.advice);
    m_freed->setText(sentences.join(QLatin1Char(' ')));
    m_notices->setText(noticesText(pair.notices, pair.broken));
}

void PairDialog::showSizes(const data::BreakEven& answer) {
    m_sizesAnswer->setText(text(data::carrierSentence(*m_sizes, answer)));
}

void PairDialog::showDegrees(const data::Degrees& answer) {
    m_degreeDrafts.clear();
    for (const data::DegreeRow& row : answer.rows)
        m_degreeDrafts.push_back(row.draft);
    m_degreesTable->showRows(columnsOfDegrees(), rowsOfDegrees(answer));
    m_notices->setText(noticesText(answer.notices, answer.broken));
}

void PairDialog::openChosen(std::optional<std::size_t> chosen, const std::vector<data::ExperimentDraft>& drafts) {
    if (chosen && *chosen < drafts.size())
        m_open(drafts[*chosen], tr("Show Way to Share the GPU"));
    else
        say(tr("Choose a row of the table that is a run first."), false);
}

void PairDialog::showRunning(bool running) {
    m_progress->setVisible(running);
    m_stop->setEnabled(running);
    for (QPushButton* button : m_askButtons)
        button->setEnabled(!running);
}

void PairDialog::say(const QString& words, bool isProblem) {
    setInk(*m_status, isProblem ? paletteOf(*this).error : paletteOf(*this).ink);
    m_status->setText(words);
}

}  // namespace ui
