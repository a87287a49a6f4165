#include "data/page/run_facts.h"

#include "data/page/page_words.h"
#include "data/replay/last_wave.h"
#include "data/replay/shown_run.h"
#include "data/results/result_document.h"
#include "engine/api/run_parts.h"

namespace data {
namespace {

PageJson headlineJson(const HeadlineNumber& number, const engine::RunResult& result) {
    PageJson json{{"title", titleOf(number)}};
    if (number.time)
        json["ps"] = number.time->ps;
    if (number.ratio)
        json["ratio"] = *number.ratio;
    if (const std::string_view role = roleOf(number); !role.empty())
        json["role"] = role;
    if (const std::string remark = remarkOf(number, result); !remark.empty())
        json["remark"] = remark;
    return json;
}

PageJson headlinesJson(const engine::RunResult& result) {
    PageJson json = PageJson::array();
    for (const HeadlineNumber& number : headlineNumbersOf(result))
        json.push_back(headlineJson(number, result));
    return json;
}

PageJson lastWavesJson(const LaboratoryRun& run) {
    PageJson json = PageJson::array();
    if (!run.result.trace)
        return json;
    const ShownRun shown{.run = run, .index = TraceIndex(run.result.trace)};
    for (std::uint32_t gpu = 0; gpu < run.result.trace->recordedGpus(); ++gpu) {
        const LastWave last = lastWaveOf(shown, gpu);
        PageJson empty = PageJson::array();
        for (const EmptySlot& slot : last.empty)
            empty.push_back({slot.slot, slot.from});
        json.push_back(
            {{"slots", last.slots}, {"start", last.time.start}, {"end", last.time.end}, {"empty", std::move(empty)}});
    }
    return json;
}

PageJson resultJson(const LaboratoryRun& run) {
    PageJson json = PageJson::parse(writeResult(run.experiment, run.result));
    json.erase("wall_ns");
    json.erase("threads");
    return json;
}

}  // namespace

PageJson runFactsJson(const LaboratoryRun& run) {
    return {{"result", resultJson(run)},
            {"scatter", scatterNameOf(run.experiment)},
            {"feeds", engine::runPartsOf(run.experiment).consumes},
            {"headlines", headlinesJson(run.result)},
            {"lastWaves", lastWavesJson(run)},
            {"kernels", kernelNames(run.experiment)}};
}

}  // namespace data
