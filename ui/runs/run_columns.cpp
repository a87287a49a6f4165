#include "ui/runs/run_columns.h"
#include "ui/look/format.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

constexpr std::int64_t kSecondMs = 1'000, kMinuteMs = 60 * kSecondMs, kHourMs = 60 * kMinuteMs;

QString words(const char* sentence) { return QCoreApplication::translate("RunColumns", sentence); }

std::vector<RunColumn> ownColumns() {
    const QString run = words("Run");
    return {
        {run_column::name, words("Experiment"), run, words("Workload, parallel degree and policy")},
        {run_column::when, words("When"), run, words("When the run was kept"), nullptr, nullptr, true},
        {run_column::tags, words("Tags"), run, words("Your own words for the run; edit them in place")},
        {run_column::note, words("Note"), run, words("Your own line about the run; edit it in place")},
        {run_column::engine, words("Engine"), run, words("Version of the simulator that made the run")},
    };
}

RunColumn columnOf(const engine::Parameter& parameter) {
    const bool isNumber =
        parameter.kind == engine::ParameterKind::integer || parameter.kind == engine::ParameterKind::real;
    return {parameter.path,
            text(parameter.label),
            text(engine::name(parameter.group)),
            text(parameter.meaning),
            &parameter,
            nullptr,
            isNumber};
}

RunColumn columnOf(const data::Metric& metric) {
    return {metric.path, text(metric.label), words("Result"), text(metric.meaning), nullptr, &metric, true};
}

engine::ParameterValue parameterValue(const engine::Parameter& parameter, const data::CatalogueValue& value) {
    if (const auto* word = std::get_if<std::string>(&value))
        return *word;
    const double number = std::get<double>(value);
    if (parameter.kind == engine::ParameterKind::real)
        return number;
    return static_cast<std::int64_t>(std::llround(number));
}

}  // namespace

std::optional<RunColumn> runColumn(const std::string& path) {
    for (RunColumn& own : ownColumns()) {
        if (own.path == path)
            return std::move(own);
    }
    if (const data::Metric* metric = data::findMetric(path))
        return columnOf(*metric);
    if (const engine::Parameter* parameter = engine::findParameter(path))
        return columnOf(*parameter);
    return std::nullopt;
}

std::vector<RunColumn> allRunColumns() {
    std::vector<RunColumn> all = ownColumns();
    for (const data::Metric& metric : data::metrics())
        all.push_back(columnOf(metric));
    for (const engine::Parameter& parameter : engine::parameters())
        all.push_back(columnOf(parameter));
    return all;
}

const std::vector<std::string>& usualRunColumns() {
    static const std::vector<std::string> kUsual{run_column::name,  "time_ps.total",  "speedup_over_sequential",
                                                 "time_ps.exposed", "link.bandwidth", run_column::when,
                                                 run_column::tags,  run_column::note};
    return kUsual;
}

QString runValueText(const RunColumn& column, const data::CatalogueValue& value) {
    if (std::holds_alternative<std::monostate>(value))
        return QStringLiteral("–");
    if (column.metric != nullptr && std::holds_alternative<double>(value))
        return text(data::formatMetric(*column.metric, std::get<double>(value)));
    if (column.parameter != nullptr)
        return text(engine::formatValue(*column.parameter, parameterValue(*column.parameter, value)));
    return std::holds_alternative<std::string>(value) ? text(std::get<std::string>(value)) : QStringLiteral("–");
}

QString whenText(std::int64_t unixMs, std::int64_t nowUnixMs) {
    const std::int64_t ago = nowUnixMs - unixMs;
    const QDateTime when = QDateTime::fromMSecsSinceEpoch(unixMs), now = QDateTime::fromMSecsSinceEpoch(nowUnixMs);
    // Includes times in the future, which occur if the clock was set back.
    if (ago < kMinuteMs)
        return words("just now");
    if (ago < kHourMs)
        return words("%1 min ago").arg(ago / kMinuteMs);
    if (when.date() == now.date())
        return words("today %1").arg(when.toString(QStringLiteral("HH:mm")));
    if (when.date().addDays(1) == now.date())
        return words("yesterday %1").arg(when.toString(QStringLiteral("HH:mm")));
    return when.toString(QStringLiteral("yyyy-MM-dd HH:mm"));
}

QString exactTimeText(std::int64_t unixMs) {
    return QDateTime::fromMSecsSinceEpoch(unixMs).toString(QStringLiteral("yyyy-MM-dd HH:mm:ss t"));
}

QString tagsText(const std::vector<std::string>& tags) {
    QStringList texts;
    for (const std::string& tag : tags)
        texts << text(tag);
    return texts.join(QLatin1Char(' '));
}

std::vector<std::string> tagsFrom(const QString& typed) {
    static const QRegularExpression kBetween(QStringLiteral("[\\s,;]+"));
    std::vector<std::string> tags;
    for (const QString& word : typed.split(kBetween, Qt::SkipEmptyParts))
        tags.push_back(word.toStdString());
    std::sort(tags.begin(), tags.end());
    tags.erase(std::unique(tags.begin(), tags.end()), tags.end());
    return tags;
}

}  // namespace ui
