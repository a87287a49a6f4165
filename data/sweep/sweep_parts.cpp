#include "data/document/names.h"
#include "data/results/shared_notices.h"
#include "data/sweep/sweep_document.h"
#include "engine/api/parameters.h"

#include <numeric>

namespace data {
namespace {

std::vector<std::size_t> everyIndex(std::size_t count) {
    std::vector<std::size_t> indices(count);
    std::iota(indices.begin(), indices.end(), std::size_t{0});
    return indices;
}

engine::Notices sharedOf(const SweepTable& table, const std::vector<std::size_t>& points) {
    const auto rowOf = [&](std::size_t i) -> const SweepRow& { return table.rows[points[i]]; };
    return sharedNotices({points.size(), [&](std::size_t i) -> const engine::Notices& { return rowOf(i).notices; },
                          [&](std::size_t i) { return pointText(table.sweep, rowOf(i).at, rowOf(i).policy); },
                          "points"});
}

}  // namespace

const std::vector<std::string>& footprintPolicies() {
    static const std::vector<std::string> kPolicies{std::string(name(ResultSubject::footprint))};
    return kPolicies;
}

std::vector<std::string> usualMetrics(ResultSubject of) {
    switch (of) {
    case ResultSubject::run: return {"speedup_over_sequential", "time_ps.total"};
    case ResultSubject::footprint: return {"footprint_bytes.total", "messages.sent_bytes"};
    case ResultSubject::training:
    case ResultSubject::prompt:
    case ResultSubject::generation: break;
    }
    return {"model_speedup_over_sequential", "model_ps.total"};
}

void setInBase(const Settings& settings, Sweep& sweep, engine::Problems& problems) {
    for (const auto& [path, value] : settings) {
        const std::string text = engine::formatValue(*engine::findParameter(path), value);
        if (path == "policy.preset") {
            problems.push_back({path, text, "compared by the sweep; change its list \"policies\""});
            continue;
        }
        if (isAmong(axisPaths(sweep), path))
            problems.push_back({path, text, "an axis of the sweep; change its values there"});
        sweep.base.explicitValues.insert_or_assign(path, value);
    }
}

std::vector<std::string> axisPaths(const Sweep& sweep) {
    std::vector<std::string> paths;
    for (const SweepAxis& axis : sweep.axes) {
        for (const AxisColumn& column : axis.columns)
            paths.push_back(column.path);
    }
    return paths;
}

std::string axesText(const Sweep& sweep) {
    std::string axes;
    for (const SweepAxis& axis : sweep.axes) {
        std::string names;
        for (const AxisColumn& column : axis.columns) {
            const engine::Parameter* parameter = engine::findParameter(column.path);
            names += (names.empty() ? "" : " with ") + (parameter ? parameter->label : column.path);
        }
        axes += (axes.empty() ? "" : " × ") + names;
    }
    if (!axes.empty())
        return axes;
    return isTimed(sweep.of) ? joinedNames(sweep.policies, " and ") : std::string(name(sweep.of));
}

std::string pointText(const Sweep& sweep, const std::vector<std::size_t>& at, std::size_t policy) {
    std::string text;
    for (std::size_t i = 0; i < sweep.axes.size(); ++i) {
        for (const AxisColumn& column : sweep.axes[i].columns)
            text += column.path + "=" + engine::formatValue(*engine::findParameter(column.path), column.values[at[i]]) +
                    " ";
    }
    if (isTimed(sweep.of))
        return text + sweep.policies[policy];
    text.resize(text.empty() ? 0 : text.size() - 1);
    return text;
}

engine::Notices noticesOf(const SweepTable& table) { return sharedOf(table, everyIndex(table.rows.size())); }

engine::Notices qualifyingNotices(const SweepTable& table) { return qualifying(noticesOf(table)); }

engine::Notices qualifyingNotices(const SweepTable& table, const std::vector<std::size_t>& points) {
    return qualifying(sharedOf(table, points));
}

}  // namespace data
