#include "data/page/page_run.h"

#include "data/document/html_text.h"
#include "data/document/readable_number.h"
#include "data/experiment/link_text.h"
#include "data/page/page_words.h"
#include "data/page/run_facts.h"
#include "engine/api/runner.h"

#include <cmath>

namespace data {
namespace {

/// Returns the names of `count` enumerators, by number.
template <class Enumerator, class NameOf>
PageJson namesByNumber(std::size_t count, const NameOf& nameOfOne) {
    PageJson names = PageJson::array();
    for (std::size_t i = 0; i < count; ++i)
        names.push_back(nameOfOne(static_cast<Enumerator>(i)));
    return names;
}

std::optional<std::string> linkOf(const LaboratoryRun& run) {
    Scene scene;
    scene.draft = run.draft;
    return writeLink(scene);
}

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

PageJson runJson(const LaboratoryRun& run, const PageJson& block) {
    const std::optional<std::string> link = linkOf(run);
    PageJson json{{"name", run.name},
                  {"link", link ? PageJson(*link) : PageJson(nullptr)},
                  {"draft", PageJson::parse(writeDraft(run.draft))},
                  {"block", block}};
    json.update(runFactsJson(run));
    if (block.is_null())
        json["formula"] = formulaOf(run.experiment);
    return json;
}

}  // namespace

PageRuns pageRunsOf(std::span<const LaboratoryRun> runs) {
    PageRuns of{PageJson::array(), {}, {}};
    for (const LaboratoryRun& run : runs) {
        const std::size_t number = of.recorded.size();
        of.json.push_back(
            runJson(run, run.result.trace ? PageJson("run-" + std::to_string(number)) : PageJson(nullptr)));
        of.pictures.push_back(run.result.trace ? std::optional(number) : std::nullopt);
        if (run.result.trace)
            of.recorded.push_back(&run);
    }
    return of;
}

PageJson pageJsonOf(const std::string& title, std::string_view kind, PageJson runs) {
    return {{"format", kPageFormat},
            {"version", kPageVersion},
            {"ringside", RINGSIDE_VERSION},
            {"engine", engine::engineVersion()},
            {"title", title},
            {"kind", kind},
            {"words", wordsJson()},
            {"runs", std::move(runs)}};
}

std::string runHtml(const LaboratoryRun& run, const RunHtml& how) {
    std::string html = "<section class=\"run\"" + std::string(how.isAlone ? " aria-label=\"Headlines\"" : "") +
                       (how.isHidden ? " hidden" : "") + ">\n";
    if (!how.isAlone)
        html += "<h2>" + escapedHtml(run.name) + "</h2>\n";
    html += "<dl class=\"headlines\">\n";
    for (const HeadlineNumber& number : headlineNumbersOf(run.result))
        html += headlineHtml(number, run.result);
    html += "</dl>\n";
    if (how.picture)
        html += "<div data-picture=\"" + std::to_string(*how.picture) + "\"></div>\n";
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

}  // namespace data
