#include "ui/measured/pair_card.h"

#include "engine/api/policy_preset.h"
#include "ui/look/format.h"
#include "ui/look/palette.h"
#include "ui/look/value_table.h"
#include "ui/look/widget_parts.h"
#include "ui/measured/measured_words.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <array>
#include <cstdlib>
#include <string_view>

namespace ui {
namespace {

/// Values that the pair leaves to the user, or that a fit sets: a run with others is still a run of the pair.
constexpr std::array<std::string_view, 3> kFree{"policy.preset", "cu.tensor_efficiency", "link.bandwidth"};

QString signedTime(std::int64_t ps) {
    return (ps < 0 ? QStringLiteral("−") : ps > 0 ? QStringLiteral("+") : QString()) + formatTime(std::abs(ps));
}

QString longer(std::int64_t ps) {
    return ps == 0  ? PairCard::tr("no longer")
           : ps > 0 ? PairCard::tr("%1 more").arg(formatTime(ps))
                    : PairCard::tr("%1 less").arg(formatTime(-ps));
}

}  // namespace

QString differenceText(const data::PairDifference& difference) {
    if (difference.total == 0 && difference.parts == 0)
        return PairCard::tr("Measured and simulated take the same time.");
    return PairCard::tr(
               "The measured pair takes %1 than the simulated one: %2 because its parts alone take another time, "
               "%3 because of how they run together.")
        .arg(longer(difference.total), longer(difference.parts), longer(difference.interaction));
}

PairCard::PairCard(QWidget* parent)
    : QWidget(parent), m_title(newWrappedLabel(this, QStringLiteral("pairTitle"))),
      m_remark(newWrappedLabel(this, QStringLiteral("pairRemark"))),
      m_difference(newWrappedLabel(this, QStringLiteral("pairDifference"))), m_values(new ValueTable(this)),
      m_times(new ValueTable(this)) {
    setObjectName(QStringLiteral("pairCard"));
    setNames(*m_values, QStringLiteral("pairValues"), tr("Values of the experiment and where they come from"));
    setNames(*m_times, QStringLiteral("pairTimes"), tr("Measured and simulated times of the pair"));
    setRelativeFont(*m_title, 1.1, QFont::DemiBold);
    m_simulate =
        newButton(tr("Simulate This &Pair"), QStringLiteral("pairSimulate"), this, this, &PairCard::simulateRequested);
    m_simulate->setToolTip(tr("Makes the pair the experiment, as one undo step, and compares it with the trace"));
    m_fit = newButton(tr("Fit P&arts"), QStringLiteral("pairFit"), this, this, &PairCard::fitRequested);
    m_fit->setToolTip(
        tr("Scales cu.tensor_efficiency and link.bandwidth until the parts alone take the measured times; "
           "what then stays is the interaction"));
    m_use = newButton(tr("&Use as Measured Value…"), QStringLiteral("pairUse"), this, this, &PairCard::useRequested);
    m_use->setToolTip(tr("Adds the measured time as a blind item to an evaluation of yours, new or existing"));
    m_clear = newButton(tr("C&lear"), QStringLiteral("pairClear"), this, this, &PairCard::clearRequested);
    const int em = fontMetrics().averageCharWidth();
    auto* buttons = newLayout<QHBoxLayout>(nullptr, {}, em);
    addWidgets(*buttons, {m_simulate, m_fit, m_use, m_clear});
    buttons->addStretch(1);
    auto* column = newLayout<QVBoxLayout>(this, {em, em / 2, em, em / 2}, em / 2);
    column->addWidget(m_title);
    column->addLayout(buttons);
    addWidgets(*column, {m_remark, m_difference, m_times});
    column->addWidget(m_values, 100);
    column->addStretch(1);
    followColours(*this, [this] {
        setInk(*m_remark, paletteOf(*this).inkSoft);
        setInk(*m_difference, paletteOf(*this).ink);
    });
    showValues();
    showTimes();
}

void PairCard::showChoice(const SharedMeasured& set, const data::MeasuredChoice& choice) {
    m_set = set;
    m_choice = choice;
    m_pair = set ? data::tracePairOf(set->traces, set->match, set->report, choice) : data::TracePair();
    showValues();
    showTimes();
}

void PairCard::setBusy(bool busy) {
    m_busy = busy;
    showTimes();
}

std::optional<data::ExperimentDraft> PairCard::draft() const {
    if (!m_pair.runnable())
        return std::nullopt;
    engine::Problems problems;
    data::ExperimentDraft draft = m_pair.draft(problems);
    return problems.empty() ? std::optional(std::move(draft)) : std::nullopt;
}

void PairCard::showRun(const std::shared_ptr<const data::ShownRun>& run) {
    m_run = run && !run->preview ? run : nullptr;
    showTimes();
}

bool PairCard::isRunOfPair(const data::ShownRun& run) const {
    const std::optional<data::ExperimentDraft> own = draft();
    if (!own)
        return false;
    for (const auto& [path, value] : own->explicitValues) {
        if (std::ranges::find(kFree, path) != kFree.end())
            continue;
        const auto there = run.run.draft.explicitValues.find(path);
        if (there == run.run.draft.explicitValues.end() || there->second != value)
            return false;
    }
    return true;
}

void PairCard::showValues() {
    const bool chosen = m_choice.gemm || m_choice.collective;
    QStringList remarks;
    if (!m_set)
        m_title->setText(tr("A pair to simulate"));
    else if (!chosen)
        m_title->setText(
            tr("Select a GEMM or a collective in the picture. The collective nearest to a GEMM is taken along."));
    else if (!m_pair.refusal.empty())
        m_title->setText(tr("This cannot be simulated: %1.").arg(text(m_pair.refusal)));
    else
        m_title->setText(text(m_pair.name));
    for (const std::string& missing : m_pair.missing)
        remarks << tr("Not in the trace, so the default is taken: %1.").arg(text(missing));
    for (const std::string& remark : m_pair.remarks)
        remarks << text(remark);
    m_remark->setText(remarks.join(QLatin1Char('\n')));
    m_remark->setVisible(!remarks.isEmpty());
    std::vector<ValueRow> rows;
    for (const data::PairValue& value : m_pair.values) {
        ValueRow row;
        row.cells = {text(value.path), text(value.value), value.assumed ? tr("assumed") : tr("from the trace"),
                     text(value.from)};
        rows.push_back(std::move(row));
    }
    m_values->showRows({{.title = tr("Field"), .isText = true},
                        {.title = tr("Value")},
                        {.title = tr("Origin"), .isText = true},
                        {.title = tr("Read from"), .isText = true}},
                       std::move(rows));
    m_values->setVisible(!m_pair.values.empty());
    m_clear->setVisible(chosen);
}

std::optional<ComparedPair> PairCard::compared() const {
    if (!m_pair.runnable() || !m_run || !isRunOfPair(*m_run))
        return std::nullopt;
    return ComparedPair{m_pair, data::simulatedTimes(m_run->run.result, m_pair.kind),
                        titleOfPolicy(engine::name(m_run->run.experiment.policy.preset)), provenanceOf(*m_run, {})};
}

QString PairCard::difference() const {
    const std::optional<ComparedPair> shown = compared();
    return shown ? differenceText(data::differenceOf(m_pair.measured, shown->simulated, m_pair.kind)) : QString();
}

void PairCard::showTimes() {
    const bool runnable = m_pair.runnable();
    const std::optional<ComparedPair> shown = compared();
    const bool simulated = shown.has_value();
    m_simulate->setEnabled(runnable && !m_busy);
    m_simulate->setVisible(m_set != nullptr);
    m_fit->setEnabled(simulated && !m_busy);
    m_fit->setVisible(runnable);
    m_use->setVisible(runnable);
    m_times->setVisible(runnable);
    m_difference->setText(difference());
    m_difference->setVisible(simulated);
    if (!runnable)
        return;
    const data::PairTimes& measured = m_pair.measured;
    const data::PairTimes ours = simulated ? shown->simulated : data::PairTimes();
    std::vector<ValueRow> rows;
    const auto add = [&](const QString& name, std::int64_t theirs, std::int64_t own, const QString& meaning) {
        ValueRow row;
        row.cells = {name, formatTime(theirs), simulated ? formatTime(own) : QString(),
                     simulated ? signedTime(theirs - own) : QString()};
        row.meaning = meaning;
        rows.push_back(std::move(row));
    };
    if (m_choice.gemm)
        add(tr("GEMM alone"), measured.gemm, ours.gemm, tr("Median of those that no communication touches"));
    if (m_choice.collective)
        add(tr("Collective alone"), measured.collective, ours.collective, tr("The least duration over the ranks"));
    if (m_pair.kind == data::PairKind::dependent || m_pair.kind == data::PairKind::independent) {
        add(tr("Both together"), measured.together, ours.together, tr("From the first begin to the last end"));
        add(tr("Parts"), measured.parts(m_pair.kind), ours.parts(m_pair.kind),
            m_pair.kind == data::PairKind::dependent ? tr("The parts one after the other") : tr("The longer part"));
        add(tr("Interaction"), measured.interaction(m_pair.kind), ours.interaction(m_pair.kind),
            tr("Both together without the parts: gaps, waiting and contention"));
    }
    const QString policy = simulated ? tr("Simulated, %1").arg(shown->policy) : tr("Simulated");
    m_times->showRows({{.title = tr("Time"), .isText = true},
                       {.title = tr("Measured")},
                       {.title = policy},
                       {.title = tr("Difference")}},
                      std::move(rows));
}

}  // namespace ui
