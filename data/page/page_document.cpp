#include "data/page/page_document.h"

#include "data/document/html_text.h"
#include "data/page/page_controls.h"
#include "data/page/page_html.h"
#include "data/page/page_run.h"
#include "data/page/page_words.h"
#include "data/page/web_engine_bytes.h"

#include <algorithm>

namespace data {
namespace {

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

std::string bodyHtml(const PageRequest& request, const std::string& title, const PageRuns& runs) {
    const bool isAlone = request.runs.size() == 1;
    std::string html = "<header>\n<h1>" + escapedHtml(title) + "</h1>\n";
    if (isAlone)
        html += "<p>" + escapedHtml(experimentInWords(request.runs.front())) + "</p>\n";
    html +=
        "</header>\n<main class=\"" + std::string(isAlone ? "single" : "several") +
        "\">\n<div id=\"player\"><noscript><p>With JavaScript, this page also plays the run.</p></noscript></div>\n";
    for (std::size_t i = 0; i < request.runs.size(); ++i)
        html += runHtml(request.runs[i], {.isAlone = isAlone, .picture = runs.pictures[i]});
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

/// Returns whether the runs differ in their policies.
bool comparesPolicies(const std::vector<LaboratoryRun>& runs) {
    return std::ranges::any_of(runs, [&](const LaboratoryRun& run) {
        return run.experiment.policy.preset != runs.front().experiment.policy.preset;
    });
}

void addControls(const PageRequest& request, PageJson& runs) {
    const std::vector<std::string> paths =
        request.controls.empty() ? usualControls(request.runs.front().draft, comparesPolicies(request.runs))
                                 : request.controls;
    for (std::size_t i = 0; i < request.runs.size(); ++i)
        runs[i]["controls"] = controlsJson(request.runs[i].draft, paths);
}

}  // namespace

Page pageOf(const PageRequest& request) {
    PageParts parts{.title = pageTitle(request), .body = {}, .json = {}, .runBlocks = {}};
    PageRuns runs = pageRunsOf(request.runs);
    if (request.live) {
        addControls(request, runs.json);
        parts.engine = webEngineBase64();
    }
    std::int64_t end = 0;
    for (const LaboratoryRun* run : runs.recorded)
        end = std::max(end, run->result.trace->end.ps);
    parts.body = bodyHtml(request, parts.title, runs);
    PageJson document = pageJsonOf(parts.title, request.runs.size() == 1 ? "run" : "compare", std::move(runs.json));
    document["scene"] = sceneJson(request.scene, end);
    parts.json = document.dump();
    const std::size_t most =
        request.mostBytes > 0 ? request.mostBytes : kUsualPageBytes * request.runs.size() + parts.engine.size();
    return fitPage(std::move(parts), runs.recorded, most);
}

}  // namespace data
