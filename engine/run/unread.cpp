#include "engine/run/unread.h"

#include "engine/api/parameters.h"

#include <string>

namespace engine {

void addUnreadParallelWork(const Experiment& experiment, Notices& notices) {
    for (const Parameter& parameter : parameters()) {
        const ParameterValue value = parameter.read(experiment);
        if (parameter.reading.whyNot == nullptr || value == parameter.defaultValue || value == parameter.leftOutValue)
            continue;
        if (const std::string why = parameter.reading.whyNot(experiment); !why.empty())
            notices.push_back({parameter.path, "not read: " + why});
    }
}

}  // namespace engine
