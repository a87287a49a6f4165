#include "web/engine/web_engine.h"

#include "data/experiment/experiment_document.h"
#include "data/page/run_block.h"
#include "data/page/run_facts.h"
#include "engine/api/expected_work.h"
#include "engine/api/runner.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>

namespace web {
namespace {

using Json = nlohmann::ordered_json;

std::string answerOf(const std::string& json, const std::string& block = {}) {
    std::string answer;
    for (int shift = 0; shift < 32; shift += 8)
        answer += static_cast<char>(static_cast<std::uint32_t>(json.size()) >> shift & 0xff);
    return answer + json + block;
}

std::string refusal(const engine::Problems& problems) {
    Json json{{"problems", Json::array()}};
    for (const engine::Problem& problem : problems)
        json["problems"].push_back({{"path", problem.path}, {"value", problem.value}, {"text", problem.text}});
    return answerOf(json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

std::string simulated(const data::Expansion& expansion) {
    engine::RunOptions options;
    options.recordTrace = true;
    options.attribution = true;
    data::LaboratoryRun run;
    run.experiment = expansion.experiment;
    run.result = engine::run(run.experiment, options);
    run.result.notices.insert(run.result.notices.begin(), expansion.notices.begin(), expansion.notices.end());
    if (run.result.last.time.total.ps >= data::kRunBlockEnd)
        return refusal({{"", "", "the run is longer than two and a half hours"}});
    const std::string facts = data::runFactsJson(run).dump();
    return run.result.trace ? answerOf(facts, data::writeRunBlock(*run.result.trace, run.result.path.get()))
                            : answerOf(facts);
}

}  // namespace

std::string answerTo(std::string_view experiment) {
    try {
        const data::DraftReading reading = data::readDraft(experiment, "the page");
        if (!reading.problems.empty())
            return refusal(reading.problems);
        const data::Expansion expansion = data::expand(reading.draft);
        if (!expansion.runnable())
            return refusal(expansion.problems);
        const double events = engine::expectedEvents(expansion.experiment);
        return events > kMostWebEvents ? answerOf(Json{{"events", events}}.dump()) : simulated(expansion);
    } catch (const std::exception& failure) { return refusal({{"", "", failure.what()}}); }
}

}  // namespace web
