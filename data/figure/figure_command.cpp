#include "data/figure/figure_command.h"

#include "data/document/shell_word.h"
#include "data/figure/figure_choice.h"
#include "data/figure/figure_edits.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace data {
namespace {

/// Edits that have options of their own.
constexpr std::array<std::string_view, 4> kOptions{"size", "theme", "width", "height"};

}  // namespace

std::string commandOf(const FigureSpec& figure) {
    const FigureSource& from = figure.from;
    if (from.kind == FigureSource::Kind::unknown)
        return {};
    std::string text = "ringside figure";
    const auto add = [&](const std::string& word) { text += " " + shellWord(word); };
    const auto addOption = [&](const std::string& option, const std::string& value) {
        text += " --" + option;
        add(value);
    };
    if (from.kind == FigureSource::Kind::combined) {
        add("combine");
        for (const FigureSource::File& file : from.files)
            add(file.name);
    }
    if (from.kind == FigureSource::Kind::gallery || from.kind == FigureSource::Kind::view)
        add(from.name);
    if (from.kind != FigureSource::Kind::gallery && from.kind != FigureSource::Kind::combined)
        add(from.file);
    if (from.kind == FigureSource::Kind::evaluation)
        add(from.name);
    for (const std::string& choice : from.choices) {
        if (choice == "points=true") {  // the only choice without a value
            text += " --points";
            continue;
        }
        const FigureChoice read = choiceOf(choice);
        addOption(read.option, read.value);
    }
    for (const std::string& setting : from.settings)
        addOption("set", setting);
    for (const std::string& edit : figure.edits) {
        const std::optional<FigureEdit> read = readEdit(edit);
        if (read && read->path.size() == 1 && std::ranges::find(kOptions, read->path.front()) != kOptions.end())
            addOption(read->path.front(), read->value);
        else
            addOption("look", edit);
    }
    return text;
}

}  // namespace data
