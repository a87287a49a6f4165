#include "data/page/page_fit.h"

#include "data/document/value_places.h"

#include <array>
#include <vector>

namespace data {
namespace {

using engine::LaneKind;

struct FitStep {
    const char* name;
    std::vector<LaneKind> lanes;
};

/// The kinds of lanes that lose their spans, in this order.
const std::vector<FitStep>& fitSteps() {
    static const std::vector<FitStep> kSteps{{"loads", {LaneKind::loads}},
                                             {"DRAM channels", {LaneKind::dramChannel}},
                                             {"stores", {LaneKind::stores}},
                                             {"links", {LaneKind::linkOut, LaneKind::linkIn}},
                                             {"tracked tiles", {LaneKind::tracker}}};
    return kSteps;
}

constexpr std::int64_t kFewBuckets = 1'024;

std::vector<BlockDetail> makeDetails() {
    std::vector<BlockDetail> details(1);
    for (const FitStep& step : fitSteps()) {
        BlockDetail detail = details.back();
        for (const LaneKind lane : step.lanes)
            detail.busy[static_cast<std::size_t>(lane)] = true;
        details.push_back(detail);
    }
    details.push_back(details.back());
    details.back().buckets = kFewBuckets;
    details.push_back(details.back());
    details.back().counters = false;
    return details;
}

}  // namespace

std::span<const BlockDetail> blockDetails() {
    static const std::vector<BlockDetail> kDetails = makeDetails();
    return kDetails;
}

std::string wordsOf(const BlockDetail& detail) {
    if (detail.isExact())
        return "every span exact";
    std::vector<std::string> names;
    for (const FitStep& step : fitSteps()) {
        if (detail.busy[static_cast<std::size_t>(step.lanes.front())])
            names.emplace_back(step.name);
    }
    if (!detail.counters)
        names.emplace_back("counters");
    std::string words = "sums of " + groupedNumber(detail.buckets) + " periods for ";
    for (std::size_t i = 0; i < names.size(); ++i)
        words += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
    return words + ", all else exact";
}

}  // namespace data
