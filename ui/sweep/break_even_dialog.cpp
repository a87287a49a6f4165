#include "ui/sweep/break_even_dialog.h"

#include "data/experiment/experiment_document.h"
#include "data/presets/presets.h"
#include "data/results/metrics.h"
#include "ui/look/format.h"
#include "ui/look/palette.h"
#include "ui/look/widget_parts.h"
#include "ui/shared/axis_draft.h"
#include "ui/shared/sweep_model.h"
#include "ui/shared/sweep_session.h"
#include "ui/sweep/sweep_words.h"

#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace ui {
namespace {

/// Returns a parameter with the metric's unit and without bounds, so that the parser of parameters reads a target.
engine::Parameter quantityOf(const data::Metric& metric) {
    engine::Parameter parameter;
    parameter.path = metric.path;
    parameter.label = metric.label;
    parameter.unit = metric.unit;
    parameter.kind =
        metric.unit == engine::ParameterUnit::none ? engine::ParameterKind::real : engine::ParameterKind::integer;
    parameter.maximum = 9e18;
    return parameter;
}

QString sideWords(const data::BreakEvenQuestion& question) {
    const data::Metric& metric = *data::findMetric(question.metric);
    const QString side = question.below ? BreakEvenDialog::tr("at most") : BreakEvenDialog::tr("at least");
    if (question.against.empty())
        return QStringLiteral("%1 %2").arg(side, text(data::formatMetric(metric, question.target)));
    const QString other = titleOfPolicy(question.against);
    if (question.target == 1)
        return BreakEvenDialog::tr("%1 that of %2").arg(side, other);
    return BreakEvenDialog::tr("%1 %2 times that of %3").arg(side).arg(question.target).arg(other);
}

// Returns for which values of other axes, and under which policy, the answer holds: "With Entries 256, under T3-MCA:".
QString fixedWords(const data::BreakEvenQuestion& question) {
    QStringList parts;
    const engine::Experiment experiment = data::expandValues(question.draft).experiment;
    for (const std::string& path : question.fixed) {
        const engine::Parameter& parameter = *engine::findParameter(path);
        parts << BreakEvenDialog::tr("%1 %2").arg(text(parameter.label),
                                                  text(engine::formatValue(parameter, parameter.read(experiment))));
    }
    QString words = parts.isEmpty() ? QString() : BreakEvenDialog::tr("With %1").arg(parts.join(QStringLiteral(", ")));
    const auto policy = question.draft.explicitValues.find("policy.preset");
    if (policy != question.draft.explicitValues.end()) {
        const QString under = titleOfPolicy(std::get<std::string>(policy->second));
        words = words.isEmpty() ? BreakEvenDialog::tr("Under %1").arg(under)
                                : BreakEvenDialog::tr("%1, under %2").arg(words, under);
    }
    return words.isEmpty() ? words : words + QLatin1Char(':');
}

QString runWords(const data::BreakEven& answer) {
    const std::size_t all = answer.ran + answer.reused;
    if (answer.reused == 0)
        return BreakEvenDialog::tr("The search took %1 runs.").arg(all);
    return BreakEvenDialog::tr("The search took %1 runs, %2 of them from the store.").arg(all).arg(answer.reused);
}

// Returns one sentence for all stretches, because separate sentences could contradict each other about a value.
QString stretchesWords(const data::BreakEven& answer, const QString& holds, const engine::Parameter& parameter) {
    const auto value = [&](std::size_t step) { return text(engine::formatValue(parameter, answer.steps[step].value)); };
    QStringList where, notAt;
    // Only the first value has the name of the parameter before it.
    const auto first = [&](std::size_t step) {
        return (where.isEmpty() ? text(parameter.label) + QLatin1Char(' ') : QString()) + value(step);
    };
    for (const data::BreakEvenStretch& stretch : data::holdingStretches(answer)) {
        if (!stretch.below)
            where << BreakEvenDialog::tr("up to %1").arg(first(stretch.largest));
        else if (!stretch.above)
            where << BreakEvenDialog::tr("from %1 on").arg(first(stretch.smallest));
        else if (stretch.smallest == stretch.largest)
            where << BreakEvenDialog::tr("at %1").arg(first(stretch.smallest));
        else
            where << BreakEvenDialog::tr("from %1 to %2").arg(first(stretch.smallest), value(stretch.largest));
        for (const std::optional<std::size_t> step : {stretch.below, stretch.above}) {
            if (step && !notAt.contains(value(*step)))
                notAt << value(*step);
        }
    }
    return BreakEvenDialog::tr("%1 %2; not at %3.")
        .arg(holds, where.join(BreakEvenDialog::tr(", and ")), notAt.join(BreakEvenDialog::tr(" or ")));
}

}  // namespace

QString wordsOf(const data::BreakEvenQuestion& question, const data::BreakEven& answer) {
    const engine::Parameter& parameter = *engine::findParameter(question.parameter);
    const QString metric = text(data::findMetric(question.metric)->label);
    const auto value = [&parameter](const data::BreakEvenStep& step) {
        return text(engine::formatValue(parameter, step.value));
    };
    const QString what = sideWords(question);
    QStringList sentences;
    if (const QString fixed = fixedWords(question); !fixed.isEmpty())
        sentences << fixed;
    if (answer.crossings.empty()) {
        sentences << (answer.holdsEverywhere()
                          ? BreakEvenDialog::tr("%1 is %2 at all %3 values that were tried from %4 to %5.")
                          : BreakEvenDialog::tr("%1 is %2 at none of the %3 values that were tried from %4 to %5."))
                         .arg(metric, what)
                         .arg(data::answeredSteps(answer))
                         .arg(value(answer.steps.front()), value(answer.steps.back()));
    } else {
        sentences << stretchesWords(answer, BreakEvenDialog::tr("%1 is %2").arg(metric, what), parameter);
    }
    if (!answer.monotone())
        sentences << BreakEvenDialog::tr(
            "The metric rises and falls over the range, so it may cross the target at more values, which were "
            "not tried.");
    sentences << runWords(answer);
    if (!answer.keepFailure.empty())
        sentences << text(answer.keepFailure);
    return sentences.join(QLatin1Char(' '));
}

BreakEvenDialog::BreakEvenDialog(const SweepModel& model, SweepSession& session, QWidget* parent)
    : QDialog(parent), m_model(model), m_session(session), m_parameter(new QComboBox(this)),
      m_policy(new QComboBox(this)), m_metric(new QComboBox(this)), m_side(new QComboBox(this)),
      m_against(new QComboBox(this)), m_from(new QLineEdit(this)), m_to(new QLineEdit(this)),
      m_target(new QLineEdit(this)), m_form(new QFormLayout), m_answer(newWrappedLabel(this, QStringLiteral("answer"))),
      m_progress(new QProgressBar(this)),
      m_find(newButton(tr("&Find"), QStringLiteral("find"), this, this, &BreakEvenDialog::ask)) {
    setObjectName(QStringLiteral("breakEven"));
    setWindowTitle(tr("Find Break-Even"));
    buildFields();
    fillFromSweep();
    connect(m_parameter, &QComboBox::activated, this, &BreakEvenDialog::proposeEnds);
    connect(m_parameter, &QComboBox::currentIndexChanged, this, &BreakEvenDialog::showFixedAxes);
    connect(m_metric, &QComboBox::activated, this, &BreakEvenDialog::proposeTarget);
    connect(&m_session, &SweepSession::solved, this, [this](const std::shared_ptr<const data::BreakEven>& answer) {
        showAsking(false);
        say(wordsOf(m_asked, *answer), false);
    });
    connect(&m_session, &SweepSession::solveFailed, this, [this](const QString& words) {
        showAsking(false);
        say(words, true);
    });
    showAsking(false);
}

BreakEvenDialog::~BreakEvenDialog() { m_session.cancelSolving(); }

void BreakEvenDialog::buildFields() {
    m_parameter->setObjectName(QStringLiteral("parameter"));
    m_metric->setObjectName(QStringLiteral("metric"));
    m_answer->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_answer->setMinimumHeight(fontMetrics().lineSpacing() * 4);
    m_answer->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    setNames(*m_from, QStringLiteral("from"), tr("From"));
    setNames(*m_to, QStringLiteral("to"), tr("To"));
    setNames(*m_target, QStringLiteral("target"), tr("Target"));
    setNames(*m_side, QStringLiteral("side"), tr("At most or at least the target"));
    setNames(*m_against, QStringLiteral("against"), tr("How the target is given"));
    auto* ends = new QHBoxLayout;
    ends->addWidget(m_from, 1);
    ends->addWidget(new QLabel(tr("to"), this));
    ends->addWidget(m_to, 1);
    auto* target = new QHBoxLayout;
    target->addWidget(m_side);
    target->addWidget(m_target, 1);
    target->addWidget(m_against, 1);
    m_form->addRow(tr("Find the value of the &parameter"), m_parameter);
    m_form->addRow(tr("between"), ends);
    addFixedAxes();
    m_form->addRow(tr("under the p&olicy"), m_policy);
    m_form->addRow(tr("where the &metric"), m_metric);
    m_form->addRow(tr("is"), target);
    m_progress->setRange(0, 0);
    m_progress->setTextVisible(false);
    m_progress->setFixedHeight(6);
    auto* buttons = new QHBoxLayout;
    buttons->addStretch(1);
    addWidgets(*buttons, {newButton(tr("&Close"), {}, this, this, &QDialog::close), m_find});
    auto* column = new QVBoxLayout(this);
    column->setSpacing(10);
    column->addLayout(m_form);
    column->addWidget(m_progress);
    column->addWidget(m_answer, 1);
    column->addLayout(buttons);
    setMinimumWidth(fontMetrics().averageCharWidth() * 72);
    m_find->setDefault(true);
}

void BreakEvenDialog::addFixedAxes() {
    const engine::Experiment base = data::expandValues(m_model.sweep().base).experiment;
    for (const data::SweepAxis& axis : m_model.sweep().axes) {
        auto* box = new QComboBox(this);
        box->setObjectName(QStringLiteral("fixed"));
        const data::AxisColumn& first = axis.columns.front();
        const engine::Parameter& parameter = *engine::findParameter(first.path);
        for (std::size_t i = 0; i < axis.size(); ++i) {
            QStringList values;
            for (const data::AxisColumn& column : axis.columns)
                values << text(engine::formatValue(*engine::findParameter(column.path), column.values[i]));
            box->addItem(values.join(QStringLiteral(", ")));
            if (first.values[i] == parameter.read(base))
                box->setCurrentIndex(static_cast<int>(i));
        }
        m_form->addRow(tr("with %1").arg(text(parameter.label)), box);
        m_fixed.push_back({axis, box});
    }
}

void BreakEvenDialog::showFixedAxes() {
    const std::string asked = m_parameter->currentData().toString().toStdString();
    for (const FixedAxis& fixed : m_fixed) {
        const bool isAsked = std::ranges::any_of(fixed.axis.columns,
                                                 [&](const data::AxisColumn& column) { return column.path == asked; });
        m_form->setRowVisible(fixed.box, !isAsked);
    }
}

void BreakEvenDialog::fixOtherAxes(data::BreakEvenQuestion& question) const {
    for (const FixedAxis& fixed : m_fixed) {
        const auto value = static_cast<std::size_t>(std::max(0, fixed.box->currentIndex()));
        for (const data::AxisColumn& column : fixed.axis.columns) {
            if (column.path == question.parameter)
                continue;
            question.fixed.push_back(column.path);
            // An axis with the parameter in question has no chooser: its other parameters keep the form's values.
            if (m_form->isRowVisible(fixed.box))
                question.draft.explicitValues.insert_or_assign(column.path, column.values[value]);
        }
    }
}

void BreakEvenDialog::fillFromSweep() {
    for (const engine::Parameter& parameter : engine::parameters()) {
        if (canHaveRange(parameter))
            m_parameter->addItem(
                QStringLiteral("%1: %2").arg(text(engine::name(parameter.group)), text(parameter.label)),
                text(parameter.path));
    }
    for (const data::Preset& policy : data::policies()) {
        m_policy->addItem(text(policy.title), text(policy.name));
        m_against->addItem(tr("times that of %1").arg(text(policy.title)), text(policy.name));
    }
    m_against->insertItem(0, tr("as a fixed value"), QString());
    m_against->setCurrentIndex(0);
    for (const data::Metric& metric : data::metrics())
        m_metric->addItem(text(metric.label), text(metric.path));
    m_side->addItem(tr("at most"), true);
    m_side->addItem(tr("at least"), false);
    const std::string metric = m_model.metrics().empty() ? "speedup_over_sequential" : m_model.metrics().front();
    m_metric->setCurrentIndex(m_metric->findData(text(metric)));
    proposeTarget();
    if (!m_model.policies().empty())
        m_policy->setCurrentIndex(m_policy->findData(text(m_model.policies().back())));
    m_parameter->setCurrentIndex(m_parameter->findData(QStringLiteral("link.bandwidth")));
    for (const AxisDraft& axis : m_model.axes()) {
        const int index = m_parameter->findData(text(axis.columns.front().path));
        if (index >= 0) {
            m_parameter->setCurrentIndex(index);
            break;
        }
    }
    showFixedAxes();
    proposeEnds();
}

void BreakEvenDialog::proposeEnds() {
    const std::string path = m_parameter->currentData().toString().toStdString();
    const engine::Parameter& parameter = *engine::findParameter(path);
    AxisReading reading = readAxis(defaultAxis(parameter, parameter.defaultValue));
    for (const data::SweepAxis& axis : m_model.sweep().axes) {
        for (const data::AxisColumn& column : axis.columns) {
            if (column.path == path && !column.values.empty())
                reading.axis = {{column}};
        }
    }
    if (reading.axis.size() == 0)
        return;
    const std::vector<engine::ParameterValue>& values = reading.axis.columns.front().values;
    m_from->setText(text(engine::formatValue(parameter, values.front())));
    m_to->setText(text(engine::formatValue(parameter, values.back())));
}

void BreakEvenDialog::proposeTarget() {
    const std::string path = m_metric->currentData().toString().toStdString();
    const data::Metric* metric = data::findMetric(path);
    m_side->setCurrentIndex(metric != nullptr && metric->better == data::Better::larger ? 1 : 0);
    // A ratio to the sequential run gets a number as its target, any other metric that of the sequential run.
    const bool isRatio = path == "speedup_over_sequential";
    m_against->setCurrentIndex(isRatio ? 0 : m_against->findData(QStringLiteral("sequential")));
    m_target->setText(isRatio ? QStringLiteral("1.2") : QStringLiteral("1"));
}

std::optional<data::BreakEvenQuestion> BreakEvenDialog::question() {
    data::BreakEvenQuestion question;
    question.draft = m_model.sweep().base;
    question.draft.explicitValues["policy.preset"] = m_policy->currentData().toString().toStdString();
    question.parameter = m_parameter->currentData().toString().toStdString();
    question.metric = m_metric->currentData().toString().toStdString();
    question.below = m_side->currentData().toBool();
    question.against = m_against->currentData().toString().toStdString();
    fixOtherAxes(question);
    engine::Problems problems;
    const engine::Parameter& parameter = *engine::findParameter(question.parameter);
    const QStringList ends{withUnitOf(parameter, m_from->text(), m_to->text()),
                           withUnitOf(parameter, m_to->text(), m_from->text())};
    const auto from = engine::parseValue(parameter, ends[0].trimmed().toStdString(), problems);
    const auto to = engine::parseValue(parameter, ends[1].trimmed().toStdString(), problems);
    engine::Parameter quantity = quantityOf(*data::findMetric(question.metric));
    if (!question.against.empty()) {
        quantity.unit = engine::ParameterUnit::none;
        quantity.kind = engine::ParameterKind::real;
    }
    const auto target = engine::parseValue(quantity, m_target->text().trimmed().toStdString(), problems);
    if (from && to && target) {
        question.from = *from;
        question.to = *to;
        question.target = std::holds_alternative<double>(*target)
                              ? std::get<double>(*target)
                              : static_cast<double>(std::get<std::int64_t>(*target));
        problems = data::check(question);
    }
    if (problems.empty())
        return question;
    say(text(engine::describe(problems.front())), true);
    return std::nullopt;
}

void BreakEvenDialog::ask() {
    if (m_session.isSolving()) {
        m_session.cancelSolving();
        showAsking(false);
        say(tr("Cancelled. Finished runs are kept."), false);
        return;
    }
    const std::optional<data::BreakEvenQuestion> read = question();
    if (!read)
        return;
    m_asked = *read;
    say(m_session.isRunning() ? tr("Waiting for the sweep to end…") : tr("Searching…"), false);
    m_session.solve(m_asked);
    showAsking(true);
}

void BreakEvenDialog::say(const QString& words, bool isProblem) {
    setInk(*m_answer, isProblem ? paletteOf(*this).error : paletteOf(*this).ink);
    m_answer->setText(words);
}

void BreakEvenDialog::showAsking(bool asking) {
    m_progress->setVisible(asking);
    m_find->setText(asking ? tr("&Stop") : tr("&Find"));
}

QString BreakEvenDialog::answer() const { return m_answer->text(); }

}  // namespace ui
