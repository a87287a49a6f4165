#include "data/results/group_json.h"
#include "data/results/model_point_fields.h"
#include "data/results/result_json.h"

namespace data {

std::optional<StepTime> stepTimeOf(const ModelPoint& point) {
    if (point.step || !point.time)
        return point.step;
    const engine::Duration exposed = point.time->exposed();
    return StepTime{point.time->total() - exposed, exposed};
}

ResultJson modelPointJson(const ModelPoint& point) {
    ResultJson document{{"of", name(point.subject)}};
    if (point.projection) {
        document["projected"] = {{"from", point.projection->from}};
        document["projected"].update(groupJson(*point.projection));
    }
    if (point.time)
        document["model_ps"] = groupJson(*point.time);
    if (point.step) {
        document["step_ps"] = groupJson(*point.step);
        document["bubble_share"] = point.step->bubbleShare;
    }
    if (point.ratios)
        document.update(groupJson(*point.ratios));
    if (point.shares)
        document["time_share"] = groupJson(*point.shares);
    document["footprint_bytes"] = groupJson(point.footprint);
    document["of_layers_bytes"] = groupJson(point.ofLayers);
    if (point.fit)
        document.update(groupJson(*point.fit));
    ResultJson& messages = document["messages"];
    messages = groupJson(point.messages);
    for (std::size_t i = 0; i < kMessageKeys.size(); ++i)
        messages[kMessageKeys[i].key] = groupJson(point.byGroup[i]);
    document.update(groupJson(point.messageRatios));
    document["notices"] = noticesJson(point.notices);
    return document;
}

}  // namespace data
