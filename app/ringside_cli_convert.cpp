#include "app/ringside_cli_command.h"
#include "data/document/document_reader.h"
#include "data/document/problem_list.h"
#include "data/document/shell_word.h"
#include "data/document/whole_file.h"
#include "data/experiment/own_presets.h"
#include "data/model/model_import.h"
#include "engine/api/parameters.h"

#include <filesystem>
#include <iostream>
#include <optional>
#include <string>

namespace cli {
namespace {

struct ConvertArguments {
    std::string config;
    std::string name;
    std::string output = "-";
    std::string sequence, batch;
    bool replace = false;
};

/// Returns a number from the command line if the parameter allows it.
std::optional<std::int64_t> numberOf(const char* option, const char* path, const std::string& text,
                                     engine::Problems& problems) {
    if (text.empty())
        return std::nullopt;
    engine::Problems own;
    const auto value = engine::parseValue(*engine::findParameter(path), text, own);
    for (engine::Problem& problem : own)
        problems.push_back({option, std::move(problem.value), std::move(problem.text)});
    return value ? std::optional(std::get<std::int64_t>(*value)) : std::nullopt;
}

/// Returns the preset's name: the requested one; otherwise the name inside the file, or else the name of the file, if
/// it is not that of a bundled preset; otherwise the kind of model.
std::string nameOf(const ConvertArguments& arguments, const data::ModelImport& import) {
    if (!arguments.name.empty())
        return arguments.name;
    const std::string file = std::filesystem::path(arguments.config).stem().string();
    for (const std::string& name : {import.name, file == "config" || file == "-" ? std::string() : file}) {
        if (!name.empty() && !data::isBundled(data::OwnKind::model, name))
            return name;
    }
    return import.type;
}

/// Returns the preset that the arguments request. Throws with all problems of the file and of the options.
data::OwnPreset presetOf(const ConvertArguments& arguments) {
    engine::Problems problems;
    const data::ImportOptions options{numberOf("--sequence", "workload.sequence", arguments.sequence, problems),
                                      numberOf("--batch", "workload.batch", arguments.batch, problems)};
    const std::size_t before = problems.size();
    const std::string text = data::readText(arguments.config, problems);
    data::ModelImport import;
    if (problems.size() == before)
        import = data::importModel(text, arguments.config == "-" ? "standard input" : arguments.config, options);
    data::append(problems, import.problems);
    data::OwnPreset preset{data::OwnKind::model, nameOf(arguments, import), std::move(import.values),
                           std::move(import.notes)};
    // If the file could not be read, its own name is unknown as well.
    if (problems.empty() || !arguments.name.empty()) {
        if (auto problem = data::checkOwnName(preset.kind, preset.name)) {
            problem->path = "--name";
            problems.push_back(std::move(*problem));
        }
    }
    data::refuseAny(std::move(problems));
    return preset;
}

/// Refuses to replace another model that is saved under the name, unless --replace is given.
void refuseOther(const data::OwnPresets& own, const data::OwnPreset& preset, bool replace) {
    const data::OwnPreset* there = own.find(preset.kind, preset.name);
    if (there != nullptr && there->values != preset.values && !replace)
        throw engine::InvalidExperiment({{"--name", preset.name,
                                          "a model with other values is saved under this name; choose another name, or "
                                          "add --replace"}});
}

/// Saves the preset among the user's own, where window and command line find it by name.
void keep(const data::OwnPreset& preset, bool replace) {
    data::OwnPresets own(data::usualPresetFolder());
    if (!own.keeps())
        throw data::FileError("there is no home folder to save a preset in; --output writes it to a file");
    refuseOther(own, preset, replace);
    try {
        own.save(preset);
    } catch (const data::FileExists&) {
        own.reload();  // another program may have saved this name since `own` was read
        if (own.find(preset.kind, preset.name) == nullptr)
            throw;
        refuseOther(own, preset, replace);
        own.save(preset);
    }
    std::cerr << "saved as " << own.fileOf(preset.kind, preset.name) << "\nrun it by its name: ringside-cli run "
              << data::shellWord(preset.name + "/fc-2/tp8") << "\n";
}

int convert(const ConvertArguments& arguments) {
    const data::OwnPreset preset = presetOf(arguments);
    if (!arguments.name.empty())
        keep(preset, arguments.replace);
    if (arguments.output == "-" || arguments.output == "json")
        std::cout << data::writePreset(preset);
    else
        data::writeWholeFile(arguments.output, data::writePreset(preset));
    return 0;
}

}  // namespace

void declareConvert(Commands& commands) {
    const auto [command, arguments] = commands.add(
        "convert", "Make a model preset of a Hugging Face config.json",
        "\nExample:\n  ringside-cli convert config.json --name my-llama\n"
        "  ringside-cli run my-llama/fc-2/tp8\n\n"
        "Without --name the preset is not saved. The file that is written can be run as it is:\n"
        "  ringside-cli convert config.json --output llama.json\n"
        "  ringside-cli run llama.json --set workload.sublayer=fc-2 --set parallel.tp=8\n\n"
        "Models of these kinds are converted: Llama, Mistral, Mixtral, Qwen, GPT-2, GPT-NeoX, OPT and Falcon.",
        convert);
    command.option("CONFIG", arguments.config, "The config.json, - for standard input").required();
    addText(command, "--name", arguments.name,
            "Save the preset among your own under this name (default: only print it)", "NAME");
    command.flag("--replace", arguments.replace, "Replace another model that is saved under the name");
    addText(command, "--output", arguments.output, "File for the preset (default: -, standard output)", "FILE");
    addText(command, "--sequence", arguments.sequence,
            "Tokens of one sequence (default: the model's longest sequence, at most 8192)", "N");
    addText(command, "--batch", arguments.batch, "Sequences computed together (default: 1)", "N");
}

}  // namespace cli
