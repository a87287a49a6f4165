#include "data/page/page_document.h"

#include "data/document/packed_bytes.h"
#include "data/document/problem_list.h"
#include "data/document/readable_number.h"
#include "data/experiment/link_text.h"
#include "data/page/page_fit.h"
#include "data/page/page_html.h"
#include "data/page/page_words.h"
#include "data/replay/last_wave.h"
#include "data/replay/shown_run.h"
#include "data/results/result_document.h"
#include "engine/api/run_parts.h"
#include "engine/api/runner.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace data {
namespace {

using PageJson = nlohmann::ordered_json;

/// Returns the names of `count` enumerators, by number.
template <class Enumerator, class NameOf>
PageJson namesByNumber(std::size_t count, const NameOf& nameOfOne) {
    PageJson names = PageJson::array();
    for (std::size_t i = 0; i < count; ++i)
        names.push_back(nameOfOne(static_cast<Enumerator>(i)));
    return names;
}

PageJson wordsJson() {
    const auto name = [](auto enumerator) { return engine::name(enumerator); };
    constexpr auto kActs = static_cast<std::size_t>(engine::PathAct::waits) + 1;
    return {{"lanes", namesByNumber<engine::LaneKind>(engine::kLaneKinds, name)},
            {"spans", namesByNumber<engine::SpanKind>(engine::kSpanKinds, name)},
            {"counters", namesByNumber<engine::CounterKind>(engine::kCounterKinds, name)},
            {"causes", namesByNumber<engine::Cause>(engine::kCauses, name)},
            {"phases", namesByNumber<engine::WorkPhase>(engine::kWorkPhases, name)},
            {"acts", namesByNumber<engine::PathAct>(kActs, [](engine::PathAct act) { return nameOf(act); })}};
}

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

std::optional<std::string> linkOf(const LaboratoryRun& run) {
    Scene scene;
    scene.draft = run.draft;
    return writeLink(scene);
}

PageJson runJson(const LaboratoryRun& run, const PageJson& block) {
    const std::optional<std::string> link = linkOf(run);
    PageJson json{{"name", run.name},
                  {"link", link ? PageJson(*link) : PageJson(nullptr)},
                  {"draft", PageJson::parse(writeDraft(run.draft))},
                  {"result", resultJson(run)},
                  {"block", block},
                  {"scatter", scatterNameOf(run.experiment)},
                  {"feeds", engine::runPartsOf(run.experiment).consumes},
                  {"headlines", headlinesJson(run.result)},
                  {"lastWaves", lastWavesJson(run)},
                  {"kernels", kernelNames(run.experiment)}};
    if (block.is_null())
        json["formula"] = formulaOf(run.experiment);
    return json;
}

PageJson sceneJson(const Scene& scene, std::int64_t end) {
    PageJson json = PageJson::object();
    if (scene.moment)
        json["at"] = timeOf(*scene.moment, end);
    if (scene.from && scene.to) {
        json["from"] = timeOf(*scene.from, end);
        json["to"] = timeOf(*scene.to, end);
    }
    if (scene.gpu)
        json["gpu"] = *scene.gpu;
    return json;
}

// The part of the page that is there without a script.

ReadableNumber shownNumber(const HeadlineNumber& number) {
    if (number.time)
        return readableTime(std::abs(number.time->ps));
    return number.ratio ? ReadableNumber{readableDecimals(*number.ratio, 3), "×"} : ReadableNumber{"–", {}};
}

std::string headlineHtml(const HeadlineNumber& number, const engine::RunResult& result) {
    const ReadableNumber shown = shownNumber(number);
    std::string html = "<div class=\"" + std::string(roleOf(number)) + "\"><dt>" + std::string(titleOf(number)) +
                       "</dt><dd><span class=\"value\">" + escapedHtml(shown.value);
    if (!shown.unit.empty())
        html += "\u00a0<span class=\"unit\">" + escapedHtml(shown.unit) + "</span>";
    html += "</span>";
    if (const std::string remark = remarkOf(number, result); !remark.empty())
        html += "<br><span class=\"remark\">" + escapedHtml(remark) + "</span>";
    return html + "</dd></div>\n";
}

/// `picture` counts the runs that the player draws; empty for a bound.
std::string runHtml(const LaboratoryRun& run, bool isAlone, std::optional<std::size_t> picture) {
    std::string html = "<section class=\"run\"" + std::string(isAlone ? " aria-label=\"Headlines\"" : "") + ">\n";
    if (!isAlone)
        html += "<h2>" + escapedHtml(run.name) + "</h2>\n";
    html += "<dl class=\"headlines\">\n";
    for (const HeadlineNumber& number : headlineNumbersOf(run.result))
        html += headlineHtml(number, run.result);
    html += "</dl>\n";
    if (picture)
        html += "<div data-picture=\"" + std::to_string(*picture) + "\"></div>\n";
    else
        html += "<p>A bound, computed by a formula: " + escapedHtml(formulaOf(run.experiment)) + "</p>\n";
    return html + "</section>\n";
}

std::string aboutHtml(const LaboratoryRun& run, bool isAlone) {
    const std::string heading = isAlone ? "About this run" : "About " + run.name;
    std::string html = "<details class=\"about\">\n<summary>" + escapedHtml(heading) + "</summary>\n<dl>\n";
    const auto fact = [&](const std::string& name, const std::string& value) {
        html += "<dt>" + name + "</dt><dd>" + escapedHtml(value) + "</dd>\n";
    };
    fact("Experiment", experimentInWords(run));
    fact("Hash", run.hash);
    fact("Engine", std::string(engine::engineVersion()));
    html += "</dl>\n";
    if (const auto link = linkOf(run))
        html += "<p>Ringside opens this text with File ▸ Open Link (Ctrl+L):</p>\n<textarea readonly rows=\"3\" "
                "aria-label=\"Link text\">" +
                escapedHtml(*link) + "</textarea>\n";
    html += "<p>The experiment's document; ringside-cli run reads it:</p>\n<pre>" + escapedHtml(writeDraft(run.draft)) +
            "</pre>\n";
    return html + "</details>\n";
}

std::string bodyHtml(const PageRequest& request, const std::string& title) {
    const bool isAlone = request.runs.size() == 1;
    std::string html = "<header>\n<h1>" + escapedHtml(title) + "</h1>\n";
    if (isAlone)
        html += "<p>" + escapedHtml(experimentInWords(request.runs.front())) + "</p>\n";
    html +=
        "</header>\n<main class=\"" + std::string(isAlone ? "single" : "several") +
        "\">\n<div id=\"player\"><noscript><p>With JavaScript, this page also plays the run.</p></noscript></div>\n";
    std::size_t picture = 0;
    for (const LaboratoryRun& run : request.runs)
        html += runHtml(run, isAlone, run.result.trace ? std::optional(picture++) : std::nullopt);
    html += "<div id=\"after\"></div>\n";
    for (const LaboratoryRun& run : request.runs)
        html += aboutHtml(run, isAlone);
    return html + "</main>\n";
}

std::string pageTitle(const PageRequest& request) {
    if (!request.title.empty())
        return request.title;
    std::string title = request.runs.front().name;
    for (std::size_t i = 1; i < request.runs.size(); ++i)
        title += (i + 1 == request.runs.size() ? " and " : ", ") + request.runs[i].name;
    return title;
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
void refuseLongRuns(const std::vector<LaboratoryRun>& runs) {
    engine::Problems problems;
    for (const LaboratoryRun& run : runs) {
        if (run.result.trace && run.result.trace->end.ps >= kRunBlockEnd)
            problems.push_back({"EXPERIMENT", run.name,
                                "lasts " + readableTime(run.result.trace->end.ps).text() +
                                    "; a page tells times below 2^53 ps (2.5 hours) exactly"});
    }
    refuseAny(std::move(problems));
}

}  // namespace

Page pageOf(const PageRequest& request) {
    refuseLongRuns(request.runs);
    Page page;
    PageParts parts{.title = pageTitle(request), .body = {}, .json = {}, .runBlocks = {}};
    PageJson runs = PageJson::array();
    std::vector<const LaboratoryRun*> recorded;
    std::int64_t end = 0;
    for (const LaboratoryRun& run : request.runs) {
        if (!run.result.trace) {
            runs.push_back(runJson(run, nullptr));
            continue;
        }
        runs.push_back(runJson(run, "run-" + std::to_string(recorded.size())));
        recorded.push_back(&run);
        page.spans += run.result.trace->spanCount();
        end = std::max(end, run.result.trace->end.ps);
    }
    const PageJson document{{"format", kPageFormat},
                            {"version", kPageVersion},
                            {"ringside", RINGSIDE_VERSION},
                            {"engine", engine::engineVersion()},
                            {"title", parts.title},
                            {"kind", request.runs.size() == 1 ? "run" : "compare"},
                            {"words", wordsJson()},
                            {"runs", std::move(runs)},
                            {"scene", sceneJson(request.scene, end)}};
    parts.json = document.dump();
    parts.body = bodyHtml(request, parts.title);
    const std::size_t most = request.mostBytes > 0 ? request.mostBytes : kUsualPageBytes * request.runs.size();
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
