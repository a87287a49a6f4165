#include "data/figure/view_source.h"

#include "data/experiment/experiment_document.h"
#include "data/figure/figure_choice.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

namespace data {
namespace {

std::optional<std::uint32_t> wholeIn(std::string_view text) {
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

/// Reads one choice of a scene. Returns false if it is none, such as the lanes of a timeline.
bool readChoice(const FigureChoice& choice, Scene& scene, engine::Problems& problems) {
    const auto& [option, value] = choice;
    if (option == "at" || option == "from" || option == "to") {
        const auto moment = readMoment(value);
        if (!moment)
            problems.push_back(
                {"--" + option, value, "not a time; allowed: a time such as 412.3us, or a share such as 40%"});
        (option == "at" ? scene.moment : option == "from" ? scene.from : scene.to) = moment;
        return true;
    }
    if (option != "gpu" && option != "chunk")
        return false;
    const auto number = wholeIn(value);
    if (!number)
        problems.push_back({"--" + option, value, "a whole number from 0 on is expected"});
    (option == "gpu" ? scene.gpu : scene.chunk) = number;
    return true;
}

}  // namespace

FigureSource sourceOf(const Scene& scene, const std::string& file) {
    FigureSource source;
    if (!scene.draft || scene.view.empty())
        return source;
    source.kind = FigureSource::Kind::view;
    source.name = scene.page.empty() ? scene.view : scene.view + "/" + scene.page;
    source.file = file;
    source.document = writeDraft(*scene.draft);
    const auto add = [&](const char* option, const std::string& value) {
        source.choices.push_back(std::string(option) + "=" + value);
    };
    for (const auto& [option, moment] :
         {std::pair{"from", scene.from}, std::pair{"to", scene.to}, std::pair{"at", scene.moment}}) {
        if (moment)
            add(option, writeMoment(*moment));
    }
    if (scene.gpu)
        add("gpu", std::to_string(*scene.gpu));
    if (scene.chunk)
        add("chunk", std::to_string(*scene.chunk));
    return source;
}

Scene sceneOf(const FigureSource& source, engine::Problems& problems) {
    Scene scene;
    const std::size_t slash = std::min(source.name.find('/'), source.name.size());
    scene.view = source.name.substr(0, slash);
    scene.page = source.name.substr(std::min(slash + 1, source.name.size()));
    DraftReading reading = readDraft(source.document, source.file);
    problems.insert(problems.end(), reading.problems.begin(), reading.problems.end());
    for (const std::string& setting : source.settings)
        applySetting(setting, reading.draft, problems);
    scene.draft = std::move(reading.draft);
    for (const std::string& choice : source.choices)
        readChoice(choiceOf(choice), scene, problems);
    if (scene.from.has_value() != scene.to.has_value())
        problems.push_back({scene.from ? "--to" : "--from", "", "a range needs both ends, --from and --to"});
    return scene;
}

}  // namespace data
