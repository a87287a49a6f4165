#include "app/ringside_cli_command.h"
#include "app/ringside_cli_exit.h"
#include "app/ringside_cli_table.h"
#include "data/document/document_body.h"
#include "data/evaluations/evaluation.h"
#include "data/experiment/own_presets.h"
#include "data/figure/figure_gallery.h"

#include <algorithm>
#include <array>
#include <iostream>
#include <string>

// The output of `list` and `parameters`: presets and the parameter table, with the source of each number.

namespace cli {
namespace {

using data::Preset;
using engine::Parameter;
using engine::ParameterKind;

struct ListArguments : CommonArguments {
    std::string kind;
};

/// Returns the settings of a preset: "workload.hidden 4256, workload.sequence 1024".
std::string settingsText(const Preset& preset) {
    std::vector<std::string> settings;
    for (const auto& [path, value] : preset.settings)
        settings.push_back(path + " " + engine::formatValue(*engine::findParameter(path), value));
    return data::joinedNames(settings, ", ");
}

/// Returns the preset's value as text; empty if the preset leaves it to the parameter table.
std::string settingText(const Preset& preset, const char* path) {
    const auto found = preset.settings.find(path);
    return found == preset.settings.end() ? "" : engine::formatValue(*engine::findParameter(path), found->second);
}

Json presetJson(const Preset& preset) {
    Json json{{"name", preset.name}, {"title", preset.title}};
    Json settings = Json::object();
    for (const auto& [path, value] : preset.settings)
        settings[path] = jsonOf(value);
    json["settings"] = std::move(settings);
    if (const auto layers = preset.settings.find("workload.layers"); layers != preset.settings.end())
        json["layers"] = jsonOf(layers->second);
    if (!preset.tps.empty())
        json["tp"] = preset.tps;
    json["notes"] = preset.notes;
    json["label"] = engine::name(preset.sourceLabel);
    json["source"] = preset.source;
    for (const auto& [path, value] : preset.sources)
        json["sources"][path] = {{"label", engine::name(value.label)}, {"source", value.source}};
    return json;
}

/// Returns the bundled presets, followed by the own ones.
std::vector<Preset> presetsOf(std::string_view kind, const data::OwnPresets& own) {
    const auto with = [](std::span<const Preset> bundled, std::vector<Preset> more) {
        more.insert(more.begin(), bundled.begin(), bundled.end());
        return more;
    };
    if (kind == "models")
        return with(data::models(), data::listedPresets(data::OwnKind::model, own));
    if (kind == "machines")
        return with(data::machines(), data::listedPresets(data::OwnKind::machine, own));
    return with(kind == "sublayers" ? data::sublayers() : data::policies(), {});
}

void writePresets(std::span<const Preset> presets, Output output, std::ostream& out) {
    if (output == Output::json)
        return printJson(jsonList(presets, presetJson), out);
    using Size = std::pair<const char*, const char*>;  // its heading and its path
    constexpr std::array kSizes{Size{"H", "workload.hidden"},    Size{"sequence", "workload.sequence"},
                                Size{"batch", "workload.batch"}, Size{"layers", "workload.layers"},
                                Size{"heads", "workload.heads"}, Size{"vocabulary", "workload.vocabulary"}};
    const bool haveDegrees =
        std::any_of(presets.begin(), presets.end(), [](const Preset& p) { return !p.tps.empty(); });
    if (output == Output::csv) {
        out << "name,title,settings,tp,notes,label,source\n";
        for (const Preset& p : presets)
            out << csvLine({p.name, p.title, settingsText(p), data::degreesText(p), p.notes,
                            std::string(engine::name(p.sourceLabel)), p.source});
        return;
    }
    Table table({{"name", Align::left}, {"title", Align::left}});
    if (haveDegrees) {
        for (const auto& [heading, path] : kSizes)
            table.addColumn(heading);
        table.addColumn("TP", Align::left);
    } else {
        table.addColumn("what it is", Align::left);
    }
    for (const char* heading : {"label", "source"})
        table.addColumn(heading, Align::left);
    for (const Preset& p : presets) {
        std::vector<std::string> row{p.name, p.title};
        if (haveDegrees) {
            for (const auto& [heading, path] : kSizes)
                row.push_back(settingText(p, path));
            row.push_back(data::degreesText(p));
        } else {
            row.push_back(p.notes);
        }
        row.emplace_back(engine::name(p.sourceLabel));
        row.push_back(p.source);
        table.addRow(std::move(row));
    }
    table.write(out);
}

void writeExperiments(Output output, std::ostream& out) {
    const std::vector<std::string> cases = data::publishedCases();
    if (output == Output::json)
        return printJson(cases, out);
    if (output == Output::csv)
        out << "name\n";
    for (const std::string& name : cases)
        out << name << "\n";
    if (output == Output::table)
        out << "\nOther degrees that divide K are allowed: MODEL/SUBLAYER/tpN.\n"
               "Collectives alone: collective/reduce-scatter/tpN, collective/all-gather/tpN, collective/all-reduce/tpN.\n"
               "A GEMM alone, on each GPU: gemm/MxNxK, or gemm/MxNxK/tpN for another number of GPUs than 8.\n"
               "A batch of B GEMMs in one kernel: gemm/BxMxNxK.\n";
}

void writeFigures(Output output, std::ostream& out) {
    if (output == Output::json) {
        return printJson(jsonList(data::galleryEntries(),
                                  [](const data::GalleryEntry& entry) {
                                      return Json{{"name", entry.name},
                                                  {"title", entry.title},
                                                  {"what", entry.what},
                                                  {"counterpart", entry.counterpart}};
                                  }),
                         out);
    }
    if (output == Output::csv) {
        out << "name,title,what,counterpart\n";
        for (const data::GalleryEntry& entry : data::galleryEntries())
            out << csvLine({std::string(entry.name), std::string(entry.title), std::string(entry.what),
                            std::string(entry.counterpart)});
        return;
    }
    Table table({{"name", Align::left}, {"what it shows", Align::left}, {"counterpart", Align::left}});
    for (const data::GalleryEntry& entry : data::galleryEntries())
        table.addRow({std::string(entry.name), std::string(entry.what), std::string(entry.counterpart)});
    table.write(out);
    out << "\n`ringside figure NAME --out FILE.pdf` makes one; it needs no display.\n";
}

void writeEvaluations(Output output, std::ostream& out) {
    if (output == Output::json) {
        return printJson(jsonList(data::evaluations(),
                                  [](const data::Evaluation& evaluation) {
                                      return Json{{"name", evaluation.name},
                                                  {"title", evaluation.title},
                                                  {"question", evaluation.question},
                                                  {"source", evaluation.source},
                                                  {"lesson", evaluation.lesson},
                                                  {"items", jsonList(evaluation.items, [](const auto& item) {
                                                       return item.id; })}};
                                  }),
                         out);
    }
    if (output == Output::csv) {
        out << "name,title,question,source\n";
        for (const data::Evaluation& evaluation : data::evaluations())
            out << csvLine({evaluation.name, evaluation.title, evaluation.question, evaluation.source});
        return;
    }
    Table table({{"name", Align::left}, {"items"}, {"question", Align::left}, {"source", Align::left}});
    for (const data::Evaluation& evaluation : data::evaluations())
        table.addRow({evaluation.name, std::to_string(evaluation.items.size()), evaluation.question,
                      evaluation.citation.empty() ? evaluation.source : evaluation.citation});
    table.write(out);
    out << "\n`ringside-cli reproduce NAME` runs one; instead of NAME it also takes a FILE.json of your own.\n";
}

Json boundJson(const Parameter& parameter, double bound) {
    if (parameter.kind == ParameterKind::real)
        return bound;
    return static_cast<std::int64_t>(bound);
}

Json parameterJson(const Parameter& p) {
    constexpr std::array kKinds{"integer", "real", "choice", "text"};  // in the order of the enumeration
    const bool number = p.kind == ParameterKind::integer || p.kind == ParameterKind::real;
    Json json{{"path", p.path},
              {"label", p.label},
              {"symbol", p.symbol},
              {"group", engine::name(p.group)},
              {"kind", kKinds.at(static_cast<std::size_t>(p.kind))},
              {"unit", engine::name(p.unit)},
              {"default", jsonOf(p.defaultValue)}};
    if (number) {
        json["minimum"] = boundJson(p, p.minimum);
        json["maximum"] = boundJson(p, p.maximum);
        json["power_of_two"] = p.powerOfTwo;
    }
    json["words"] = p.words;
    json["allowed"] = engine::describeAllowed(p);
    json["meaning"] = p.meaning;
    json["source_label"] = engine::name(p.sourceLabel);
    json["source"] = p.source;
    return json;
}

/// Escapes characters that would end a cell of a Markdown table.
std::string markdownCell(std::string text) {
    for (std::size_t at = text.find('|'); at != std::string::npos; at = text.find('|', at + 2))
        text.insert(at, "\\");
    return text;
}

void writeMarkdown(std::ostream& out) {
    out << "# Parameters\n";
    std::string group;
    for (const Parameter& p : engine::parameters()) {
        if (const std::string name(engine::name(p.group)); name != group) {
            group = name;
            out << "\n## " << group
                << "\n\n| path | default | allowed | meaning | source |\n| --- | --- | --- | --- | --- |\n";
        }
        out << "| `" << p.path << "` | " << engine::formatValue(p, p.defaultValue) << " | "
            << markdownCell(engine::describeAllowed(p)) << " | " << markdownCell(p.meaning) << " | "
            << engine::name(p.sourceLabel) << ": " << markdownCell(p.source) << " |\n";
    }
}

void writeParameters(Output output, std::ostream& out) {
    if (output == Output::markdown)
        return writeMarkdown(out);
    if (output == Output::json)
        return printJson(jsonList(engine::parameters(), parameterJson), out);
    if (output == Output::csv) {
        out << "path,label,default,allowed,meaning,label_of_source,source\n";
        for (const Parameter& p : engine::parameters())
            out << csvLine({p.path, p.label, engine::formatValue(p, p.defaultValue), engine::describeAllowed(p),
                            p.meaning, std::string(engine::name(p.sourceLabel)), p.source});
        return;
    }
    Table table;
    for (const char* heading : {"path", "what it is", "default", "allowed", "source"})
        table.addColumn(heading, Align::left);
    for (const Parameter& p : engine::parameters())
        table.addRow({p.path, p.label, engine::formatValue(p, p.defaultValue), engine::describeAllowed(p),
                      std::string(engine::name(p.sourceLabel))});
    table.write(out);
    out << "\nMeanings and sources: --output markdown. Numbers take units: 75GB/s, 500 ns, 64 KiB.\n";
}

int list(const ListArguments& arguments) {
    const data::OwnPresets own(data::usualPresetFolder());
    if (arguments.kind == "experiments")
        writeExperiments(arguments.output, std::cout);
    else if (arguments.kind == "figures")
        writeFigures(arguments.output, std::cout);
    else if (arguments.kind == "evaluations")
        writeEvaluations(arguments.output, std::cout);
    else
        writePresets(presetsOf(arguments.kind, own), arguments.output, std::cout);
    for (const engine::Problem& problem : own.problems())
        std::cerr << engine::describe(problem) << "\n";
    return kDone;
}

int parameters(const CommonArguments& arguments) {
    writeParameters(arguments.output, std::cout);
    return kDone;
}

}  // namespace

void declareReference(Commands& commands) {
    const auto [listing, listed] =
        commands.add("list", "List presets with the source of each number, or figures, or evaluations",
                     "\nExample:\n  ringside-cli list machines --output json", list);
    const std::vector<std::string> kinds{"models",      "sublayers", "machines",   "policies",
                                         "experiments", "figures",   "evaluations"};
    listing.option("WHAT", listed.kind, "What to list").required().among(kinds);
    addForms(listing, listed.output);
    const auto [table, asked] =
        commands.add("parameters", "Print the parameter table: paths, defaults, ranges, sources",
                     "\nExample:\n  ringside-cli parameters --output markdown", parameters);
    addForms(table, asked.output, {"json", "table", "csv", "markdown"});
}

}  // namespace cli
