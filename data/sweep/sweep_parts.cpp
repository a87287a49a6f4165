#include "data/document/names.h"
#include "data/sweep/sweep_document.h"

namespace data {

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

}  // namespace data
