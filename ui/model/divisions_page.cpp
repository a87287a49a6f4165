#include "ui/model/divisions_page.h"

#include "engine/api/division.h"
#include "engine/api/parameters.h"
#include "ui/look/format.h"
#include "ui/look/value_table.h"
#include "ui/look/widget_parts.h"
#include "ui/model/division_words.h"
#include "ui/model/model_parts.h"
#include "ui/workbench/commands.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

#include <tuple>
#include <utility>

namespace ui {
namespace {

constexpr int kSearchSteps = 1000;
constexpr int kSearchProgressMs = 33;
constexpr int kFieldLetters = 14;
constexpr qsizetype kMemoryColumn = 10;
constexpr auto kGpusKept = "divisionGpus";  // keys of the session
constexpr auto kSequencesKept = "divisionSequences";

/// Returns the experiment with the parameters that a search chooses reset. Two experiments that are equal after this
/// have the same divisions.
engine::Experiment withoutDivision(engine::Experiment experiment) {
    for (const auto& [path, value] : data::settingsOf(data::Division{})) {
        if (const engine::Parameter* parameter = engine::findParameter(path))
            parameter->write(experiment, value);
    }
    return experiment;
}

/// Returns the experiment's own values of the parameters that a search chooses.
data::Division divisionOf(const engine::Experiment& experiment) {
    const engine::DivisionConfig& set = experiment.division;
    data::Division division;
    division.tp = experiment.parallel.tp;
    division.pp = set.pp;
    division.dp = set.dp;
    division.batch = experiment.workload.batch;
    division.microbatches = set.microbatches;
    division.interleave = set.interleave;
    division.sharding = set.sharding;
    division.recompute = experiment.operators.recompute;
    return division;
}

bool isSameDivision(const data::Division& a, const data::Division& b) {
    const auto chosen = [](const data::Division& d) {
        return std::tie(d.tp, d.pp, d.dp, d.batch, d.microbatches, d.interleave, d.sharding, d.recompute);
    };
    return chosen(a) == chosen(b);
}

bool isSameSearch(const data::DivisionsQuestion& a, const data::DivisionsQuestion& b) {
    return a.base == b.base && a.gpus == b.gpus && a.sequences == b.sequences;
}

QString recomputeWord(engine::Recompute recompute) {
    engine::Experiment experiment;
    experiment.operators.recompute = recompute;
    const engine::Parameter& parameter = *engine::findParameter("operators.recompute");
    return text(engine::formatValue(parameter, parameter.read(experiment)));
}

std::vector<ValueColumn> divisionColumns() {
    const auto tr = [](const char* text) { return DivisionsPage::tr(text); };
    return {
        {QStringLiteral("tp"), false, tr("GPUs of a tensor-parallel group")},
        {QStringLiteral("pp"), false, tr("Stages of the pipeline")},
        {QStringLiteral("dp"), false, tr("Replicas")},
        {tr("batch"), false, tr("Sequences of a micro-batch")},
        {tr("micro-batches"), false, tr("Micro-batches of a replica in one step")},
        {tr("interleave"), false, tr("Chunks of layers of a stage")},
        {tr("sharding"), true, tr("State that is divided among the replicas instead of copied to each")},
        {tr("recompute"), true, tr("Activations that the backward pass computes again")},
        {tr("estimate"), false,
         tr("compute x (1 + bubble) + messages, without any overlap: it ranks divisions, it does not predict times")},
        {tr("footprint"), false, tr("Bytes that a GPU of the largest stage holds")},
        {tr("memory"), true, tr("Whether the footprint fits into node.memory")},
        {tr("compute"), false, tr("Flops of a GPU divided by its peak rate times cu.tensor_efficiency")},
        {tr("bubble"), false, tr("Idle share of the pipeline: (p - 1) / (v m)")},
        {tr("messages"), false, tr("Bytes that a GPU sends, divided by the bandwidths within and between nodes")}};
}

ValueRow divisionRow(const data::Division& row, const data::Division& set, bool isLimited) {
    const auto tr = [](const char* text) { return DivisionsPage::tr(text); };
    QString memory = !isLimited ? tr("unlimited") : row.fits ? tr("fits") : tr("does not fit");
    if (isSameDivision(row, set))
        memory = tr("%1, set now").arg(memory);
    return {{formatCount(row.tp), formatCount(row.pp), formatCount(row.dp), formatCount(row.batch),
             formatCount(row.microbatches), formatCount(row.interleave), shardingWord(row.sharding),
             recomputeWord(row.recompute), formatTime(row.estimate.ps, 3), formatBytes(row.footprint.count), memory,
             formatTime(row.compute.ps, 3), formatShare(row.bubble), formatTime(row.messages.ps, 3)},
            {},
            row.fits ? std::nullopt : std::optional(kMemoryColumn)};
}

}  // namespace

QString titleOf(const data::Division& division) {
    return DivisionsPage::tr("tp %1 × pp %2 × dp %3, sharding %4")
        .arg(formatCount(division.tp), formatCount(division.pp), formatCount(division.dp),
             shardingWord(division.sharding));
}

DivisionsPage::DivisionsPage(DivisionsConfig config, QWidget* parent)
    : ComputedPage(parent), m_config(std::move(config)), m_worker(kSearchProgressMs, [this](double fraction) {
          m_progress->setValue(static_cast<int>(fraction * kSearchSteps));
      }) {
    if (!m_config.search)
        m_config.search = data::divisionsOf;
    QWidget* controls = buildControls();
    QWidget* desk = buildDesk();
    build(QStringLiteral("divisions"), controls, desk);
    showSearching();
}

QWidget* DivisionsPage::buildControls() {
    auto* bar = new QWidget(this);
    const int em = fontMetrics().averageCharWidth();
    auto* row = flushLayout<QHBoxLayout>(bar, em);
    const auto add = [&](Number& number, const QString& text, const QString& name, const QString& hint) {
        number.field = new QLineEdit(bar);
        auto* label = new QLabel(text, bar);
        label->setBuddy(number.field);
        setNames(*number.field, name, plain(text));
        number.field->setToolTip(hint);
        number.field->setFixedWidth(em * kFieldLetters);
        shareUndoWithTheWindow(*number.field);
        connect(number.field, &QLineEdit::editingFinished, this, [this, &number] { take(number); });
        addWidgets(*row, {label, number.field});
    };
    add(m_gpus, tr("&GPUs"), QLatin1String(kGpusKept),
        tr("tp x pp x dp of every division. If the field is empty, the experiment's number applies."));
    add(m_sequences, tr("Se&quences"), QLatin1String(kSequencesKept),
        tr("Sequences of one step over all replicas: batch x micro-batches x dp. "
           "If the field is empty, the experiment's number applies."));
    m_start = newButton(tr("&Search"), QStringLiteral("divisionSearch"), bar, this, [this] {
        m_searched.reset();
        answerAgain();
    });
    m_cancel = newButton(tr("&Cancel"), QStringLiteral("divisionCancel"), bar, this, &DivisionsPage::cancel);
    m_progress = new QProgressBar(bar);
    makeThin(*m_progress, kSearchSteps, 4, tr("Progress of the search"));
    m_progress->setFixedWidth(em * kFieldLetters);
    addWidgets(*row, {m_start, m_cancel, m_progress});
    row->addStretch(1);
    return bar;
}

QWidget* DivisionsPage::buildDesk() {
    auto* desk = new QWidget(this);
    auto* column = flushLayout<QVBoxLayout>(desk, 0);
    m_table = new ValueTable(desk);
    setNames(*m_table, QStringLiteral("divisionTable"), tr("Divisions, best first"));
    connect(m_table, &ValueTable::rowActivated, this, [this](std::size_t row) {
        if (m_found && row < m_found->rows.size())
            Q_EMIT applyRequested(m_found->rows[row], titleOf(m_found->rows[row]));
    });
    m_notes = newWrappedLabel(desk, QStringLiteral("divisionNotes"));
    m_notes->setTextFormat(Qt::RichText);
    m_notes->setTextInteractionFlags(Qt::TextSelectableByMouse);
    const int em = fontMetrics().averageCharWidth();
    m_notes->setContentsMargins(em, em / 2, em, em / 2);
    column->addWidget(m_table, 1);
    column->addWidget(m_notes);
    return desk;
}

void DivisionsPage::take(Number& number) {
    const Number before = number;
    QString typed = number.field->text();
    typed.remove(QChar(0x00a0)).remove(QLatin1Char(' '));
    bool isNumber = true;
    const std::int64_t value = typed.isEmpty() ? number.own : typed.toLongLong(&isNumber);
    number.unreadable = isNumber ? QString() : typed;
    if (isNumber && (typed.isEmpty() || value != number.value()))
        number.typed = typed.isEmpty() ? std::nullopt : std::optional(value);
    if (number.typed != before.typed || number.unreadable != before.unreadable)
        answerAgain();
    showNumber(number);
}

// Leaves a text that the user is typing, or that is not a number.
void DivisionsPage::showNumber(Number& number) {
    const bool isUnderHand = number.field->hasFocus() && number.field->isModified();
    if (number.unreadable.isEmpty() && !isUnderHand)
        number.field->setText(formatCount(number.value()));
    else
        number.field->setModified(false);
}

engine::Problems DivisionsPage::answer(const ModelQuestion& question) {
    const engine::Experiment& experiment = question.experiment;
    const engine::DivisionConfig& division = experiment.division;
    m_gpus.own = experiment.parallel.tp * division.pp * division.dp;
    m_sequences.own = experiment.workload.batch * division.microbatches * division.dp;
    engine::Problems problems;
    for (Number* number : {&m_gpus, &m_sequences}) {
        showNumber(*number);
        if (!number->unreadable.isEmpty())
            problems.push_back({number == &m_gpus ? "gpus" : "sequences", number->unreadable.toStdString(),
                                "not a whole number; allowed: 1 or more"});
    }
    data::DivisionsQuestion asked{withoutDivision(experiment), m_gpus.value(), m_sequences.value()};
    if (problems.empty())
        problems = data::divisionsProblems(asked);
    if (!problems.empty()) {
        stopSearch();
        m_searched.reset();
        return problems;
    }
    if (m_searched && isSameSearch(*m_searched, asked)) {
        if (m_found && !isSearching())
            showFound();  // the experiment's division may be another row now
        return {};
    }
    m_searched = asked;
    search(std::move(asked));
    return {};
}

void DivisionsPage::search(data::DivisionsQuestion asked) {
    m_worker.start(
        [this, asked = std::move(asked)](const Worker::Ticket& ticket) {
            data::DivisionsQuestion question = asked;
            question.stop = ticket.stop;
            question.progress = [&ticket](double fraction) { ticket.setProgress(fraction); };
            try {
                auto found = std::make_shared<const data::Divisions>(m_config.search(question));
                ticket.finish([this, found] { finish(found); });
            } catch (const engine::InvalidExperiment& error) {
                ticket.finish([this, problems = error.problems()] { fail(problemsHtml(problems)); });
            }
        },
        [this](const QString& text) { fail(text.toHtmlEscaped()); });
    m_progress->setValue(0);
    setHeadline(tr("Searching the divisions of %1…").arg(titleOfModel(question()->experiment.workload.model)));
    showSearching();
}

void DivisionsPage::finish(const std::shared_ptr<const data::Divisions>& found) {
    m_found = found;
    showFound();
    showSearching();
    Q_EMIT answered();
}

void DivisionsPage::fail(const QString& html) {
    m_found.reset();
    m_searched.reset();
    showSearching();
    say(tr("The search failed"), html);
    Q_EMIT answered();
}

void DivisionsPage::showFound() {
    const engine::Experiment& experiment = question()->experiment;
    const data::Division set = divisionOf(experiment);
    std::vector<ValueRow> rows;
    rows.reserve(m_found->rows.size());
    for (const data::Division& row : m_found->rows)
        rows.push_back(divisionRow(row, set, experiment.node.memory.has_value()));
    const auto all = static_cast<std::int64_t>(rows.size());
    m_table->showRows(divisionColumns(), std::move(rows));
    const QString what = tr("Training step of %1 with %2 sequences on %3 GPUs")
                             .arg(titleOfModel(experiment.workload.model), formatCount(m_sequences.value()),
                                  formatCount(m_gpus.value()));
    if (all == 0)
        setHeadline(tr("%1: no division is possible").arg(what));
    else if (!experiment.node.memory)
        setHeadline(tr("%1: %2 divisions, best first").arg(what, formatCount(all)));
    else
        setHeadline(tr("%1: %2 of %3 divisions fit into %4, best first")
                        .arg(what, formatCount(static_cast<std::int64_t>(m_found->fitting)), formatCount(all),
                             formatBytes(experiment.node.memory->count)));
    QString html =
        paragraph(tr("Press Return or double-click a row to give the experiment that division; one undo step restores "
                     "the previous division."));
    for (const engine::Notice& notice : m_found->notices)
        html += paragraph(
            tr("<b>Notice</b> %1: %2").arg(text(notice.path).toHtmlEscaped(), text(notice.text).toHtmlEscaped()));
    m_notes->setText(html);
}

void DivisionsPage::showSearching() {
    m_cancel->setVisible(isSearching());
    m_progress->setVisible(isSearching());
    m_start->setVisible(!isSearching());
}

void DivisionsPage::stopSearch() {
    m_worker.cancel();
    showSearching();
}

void DivisionsPage::cancel() {
    if (!isSearching())
        return;
    stopSearch();
    m_searched.reset();
    setHeadline(tr("Cancelled. Press Search to search the divisions again."));
}

QWidget* DivisionsPage::picture() const { return m_table; }

bool DivisionsPage::stepOut() {
    if (isSearching()) {
        cancel();
        return true;
    }
    const bool had = m_table->chosen().has_value();
    m_table->choose(std::nullopt);
    return had;
}

void DivisionsPage::save(QJsonObject& kept) const {
    const auto keep = [&](const char* key, const Number& number) {
        kept[QLatin1String(key)] = number.typed ? QString::number(*number.typed) : QString();
    };
    keep(kGpusKept, m_gpus);
    keep(kSequencesKept, m_sequences);
}

void DivisionsPage::restore(const QJsonObject& kept) {
    const auto take = [&](const char* key, Number& number) {
        bool isNumber = false;
        const std::int64_t value = kept[QLatin1String(key)].toString().toLongLong(&isNumber);
        number.typed = isNumber && value > 0 ? std::optional(value) : std::nullopt;
    };
    take(kGpusKept, m_gpus);
    take(kSequencesKept, m_sequences);
    answerAgain();
}

}  // namespace ui
