#include "data/sweep/sweep_axes_text.h"

#include "data/document/document_body.h"
#include "engine/api/parameters.h"

namespace data {

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
    return axes.empty() ? joinedNames(sweep.policies, " and ") : axes;
}

}  // namespace data
