#include "data/page/lesson_page.h"

#include "data/document/base64.h"
#include "data/document/html_text.h"
#include "data/document/names.h"
#include "data/lessons/lesson_text.h"
#include "data/page/page_controls.h"
#include "data/page/page_document.h"
#include "data/page/page_html.h"
#include "data/page/page_run.h"
#include "data/page/web_engine_bytes.h"
#include "data/results/metrics.h"
#include "engine/api/parameters.h"
#include "engine/api/quantity.h"
#include "engine/api/trace.h"

#include <algorithm>

namespace data {
namespace {

std::optional<std::size_t> laneNumber(std::string_view part) {
    if (!part.starts_with(kLessonLane))
        return std::nullopt;
    for (std::size_t i = 0; i < engine::kLaneKinds; ++i) {
        if (engine::name(static_cast<engine::LaneKind>(i)) == part.substr(kLessonLane.size()))
            return i;
    }
    return std::nullopt;
}

bool isPartOfPage(std::string_view part) { return part == "ribbon" || part == "headlines"; }

/// A view of the window that a page has no picture of, and the lane that comes nearest to it.
struct OtherView {
    std::string_view name, title;
    engine::LaneKind lane;
};
constexpr OtherView kOtherViews[] = {
    {"machine", "Machine", engine::LaneKind::linkOut}, {"chunks", "Chunks", engine::LaneKind::reduceScatter},
    {"tracker", "Tracker", engine::LaneKind::tracker}, {"inside", "Inside", engine::LaneKind::dma},
    {"split", "Split", engine::LaneKind::gemmWaves},   {"memory", "Memory", engine::LaneKind::dramChannel}};

const OtherView* otherView(const std::string& name) {
    const auto found = std::ranges::find(kOtherViews, name, &OtherView::name);
    return found == std::end(kOtherViews) ? nullptr : &*found;
}

// The document.

PageJson numberQuestionJson(const Lesson& lesson, const LessonClaim& claim) {
    const engine::ParameterUnit unit = lessonClaimUnit(lesson, claim);
    PageJson units = PageJson::array();
    if (unit == engine::ParameterUnit::none) {
        for (const LessonCountWord& count : lessonCountWords())
            units.push_back({count.word, count.factor});
    }
    for (const engine::UnitName& name : engine::unitNames(unit))
        units.push_back({name.text, name.factor});
    PageJson json{{"value", claim.value},      {"tolerance", claim.tolerance},
                  {"written", claim.text},     {"unit", lessonUnit(claim)},
                  {"units", std::move(units)}, {"anyCase", unit != engine::ParameterUnit::none}};
    if (unit == engine::ParameterUnit::bytes || unit == engine::ParameterUnit::bytesPerSecond)
        json["counts"] = unit == engine::ParameterUnit::bytes ? "bytes" : "rate";
    return json;
}

class LessonDocument {
public:
    explicit LessonDocument(const LessonPageRequest& request) : m_request(request) {}

    PageJson json() const {
        PageJson steps = PageJson::array();
        for (std::size_t i = 0; i < m_request.lesson.steps.size(); ++i)
            steps.push_back(stepJson(i));
        return {{"steps", std::move(steps)}};
    }

private:
    std::int64_t endOf(const LessonRunPlan::OfStep& of) const {
        std::int64_t end = 0;
        for (const std::size_t run : of.shown) {
            const auto& trace = m_request.runs.runs[run].result.trace;
            end = std::max(end, trace ? trace->end.ps : 0);
        }
        return end;
    }

    PageJson stepJson(std::size_t index) const {
        const LessonStep& step = m_request.lesson.steps[index];
        const LessonRunPlan::OfStep& of = m_request.runs.plan.steps[index];
        const std::int64_t end = endOf(of);
        PageJson json{{"runs", of.shown}};
        if (of.tried)
            json["tried"] = *of.tried;
        if (of.pinned)
            json["pinned"] = *of.pinned;
        if (step.scene.moment)
            json["at"] = timeOf(*step.scene.moment, end);
        if (step.scene.from && step.scene.to) {
            json["from"] = timeOf(*step.scene.from, end);
            json["to"] = timeOf(*step.scene.to, end);
        }
        if (step.scene.gpu)
            json["gpu"] = *step.scene.gpu;
        if (step.play)
            json["play"] = {{"from", shareOf(step.play->from, end)},
                            {"to", shareOf(step.play->to, end)},
                            {"seconds", step.play->seconds},
                            {"loop", step.play->loop}};
        addHighlight(step, json);
        if (step.holds)
            json["holds"] = true;
        if (step.question)
            json["question"] = questionJson(*step.question);
        return json;
    }

    static std::int64_t shareOf(double share, std::int64_t end) {
        return timeOf({.ps = 0, .share = share, .relative = true}, end);
    }

    static void addHighlight(const LessonStep& step, PageJson& json) {
        if (const auto lane = laneNumber(step.highlight))
            json["lane"] = *lane;
        else if (isPartOfPage(step.highlight))
            json["highlight"] = step.highlight;
        else if (const OtherView* view = otherView(step.scene.view))
            json["lane"] = static_cast<std::size_t>(view->lane);
    }

    PageJson questionJson(const LessonQuestion& question) const {
        if (!question.choices.empty())
            return {{"right", question.right}};
        return numberQuestionJson(m_request.lesson, *m_request.lesson.claim(question.claim));
    }

    const LessonPageRequest& m_request;
};

// What the page has without a script.

/// Returns the words of a link: the player makes a button of those that point at something that the page has.
std::string linkHtml(const std::string& words, const std::string& part) {
    if (const auto lane = laneNumber(part))
        return "<span data-lane=\"" + std::to_string(*lane) + "\">" + words + "</span>";
    if (isPartOfPage(part))
        return "<span data-part=\"" + part + "\">" + words + "</span>";
    const std::string_view path =
        part.starts_with(kLessonParameter) ? std::string_view(part).substr(kLessonParameter.size()) : part;
    const engine::Parameter* parameter = engine::findParameter(path);
    return parameter == nullptr
               ? words
               : "<span class=\"setting\" title=\"" + escapedHtml(parameter->path) + "\">" + words + "</span>";
}

class LessonHtml {
public:
    explicit LessonHtml(const LessonPageRequest& request) : m_request(request), m_lesson(request.lesson) {}

    std::string steps() const {
        std::string html = "<section class=\"steps\" aria-label=\"Lesson\">\n";
        for (std::size_t i = 0; i < m_lesson.steps.size(); ++i)
            html += stepHtml(i);
        return html + "</section>\n";
    }

    /// Returns the links to the lessons before and after.
    std::string neighbours() const {
        if (!m_request.previous && !m_request.all && !m_request.next)
            return {};
        const auto link = [](const std::optional<PageNeighbour>& to, std::string_view before, std::string_view rel) {
            return to ? "<a rel=\"" + std::string(rel) + "\" href=\"" + escapedHtml(to->address) + "\">" +
                            std::string(before) + escapedHtml(to->title) + "</a>\n"
                      : std::string("<span></span>\n");
        };
        return "<nav class=\"lessons\" aria-label=\"Lessons\">\n" + link(m_request.previous, "← ", "prev") +
               link(m_request.all, "", "up") + link(m_request.next, "→ ", "next") + "</nav>\n";
    }

private:
    std::string paragraphs(std::string_view text) const {
        std::string html;
        for (const std::string& paragraph : lessonParagraphs(m_lesson, text, &linkHtml))
            html += "<p>" + paragraph + "</p>\n";
        return html;
    }

    std::string inLine(std::string_view text) const {
        std::string html;
        for (const std::string& paragraph : lessonParagraphs(m_lesson, text, &linkHtml))
            html += (html.empty() ? "" : " ") + paragraph;
        return html;
    }

    std::string stepHtml(std::size_t index) const {
        const LessonStep& step = m_lesson.steps[index];
        const std::string number = std::to_string(index + 1);
        std::string html = "<article class=\"step\" id=\"step-" + number + "\">\n<h2>Step " + number + " of " +
                           std::to_string(m_lesson.steps.size()) + "</h2>\n" + paragraphs(step.text);
        // What tells the answer folds out with it.
        const std::string shown = noteHtml(index) + pictureHtml(index) + numbersHtml(step);
        if (!step.question)
            return html + shown + taskHtml(step) + "</article>\n";
        html += questionHtml(*step.question) + "<details class=\"reveal\">\n<summary>Answer</summary>\n" +
                answerHtml(step) + paragraphs(step.reveal) + shown + "</details>\n";
        return html + taskHtml(step) + "</article>\n";
    }

    std::string questionHtml(const LessonQuestion& question) const {
        std::string html = "<div class=\"question\">\n<p>" + inLine(question.text) + "</p>\n";
        if (!question.choices.empty()) {
            html += "<ol class=\"choices\">\n";
            for (const std::string& choice : question.choices)
                html += "<li>" + inLine(choice) + "</li>\n";
            return html + "</ol>\n</div>\n";
        }
        const std::string unit = lessonUnit(*m_lesson.claim(question.claim));
        return html + "<p class=\"unit\">Your prediction" + (unit.empty() ? "" : " in " + escapedHtml(unit)) +
               ": a number.</p>\n</div>\n";
    }

    /// Returns the answer, unless the text that follows gives it.
    std::string answerHtml(const LessonStep& step) const {
        const LessonQuestion& question = *step.question;
        if (question.choices.empty() && step.reveal.find("{" + question.claim + "}") != std::string::npos)
            return {};
        return "<p class=\"answer\"><b>" +
               (question.choices.empty() ? escapedHtml(m_lesson.claim(question.claim)->text)
                                         : inLine(question.choices[question.right])) +
               "</b></p>\n";
    }

    std::string taskHtml(const LessonStep& step) const {
        if (!step.attempt)
            return {};
        std::string html = "<div class=\"task\">\n" + paragraphs("**Try it in Ringside.** " + step.attempt->text);
        if (!step.attempt->then.empty())
            html += "<details class=\"then\">\n<summary>What happens</summary>\n" + paragraphs(step.attempt->then) +
                    "</details>\n";
        return html + "</div>\n";
    }

    bool hasPicture(std::size_t index) const {
        return index < m_request.pictures.size() && !m_request.pictures[index].empty();
    }

    std::string noteHtml(std::size_t index) const {
        const LessonStep& step = m_lesson.steps[index];
        if (pagePictureOf(step) == PagePicture::none)
            return "<p class=\"note\">" +
                   std::string(hasPicture(index) ? "The picture is of Ringside's window. " : "") +
                   "This step is about a " + (step.scene.view == "model" ? "whole model" : "measured trace") +
                   ", which has no run to play: the table has its numbers.</p>\n";
        if (const OtherView* other = otherView(step.scene.view))
            return "<p class=\"note\">Ringside shows this step in its view " + std::string(other->title) + ". " +
                   (hasPicture(index)
                        ? "Here are a picture of it and the timeline of the same run."
                        : "This page has the timeline of the same run, and frames the row that is nearest.") +
                   "</p>\n";
        return {};
    }

    std::string pictureHtml(std::size_t index) const {
        if (!hasPicture(index))
            return {};
        return "<img class=\"window\" alt=\"Ringside's window in step " + std::to_string(index + 1) +
               "\" src=\"data:image/png;base64," + base64(m_request.pictures[index]) + "\">\n";
    }

    /// Returns the numbers of a step whose run the page cannot show.
    std::string numbersHtml(const LessonStep& step) const {
        if (pagePictureOf(step) != PagePicture::none)
            return {};
        std::string rows;
        for (const LessonClaim& claim : step.claims) {
            if (const std::string what = whatIs(claim); !what.empty())
                rows += "<tr><th scope=\"row\">" + escapedHtml(what) + "</th><td class=\"number\">" +
                        escapedHtml(claim.text) + "</td></tr>\n";
        }
        return rows.empty() ? rows
                            : "<table class=\"numbers\">\n<caption>Numbers of this step</caption>\n<tbody>\n" + rows +
                                  "</tbody>\n</table>\n";
    }

    std::string whatIs(const LessonClaim& claim) const {
        using enum LessonClaim::Kind;
        switch (claim.kind) {
        case metric: {
            const Metric* found = findMetric(claim.path, claim.of);
            return found != nullptr ? found->label + settingsOf(claim) : claim.path;
        }
        case parameter: {
            const engine::Parameter* found = engine::findParameter(claim.path);
            return found != nullptr ? found->label : claim.path;
        }
        case measured: return claim.path;
        case difference:
        case ratio: return {};
        }
        return {};
    }

    /// Returns what sets the claim's experiment apart from that of the lesson's step: ", pp 4".
    std::string settingsOf(const LessonClaim& claim) const {
        const auto step = std::ranges::find_if(m_lesson.steps, [&](const LessonStep& one) {
            return std::ranges::any_of(one.claims, [&](const LessonClaim& other) { return &other == &claim; });
        });
        std::string words;
        for (const auto& [path, value] : claim.draft.explicitValues) {
            const auto usual = step->draft.explicitValues.find(path);
            if (usual != step->draft.explicitValues.end() && usual->second == value)
                continue;
            words += ", " + path + " " + engine::formatValue(*engine::findParameter(path), value);
        }
        return words;
    }

    const LessonPageRequest& m_request;
    const Lesson& m_lesson;
};

std::string lessonBody(const LessonPageRequest& request, const PageRuns& runs) {
    const LessonHtml html(request);
    std::string body =
        "<header>\n<h1>" + escapedHtml(request.lesson.title) + "</h1>\n<p>" + escapedHtml(request.lesson.summary) +
        "</p>\n</header>\n" + html.neighbours() + "<main class=\"lesson\">\n" + html.steps() +
        "<div class=\"runs\">\n<div id=\"player\"><noscript><p>With JavaScript, this page also plays the "
        "runs and asks the questions before it shows the answers.</p></noscript></div>\n";
    for (std::size_t i = 0; i < request.runs.runs.size(); ++i)
        body += runHtml(request.runs.runs[i], {.isHidden = true, .picture = runs.pictures[i]});
    body += "<div id=\"after\"></div>\n</div>\n";
    for (const LaboratoryRun& run : request.runs.runs)
        body += aboutHtml(run, false);
    return body + "</main>\n";
}

/// Gives each run the usual controls, and those that its steps ask the reader to change.
void addLessonControls(const LessonPageRequest& request, PageJson& runs) {
    const LessonRunPlan& plan = request.runs.plan;
    for (std::size_t run = 0; run < plan.drafts.size(); ++run) {
        std::vector<std::string> paths = usualControls(plan.drafts[run], false);
        for (std::size_t i = 0; i < plan.steps.size(); ++i) {
            const auto& attempt = request.lesson.steps[i].attempt;
            if (!attempt || attempt->parameter.empty() || plan.steps[i].shown != std::vector<std::size_t>{run})
                continue;
            const std::vector<std::string> tried{attempt->parameter};
            engine::Problems problems;
            checkControls(plan.drafts[run], tried, problems);
            if (problems.empty() && !isAmong(paths, attempt->parameter))
                paths.insert(paths.begin(), attempt->parameter);
        }
        runs[run]["controls"] = controlsJson(plan.drafts[run], paths);
    }
}

}  // namespace

Page lessonPageOf(const LessonPageRequest& request) {
    PageRuns runs = pageRunsOf(request.runs.runs);
    PageParts parts{.title = request.lesson.title, .body = lessonBody(request, runs), .json = {}, .runBlocks = {}};
    if (request.live) {
        addLessonControls(request, runs.json);
        parts.engine = webEngineBase64();
    }
    PageJson document = pageJsonOf(request.lesson.title, "lesson", std::move(runs.json));
    document["lesson"] = LessonDocument(request).json();
    parts.json = document.dump();
    std::size_t pictures = 0;
    for (const std::string& picture : request.pictures)
        pictures += picture.size() * 4 / 3;
    const std::size_t most =
        request.mostBytes > 0
            ? request.mostBytes
            : kUsualPageBytes * std::max<std::size_t>(1, request.runs.runs.size()) + pictures + parts.engine.size();
    return fitPage(std::move(parts), runs.recorded, most);
}

}  // namespace data
