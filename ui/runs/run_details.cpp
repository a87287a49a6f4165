#include "ui/runs/run_details.h"

#include "data/document/value_places.h"
#include "engine/api/parameters.h"
#include "ui/look/format.h"
#include "ui/look/palette.h"
#include "ui/look/widget_parts.h"
#include "ui/runs/run_columns.h"

#include <QAction>
#include <QCoreApplication>
#include <QDateTime>
#include <QGridLayout>
#include <QScrollBar>
#include <QString>
#include <QTextBrowser>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

QString tr(const char* words) { return QCoreApplication::translate("RunPage", words); }
QString unbroken(const QString& words) { return words.toHtmlEscaped().replace(u' ', QStringLiteral("&nbsp;")); }

QString titled(const QString& words) {
    return QStringLiteral("<p style='margin:0; font-size:large; font-weight:600'>%1</p>").arg(words.toHtmlEscaped());
}

QString section(const QString& words) {
    return QStringLiteral("<p style='margin-top:14px; margin-bottom:4px; font-weight:600'>%1</p>")
        .arg(words.toHtmlEscaped());
}

QString soft(const QString& words, const Palette& colors) {
    return QStringLiteral("<p style='margin-top:2px; margin-bottom:0; color:%1'>%2</p>")
        .arg(colors.inkSoft.name(), words.toHtmlEscaped());
}

QString beginTable() { return QStringLiteral("<table width='100%' cellspacing='0' cellpadding='1'>"); }

/// Returns a row of a table; `value` is rich text.
QString fact(const QString& name, const QString& value, const Palette& colors) {
    return QStringLiteral("<tr><td style='color:%1; padding-right:10px'>%2</td><td align='right'>%3</td></tr>")
        .arg(colors.inkSoft.name(), name.toHtmlEscaped(), value);
}

/// Returns the experiment with its presets only, to compare values that were set by hand with the presets' values.
engine::Experiment underPresets(const data::ExperimentDraft& draft) {
    data::ExperimentDraft bare;
    for (const char* path : {"machine", "workload.model", "workload.sublayer", "policy.preset", "detail.level"}) {
        if (const auto found = draft.explicitValues.find(path); found != draft.explicitValues.end())
            bare.explicitValues.insert(*found);
    }
    return data::expand(bare).experiment;
}

/// Returns whether the run's title shows the parameter: model, sub-layer, parallel degree or policy.
bool isInName(const std::string& path) {
    return path == "workload.model" || path == "workload.sublayer" || path == "parallel.tp" || path == "policy.preset";
}

QString settingsOf(const KeptRun& run, const Palette& colors) {
    QString rows;
    const engine::Experiment bare = underPresets(run.draft);
    for (const engine::Parameter& parameter : engine::parameters()) {
        const auto set = run.draft.explicitValues.find(parameter.path);
        if (set == run.draft.explicitValues.end() || isInName(parameter.path))
            continue;
        const QString value = text(engine::formatValue(parameter, set->second));
        const engine::ParameterValue usual = parameter.read(bare);
        const QString beside =
            usual == set->second
                ? unbroken(value)
                : QStringLiteral("%1<br><span style='color:%2'>%3</span>")
                      .arg(unbroken(value), colors.inkFaint.name(),
                           unbroken(tr("instead of %1").arg(text(engine::formatValue(parameter, usual)))));
        rows += fact(text(parameter.label), beside, colors);
    }
    return section(tr("Set by hand")) + (rows.isEmpty() ? soft(tr("None: all values follow from presets."), colors)
                                                        : beginTable() + rows + QStringLiteral("</table>"));
}

QString resultsOf(const KeptRun& run, const Palette& colors) {
    QString html = section(tr("Result")) + beginTable();
    for (const data::Metric& metric : data::metrics()) {
        if (const std::optional<double> value = metric.read(run.result))
            html += fact(text(metric.label), unbroken(text(data::formatMetric(metric, *value))), colors);
    }
    return html + QStringLiteral("</table>");
}

QString noticesOf(const engine::RunResult& result, const Palette& colors) {
    QString html;
    if (!result.invariants.failed.empty()) {
        html += section(tr("Broken invariants"));
        for (const std::string& failed : result.invariants.failed)
            html += QStringLiteral("<p style='margin:0; color:%1'>%2</p>")
                        .arg(colors.error.name(), text(failed).toHtmlEscaped());
    }
    if (!result.notices.empty()) {
        html += section(tr("Notices"));
        for (const engine::Notice& notice : result.notices)
            html += soft(text(notice.path) + QStringLiteral(": ") + text(notice.text), colors);
    }
    return html;
}

QString comparedRow(const ComparedValue& value, const Palette& colors) {
    const auto marked = [&](const QString& words, bool better) {
        return better ? QStringLiteral("<b style='color:%1'>%2</b>").arg(colors.better.name(), unbroken(words))
                      : unbroken(words);
    };
    using Verdict = ComparedValue::Verdict;
    QString change = unbroken(value.difference);
    if (!value.ratio.isEmpty())
        change += QStringLiteral("<br>") + unbroken(value.ratio);
    return QStringLiteral("<tr><td style='color:%1'>%2</td><td align='right'>%3</td><td align='right'>%4</td>"
                          "<td align='right' style='color:%1'>%5</td></tr>")
        .arg(colors.inkSoft.name(), value.label.toHtmlEscaped(),
             marked(value.first, value.verdict == Verdict::firstBetter),
             marked(value.second, value.verdict == Verdict::secondBetter), change);
}

QString comparedTable(const std::vector<ComparedValue>& values, const Palette& colors) {
    QString html = QStringLiteral("<table width='100%' cellspacing='0' cellpadding='3'>");
    html +=
        QStringLiteral("<tr style='color:%1'><td></td><td align='right'><b>A</b></td><td align='right'><b>B</b></td>"
                       "<td align='right'>%2</td></tr>")
            .arg(colors.inkSoft.name(), unbroken(tr("B − A, B / A")));
    for (const ComparedValue& value : values)
        html += comparedRow(value, colors);
    return html + QStringLiteral("</table>");
}

/// Returns the page of one run: its notices, the values that were set by hand beside those of its presets, its results.
QString runPage(const KeptRun& run, const data::CatalogueRow& row, const Palette& colors) {
    QString html = titled(text(run.stored.name));
    html += soft(tr("kept %1, engine %2").arg(exactTimeText(run.stored.createdUnixMs), text(run.stored.engineVersion)),
                 colors);
    if (!row.note.empty())
        html += QStringLiteral("<p style='margin-top:8px; margin-bottom:0'>%1</p>").arg(text(row.note).toHtmlEscaped());
    if (!row.tags.empty())
        html += soft(tr("Tags: %1").arg(tagsText(row.tags)), colors);
    return html + noticesOf(run.result, colors) + settingsOf(run, colors) + resultsOf(run, colors);
}

QString comparisonPage(const KeptRun& first, const KeptRun& second, const Palette& colors) {
    const RunComparison comparison = compareRuns(first, second);
    QString html = titled(tr("Two runs compared"));
    html += soft(QStringLiteral("A: ") + text(first.stored.name), colors);
    html += soft(QStringLiteral("B: ") + text(second.stored.name), colors);
    if (comparison.parameters.empty()) {
        html += soft(tr("The same experiment%1.")
                         .arg(first.stored.engineVersion == second.stored.engineVersion
                                  ? QString()
                                  : tr(", under engine %1 and %2")
                                        .arg(text(first.stored.engineVersion), text(second.stored.engineVersion))),
                     colors);
    } else {
        html += section(tr("Differences")) + comparedTable(comparison.parameters, colors);
    }
    return html + section(tr("Result")) + comparedTable(comparison.metrics, colors);
}

/// Returns the page of several runs: their number, the shortest and the longest.
QString selectionPage(const std::vector<const data::CatalogueRow*>& rows, const Palette& colors) {
    QString html = titled(tr("%1 runs").arg(formatCount(static_cast<std::int64_t>(rows.size()))));
    if (rows.empty())
        return html;
    const auto shorter = [](const auto* a, const auto* b) { return a->totalPs < b->totalPs; };
    const auto [shortest, longest] = std::minmax_element(rows.begin(), rows.end(), shorter);
    html += section(tr("Total time")) + beginTable();
    const auto line = [&colors](const QString& name, const data::CatalogueRow& row) {
        return fact(name, unbroken(formatTime(row.totalPs)), colors) +
               QStringLiteral("<tr><td colspan='2' style='color:%1'>%2</td></tr>")
                   .arg(colors.inkFaint.name(), text(row.name).toHtmlEscaped());
    };
    html += line(tr("Shortest"), **shortest) + line(tr("Longest"), **longest);
    return html + QStringLiteral("</table>") + soft(tr("Select two runs to compare their values here."), colors);
}

/// Returns the page that is shown while no run is selected.
QString hintPage(const Palette& colors) {
    return titled(tr("No run selected")) +
           soft(tr("Select one run to see its settings and results, or two to compare them. Enter or a double "
                   "click opens the timeline."),
                colors);
}

constexpr int kButtonsInARow = 2;

const QString kNone = QStringLiteral("–");

QString ratioText(double first, double second) {
    // A ratio to zero, or of numbers with different signs, has no meaning.
    if (first == 0 || (first < 0) != (second < 0))
        return {};
    return QString::number(second / first, 'f', 3) + QStringLiteral("×");
}

QString signedText(bool negative, const QString& magnitude) { return QChar(negative ? 0x2212 : u'+') + magnitude; }

engine::ParameterValue magnitudeOf(const engine::Parameter& parameter, double difference) {
    if (parameter.kind == engine::ParameterKind::integer)
        return static_cast<std::int64_t>(std::llround(std::abs(difference)));
    return std::abs(difference);
}

ComparedValue compare(const engine::Parameter& parameter, const engine::ParameterValue& first,
                      const engine::ParameterValue& second) {
    ComparedValue row{parameter.path,
                      text(parameter.label),
                      text(engine::formatValue(parameter, first)),
                      text(engine::formatValue(parameter, second)),
                      {},
                      {}};
    const std::optional<double> a = data::numberOf(first), b = data::numberOf(second);
    if (a && b) {
        row.difference = signedText(*b < *a, text(engine::formatValue(parameter, magnitudeOf(parameter, *b - *a))));
        row.ratio = ratioText(*a, *b);
    }
    return row;
}

ComparedValue::Verdict verdictOf(data::Better better, double first, double second) {
    if (better == data::Better::neither || first == second)
        return ComparedValue::Verdict::none;
    const bool secondBetter = (second < first) == (better == data::Better::smaller);
    return secondBetter ? ComparedValue::Verdict::secondBetter : ComparedValue::Verdict::firstBetter;
}

ComparedValue compare(const data::Metric& metric, std::optional<double> first, std::optional<double> second) {
    const auto valueText = [&metric](std::optional<double> value) {
        return value ? text(data::formatMetric(metric, *value)) : kNone;
    };
    ComparedValue row{metric.path, text(metric.label), valueText(first), valueText(second), {}, {}};
    if (!first || !second)
        return row;
    row.difference =
        *first == *second ? QStringLiteral("=") : signedText(*second < *first, valueText(std::abs(*second - *first)));
    row.ratio = *first == *second ? QString() : ratioText(*first, *second);
    row.verdict = verdictOf(metric.better, *first, *second);
    return row;
}

}  // namespace

RunComparison compareRuns(const KeptRun& first, const KeptRun& second) {
    RunComparison comparison;
    for (const engine::Parameter& parameter : engine::parameters()) {
        const engine::ParameterValue a = parameter.read(first.experiment), b = parameter.read(second.experiment);
        if (a != b)
            comparison.parameters.push_back(compare(parameter, a, b));
    }
    for (const data::Metric& metric : data::metrics()) {
        const std::optional<double> a = metric.read(first.result), b = metric.read(second.result);
        if (a || b)
            comparison.metrics.push_back(compare(metric, a, b));
    }
    return comparison;
}

RunDetails::RunDetails(QWidget* parent)
    : QWidget(parent), m_page(new QTextBrowser(this)), m_buttons(new QWidget(this)) {
    setObjectName(QStringLiteral("runDetails"));
    setNames(*m_page, QStringLiteral("runPage"), tr("Details of the selected runs"));
    m_page->setFrameShape(QFrame::NoFrame);
    m_page->document()->setDocumentMargin(fontMetrics().height() * 0.6);
    setMinimumWidth(fontMetrics().averageCharWidth() * 40);  // the width that its tables need
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
