#include "data/page/page_fit.h"

#include "data/document/packed_bytes.h"
#include "data/document/problem_list.h"
#include "data/document/readable_number.h"
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

/// Returns false if run blocks cannot fit into a page of `most` bytes. Packing them well takes ten times as long as
/// packing them quickly, and makes them no more than a third smaller.
bool mayFit(const std::vector<std::string>& runBlocks, std::size_t most) {
    std::size_t packed = 0;
    for (const std::string& block : runBlocks)
        packed += gzipped(block, Packing::quick).size();
    return packed / 3 * 2 / 3 * 4 <= most;
}

/// Refuses a run whose times a page cannot tell exactly.
void refuseLongRuns(const std::vector<const LaboratoryRun*>& recorded) {
    engine::Problems problems;
    for (const LaboratoryRun* run : recorded) {
        if (run->result.trace->end.ps >= kRunBlockEnd)
            problems.push_back({"EXPERIMENT", run->name,
                                "lasts " + readableTime(run->result.trace->end.ps).text() +
                                    "; a page tells times below 2^53 ps (2.5 hours) exactly"});
    }
    refuseAny(std::move(problems));
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

Page fitPage(PageParts parts, const std::vector<const LaboratoryRun*>& recorded, std::size_t most) {
    refuseLongRuns(recorded);
    Page page;
    for (const LaboratoryRun* run : recorded)
        page.spans += run->result.trace->spanCount();
    for (const BlockDetail& detail : blockDetails()) {
        parts.runBlocks.clear();
        for (const LaboratoryRun* run : recorded)
            parts.runBlocks.push_back(writeRunBlock(*run->result.trace, run->result.path.get(), detail));
        page.detail = detail;
        if (&detail != &blockDetails().back() && !mayFit(parts.runBlocks, most))
            continue;
        page.html = writePage(parts);
        if (page.html.size() <= most)
            return page;
    }
    throw engine::InvalidExperiment(
        {{"--max-size", readableBytes(static_cast<std::int64_t>(most)).text(),
          "the page has " + readableBytes(static_cast<std::int64_t>(page.html.size())).text() + " even with " +
              wordsOf(page.detail) + "; allowed: at least that, or a coarser detail.level"}});
}

}  // namespace data
