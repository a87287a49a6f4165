#include "app/ringside_figure_arguments.h"

#include "app/ringside_arguments.h"
#include "app/ringside_cli_draft.h"
#include "app/ringside_cli_exit.h"
#include "app/ringside_figure_sources.h"
#include "data/document/document_body.h"
#include "data/document/names.h"
#include "data/experiment/experiment_document.h"
#include "data/experiment/own_presets.h"
#include "data/figure/evaluation_source.h"
#include "data/figure/figure_edits.h"
#include "data/figure/figure_gallery.h"
#include "data/figure/figure_size.h"
#include "data/opening/document_kind.h"
#include "data/presets/presets.h"
#include "data/sweep/sweep_document.h"
#include "engine/api/parameters.h"
#include "engine/api/problem.h"
#include "ui/figure/figure_bundle.h"
#include "ui/look/format.h"

#include <QCommandLineParser>
#include <QFileInfo>
#include <QThread>

#include <algorithm>
#include <array>

namespace app {
namespace {

using ui::FigureFormat;

constexpr double kLeastHeight = 36, kMostHeight = 2000;
constexpr double kLeastWidth = 36, kMostWidth = 4000;
constexpr double kLeastDpi = 36, kMostDpi = 2400;
constexpr int kMostThreads = 1024;

struct NamedFormat {
    const char* name;
    FigureFormat format;
    bool inBundle = true;
};
constexpr std::array kFormats{NamedFormat{"pdf", FigureFormat::pdf},
                              NamedFormat{"svg", FigureFormat::svg},
                              NamedFormat{"png", FigureFormat::png},
                              NamedFormat{"tikz", FigureFormat::tikz},
                              NamedFormat{"csv", FigureFormat::csv},
                              NamedFormat{"python", FigureFormat::python},
                              NamedFormat{"json", FigureFormat::spec},
                              NamedFormat{"caption", FigureFormat::caption},
                              NamedFormat{"alt", FigureFormat::alternative},
                              NamedFormat{"latex", FigureFormat::latex, false},
                              NamedFormat{"latex-caption", FigureFormat::latexCaption, false}};

constexpr const char* kExamples = "\n\nExamples:\n"
                                  "  ringside figure sublayer-speedup --size acm-column --out speedup.pdf\n"
                                  "  ringside figure dram-traffic --size slide --theme dark-slide --out traffic.png\n"
                                  "  ringside figure sublayer-speedup --set link.bandwidth=75GB/s --out slow-links/\n"
                                  "  ringside figure speedup.pdf --size ieee-column --out speedup-ieee.pdf\n"
                                  "  ringside figure speedup.pdf --again --set link.latency=1us --out speedup.pdf\n"
                                  "  ringside figure speedup.pdf --look series.t3-mca.name=Ours --out ours.pdf\n"
                                  "  ringside figure speedup.pdf --check\n"
                                  "  ringside figure resources/examples/link-by-policy.json --y time_ps.total --out "
                                  "links.pdf\n"
                                  "  ringside figure combine links.pdf lanes.pdf --letters --out both.pdf\n"
                                  "  ringside figure timeline t-nlg/fc-2/tp8 --from 20% --to 60% --gpus 0,1 --lanes "
                                  "compute,dma --out lanes.pdf\n"
                                  "  ringside figure --all --out figures\n\n";

/// Returns the values of --format; `bundle` means all formats.
std::vector<std::string> formatNames() {
    std::vector<std::string> names = data::namesOf(kFormats, &NamedFormat::name);
    names.emplace_back("bundle");
    return names;
}

void addFigureOptions(QCommandLineParser& parser) {
    parser.setApplicationDescription(QStringLiteral(
        "Makes figures for papers and slides; needs no display. Prints on standard error what reviewers would object "
        "to."));
    parser.addPositionalArgument(
        QStringLiteral("WHAT"),
        QStringLiteral(
            "A figure of the gallery (--list); a file that contains one (PDF, SVG, PNG, zip, spec.json); a sweep; "
            "an evaluation, and the name of one of its figures; or a view (timeline, machine, chunks, tracker, "
            "inside, split, memory, compare, model, model/PAGE), and an experiment; or combine, and files "
            "with figures."),
        QStringLiteral("figure [WHAT]"));
    parser.addPositionalArgument(
        QStringLiteral("OF"),
        QStringLiteral("The experiment of a view, the name of a figure, or the files to combine."),
        QStringLiteral("[OF...]"));
    addOptions(parser, figureOptions());
}

/// Adds a problem in the common format.
void refuse(const char* path, const QString& value, const std::string& text, engine::Problems& problems) {
    problems.push_back({path, value.toStdString(), text});
}

FigureArgumentsReading refusedFigure(const QString& text) {
    return {std::nullopt, text + QStringLiteral("\n`ringside figure --help` lists all arguments."), cli::kInputWrong};
}

std::string oneOf(const std::vector<std::string>& names) { return "allowed: one of " + data::joinedNames(names, ", "); }

std::string nearest(const QString& name, const std::vector<std::string>& names) {
    const std::vector<std::string> near = engine::nearestNames(name.toStdString(), names);
    return near.empty() ? std::string() : ", did you mean " + near.front() + "?";
}

/// Returns the entry of a list with this name; otherwise refuses it and lists what is allowed.
template <typename Named>
auto wordOf(const QCommandLineParser& parser, const char* option, const char* what,
            const std::vector<std::string>& names, Named named, engine::Problems& problems)
    -> decltype(named(std::string())) {
    const QString name = QLatin1String(option);
    if (!parser.isSet(name))
        return std::nullopt;
    const QString value = parser.value(name);
    const auto found = named(value.toStdString());
    if (!found)
        refuse((std::string("--") + option).c_str(), value,
               std::string("no such ") + what + nearest(value, names) + "; " + oneOf(names), problems);
    return found;
}

std::optional<double> numberOf(const QCommandLineParser& parser, const char* option, double least, double most,
                               const char* what, engine::Problems& problems) {
    const QString name = QLatin1String(option);
    if (!parser.isSet(name))
        return std::nullopt;
    bool isNumber = false;
    const double number = parser.value(name).toDouble(&isNumber);
    if (isNumber && number >= least && number <= most)
        return number;
    refuse((std::string("--") + option).c_str(), parser.value(name),
           std::string("not ") + what + "; allowed: " + QString::number(least).toStdString() + " to " +
               QString::number(most).toStdString(),
           problems);
    return std::nullopt;
}

std::vector<std::string> galleryNames() { return data::namesOf(data::galleryEntries(), &data::GalleryEntry::name); }

/// Reads the formats that --format names.
void readFormats(const QString& text, FigureArguments& arguments, engine::Problems& problems) {
    const std::vector<std::string> names = formatNames();
    for (const QString& name : text.split(QLatin1Char(','))) {
        const auto found = std::find_if(kFormats.begin(), kFormats.end(),
                                        [&](const NamedFormat& one) { return name == QLatin1String(one.name); });
        if (name == QLatin1String("bundle"))
            arguments.bundle = true;
        else if (found == kFormats.end())
            refuse("--format", name, "no such format" + nearest(name, names) + "; " + oneOf(names), problems);
        else if (std::find(arguments.formats.begin(), arguments.formats.end(), found->format) ==
                 arguments.formats.end())
            arguments.formats.push_back(found->format);
    }
    if (arguments.bundle)
        arguments.formats = bundleFormats();
}

/// Returns the format of a file's name.
std::optional<FigureFormat> formatOf(const QString& path) {
    for (const FigureFormat format : {FigureFormat::pdf, FigureFormat::svg, FigureFormat::png, FigureFormat::csv,
                                      FigureFormat::tikz, FigureFormat::python, FigureFormat::spec})
        if (QFileInfo(path).suffix().compare(ui::suffixOf(format), Qt::CaseInsensitive) == 0)
            return format;
    return std::nullopt;
}

/// Decides whether the output is one file, a folder or a zip, and which formats it has.
void readTarget(FigureArguments& arguments, engine::Problems& problems) {
    const QString& out = arguments.out;
    const bool isFolder = QFileInfo(out).isDir() || out.endsWith(QLatin1Char('/'));
    if (out.isEmpty()) {
        refuse("--out", {}, "the file or folder to write is missing", problems);
    } else if (out == QLatin1String("-")) {
        if (arguments.asked == FigureArguments::Asked::all || arguments.formats.size() != 1)
            refuse("--out", out,
                   "standard output takes one figure in one format; allowed: with --format and one format", problems);
    } else if (arguments.asked == FigureArguments::Asked::all) {
        if (!isFolder && QFileInfo::exists(out))
            refuse("--out", out, "is a file; --all needs a folder", problems);
        else if (out.endsWith(QLatin1String(".zip"), Qt::CaseInsensitive))
            refuse("--out", out, "--all needs a folder; with --format bundle each figure gets one of its own in it",
                   problems);
        if (arguments.formats.empty())
            arguments.formats = {FigureFormat::pdf};
    } else if (out.endsWith(QLatin1String(".zip"), Qt::CaseInsensitive)) {
        arguments.asked = FigureArguments::Asked::zip;
    } else if (isFolder || arguments.bundle || arguments.formats.size() > 1) {
        arguments.asked = FigureArguments::Asked::folder;
    } else if (arguments.formats.empty()) {
        if (const auto format = formatOf(out))
            arguments.formats = {*format};
        else
            refuse(
                "--out", out,
                "its name has no known format; allowed: .pdf, .svg, .png, .tex, .py, .csv, .json, .zip, a folder, or "
                "any name with --format",
                problems);
    }
    if (arguments.formats.empty())
        arguments.formats = bundleFormats();
}

/// Options that choose what a source shows, with the sources that have them.
struct ChoiceOption {
    const char* name;
    data::FigureSource::Kind kind;
};
constexpr std::array kChoices{
    ChoiceOption{"where", data::FigureSource::Kind::sweep},   ChoiceOption{"kind", data::FigureSource::Kind::sweep},
    ChoiceOption{"x", data::FigureSource::Kind::sweep},       ChoiceOption{"series", data::FigureSource::Kind::sweep},
    ChoiceOption{"panels", data::FigureSource::Kind::sweep},  ChoiceOption{"y", data::FigureSource::Kind::sweep},
    ChoiceOption{"against", data::FigureSource::Kind::sweep}, ChoiceOption{"scale", data::FigureSource::Kind::sweep},
    ChoiceOption{"from", data::FigureSource::Kind::view},     ChoiceOption{"to", data::FigureSource::Kind::view},
    ChoiceOption{"at", data::FigureSource::Kind::view},       ChoiceOption{"gpu", data::FigureSource::Kind::view},
    ChoiceOption{"chunk", data::FigureSource::Kind::view},    ChoiceOption{"gpus", data::FigureSource::Kind::view},
    ChoiceOption{"lanes", data::FigureSource::Kind::view}};

void readChoices(const QCommandLineParser& parser, data::FigureSource& source, engine::Problems& problems) {
    if (parser.isSet(QStringLiteral("points"))) {
        if (source.kind != data::FigureSource::Kind::sweep)
            refuse("--points", {}, "only a figure of a sweep has this choice", problems);
        source.choices.emplace_back("points=true");
    }
    for (const ChoiceOption& choice : kChoices) {
        const QStringList values = parser.values(QLatin1String(choice.name));
        if (!values.isEmpty() && source.kind != choice.kind)
            refuse(("--" + std::string(choice.name)).c_str(), values.front(),
                   choice.kind == data::FigureSource::Kind::sweep ? "only a figure of a sweep has this choice"
                                                                  : "only a figure of a view has this choice",
                   problems);
        for (const QString& value : values)
            source.choices.push_back(choice.name + std::string("=") + value.toStdString());
    }
}

void readView(const QString& view, const QStringList& of, FigureArguments& arguments, engine::Problems& problems) {
    arguments.source.kind = data::FigureSource::Kind::view;
    arguments.source.name = view.toStdString();
    if (of.isEmpty())
        return refuse("OF", {},
                      "the experiment of the view is missing: ringside figure " + view.toStdString() +
                          " t-nlg/fc-2/tp8",
                      problems);
    arguments.source.file = of.front().toStdString();
    data::DraftReading reading = view.startsWith(QLatin1String("model")) && !QFileInfo::exists(of.front()) &&
                                         data::findModel(of.front().toStdString()) != nullptr
                                     ? cli::readModel(of.front().toStdString(), {})
                                     : cli::readDraft(of.front().toStdString());
    problems.insert(problems.end(), reading.problems.begin(), reading.problems.end());
    arguments.source.document = data::writeDraft(reading.draft);
}

/// Reads a file by its kind: a figure, a sweep or an evaluation.
void readFile(const QString& file, const QStringList& of, FigureArguments& arguments, engine::Problems& problems) {
    const std::string path = file.toStdString();
    switch (data::documentKind(path)) {
    case data::DocumentKind::sweep: {
        const data::SweepReading sweep = data::readSweepFile(path, data::OwnPresets(data::usualPresetFolder()));
        problems.insert(problems.end(), sweep.problems.begin(), sweep.problems.end());
        arguments.source.kind = data::FigureSource::Kind::sweep;
        arguments.source.file = QFileInfo(file).fileName().toStdString();
        if (sweep.problems.empty())
            arguments.source.document = data::writeSweep(sweep.sweep);
        break;
    }
    case data::DocumentKind::evaluation:
        arguments.source = data::sourceOf(path, of.isEmpty() ? std::string() : of.front().toStdString());
        return;
    case data::DocumentKind::figure: arguments.carried = true; break;
    default:
        if (QFileInfo::exists(file) && file.endsWith(QLatin1String(".json"), Qt::CaseInsensitive))
            refuse(
                "WHAT", file,
                "neither a figure, a sweep nor an evaluation; the figure of an experiment needs a view: ringside figure "
                "timeline " +
                    path,
                problems);
        arguments.carried = true;
    }
    if (!of.isEmpty())
        refuse("OF", of.front(), "only a view and an evaluation are followed by another word", problems);
}

/// Reads the figures to make: one of the gallery, of a file, or of a view, or all of the gallery.
void readWhat(const QCommandLineParser& parser, FigureArguments& arguments, engine::Problems& problems) {
    QStringList what = parser.positionalArguments();
    if (parser.isSet(QStringLiteral("all"))) {
        arguments.asked = FigureArguments::Asked::all;
        if (!what.isEmpty())
            refuse("WHAT", what.front(), "--all makes every figure; leave one of the two out", problems);
        return;
    }
    if (what.isEmpty()) {
        refuse("WHAT", {}, "the figure is missing; " + oneOf(galleryNames()) + ", a file that contains one, or --all",
               problems);
        return;
    }
    if (what.front() == QLatin1String("combine")) {
        arguments.what = what.takeFirst();
        arguments.combined = what;
        if (what.size() < 2)
            refuse("OF", what.join(u' '), "at least two figures are expected: ringside figure combine a.pdf b.pdf",
                   problems);
        what.removeDuplicates();
        if (what.size() < arguments.combined.size())
            refuse("OF", arguments.combined.join(u' '), "a file is there twice", problems);
        readChoices(parser, arguments.source, problems);
        return;
    }
    if (what.size() > 2)
        refuse("OF", what[2], "only one figure at a time is allowed, or --all", problems);
    arguments.what = what.takeFirst();
    const std::string name = arguments.what.toStdString();
    if (data::findGalleryEntry(name) != nullptr) {
        arguments.source.kind = data::FigureSource::Kind::gallery;
        arguments.source.name = name;
        if (!what.isEmpty())
            refuse("OF", what.front(), "only a view and an evaluation are followed by another word", problems);
    } else if (data::isAmong(figureViews(), name)) {
        readView(arguments.what, what, arguments, problems);
    } else if (QFileInfo::exists(arguments.what) || ui::mayCarryFigure(arguments.what)) {
        readFile(arguments.what, what, arguments, problems);
    } else {
        refuse("WHAT", arguments.what,
               "neither a figure of the gallery, a view nor a file" + nearest(arguments.what, galleryNames()) + "; " +
                   oneOf(galleryNames()) + "; or a view: " + data::joinedNames(figureViews(), " and "),
               problems);
    }
    arguments.again = parser.isSet(QStringLiteral("again"));
    if (arguments.carried && !arguments.again && parser.isSet(QStringLiteral("set")))
        refuse("--set", parser.value(QStringLiteral("set")),
               "a figure from a file keeps its numbers; allowed: only with figures that are made, or with --again",
               problems);
    for (const char* option : {"again", "check", "about"}) {
        if (parser.isSet(QLatin1String(option)) && !arguments.carried)
            refuse(("--" + std::string(option)).c_str(), arguments.what,
                   "allowed: only with a file that contains a figure", problems);
    }
    if (parser.isSet(QStringLiteral("check")) || parser.isSet(QStringLiteral("about")))
        arguments.asked =
            parser.isSet(QStringLiteral("check")) ? FigureArguments::Asked::check : FigureArguments::Asked::about;
    readChoices(parser, arguments.source, problems);
}

/// Reads the edits: first the options that have names of their own, then --look.
void readEdits(const QCommandLineParser& parser, FigureArguments& arguments, engine::Problems& problems) {
    wordOf(
        parser, "size", "size", data::figureSizeNames(), [](const auto& n) { return data::figureSizeNamed(n); },
        problems);
    wordOf(
        parser, "theme", "theme", data::figureThemeNames(), [](const auto& n) { return data::figureThemeNamed(n); },
        problems);
    numberOf(parser, "width", kLeastWidth, kMostWidth, "a width in points", problems);
    numberOf(parser, "height", kLeastHeight, kMostHeight, "a height in points", problems);
    for (const char* option : {"size", "theme", "width", "height"}) {
        if (parser.isSet(QLatin1String(option)))
            arguments.edits.push_back(option + std::string("=") + parser.value(QLatin1String(option)).toStdString());
    }
    if (parser.isSet(QStringLiteral("columns"))) {
        if (const auto columns = numberOf(parser, "columns", 0, 6, "a number of columns", problems))
            arguments.edits.push_back("columns=" + std::to_string(static_cast<int>(*columns)));
    }
    if (parser.isSet(QStringLiteral("letters")))
        arguments.edits.emplace_back("letters=true");
    for (const QString& look : parser.values(QStringLiteral("look"))) {
        if (!data::readEdit(look.toStdString()))
            refuse("--look", look, "an edit is PATH=VALUE, such as panel.1.y.to=1.6 or series.t3.name=Ours", problems);
        arguments.edits.push_back(look.toStdString());
    }
}

void readSettings(const QCommandLineParser& parser, FigureArguments& arguments, engine::Problems& problems) {
    for (const QString& assignment : parser.values(QStringLiteral("set")))
        arguments.settings.push_back(assignment.toStdString());
    cli::readSettings(arguments.settings, problems);  // says what is wrong with them
    arguments.source.settings = arguments.settings;
}

}  // namespace

bool FigureArguments::ownFolders() const {
    return std::any_of(formats.begin(), formats.end(), [](FigureFormat format) {
        return format == FigureFormat::spec || format == FigureFormat::caption || format == FigureFormat::alternative;
    });
}

const std::vector<FigureFormat>& bundleFormats() {
    static const std::vector<FigureFormat> kAll = [] {
        std::vector<FigureFormat> formats;
        formats.reserve(std::size(kFormats));
        for (const NamedFormat& format : kFormats) {
            if (format.inBundle)
                formats.push_back(format.format);
        }
        return formats;
    }();
    return kAll;
}

std::span<const OptionText> figureOptions() {
    static constexpr OptionText kOptions[]{
        {"out",
         "The file to write. Its name decides the format: PDF, SVG, PNG, TikZ (.tex), Python script (.py), CSV, spec "
         "(.json) or zip. A folder or a zip gets the whole bundle; - is standard output.",
         "FILE"},
        {"format,formats",
         "pdf, svg, png, tikz, csv, python, json, caption, alt, latex (the lines that include the PDF), latex-caption or "
         "bundle; for a folder several, with commas between them (default: by the name of the file; with --all pdf).",
         "F,...", "", formatNames, true},
        {"size", "Where the figure will appear: acm-column, slide, ... (default: its own).", "PRESET", "",
         data::figureSizeNames},
        {"theme", "paper, grey-print or dark-slide (default: its own).", "THEME", "", data::figureThemeNames},
        {"width", "Width in points of 1/72 inch, such as that of your column (default: that of the size).", "PT"},
        {"height", "Height in points of 1/72 inch (default: what the figure needs).", "PT"},
        {"look",
         "Changes the figure (repeatable): panel.1.y.to=1.6, series.t3-mca.name=Ours, series.t3.hidden=true, "
         "panel.1.y.break=0.2,0.9, letters=true. The edit is kept in the file and is applied again with --again.",
         "PATH=VALUE"},
        {"columns", "Panels in a row, 0 for as many as the size has room for (default: the figure's own).", "N"},
        {"letters", "Writes letters before the panels: (a), (b)."},
        {"again",
         "Makes the numbers of a figure in a file again, with --set, and applies its edits. Exit code 1 if an edit "
         "no longer finds its part."},
        {"check",
         "Makes the numbers of a figure in a file again and says for each whether it is equal. Exit code 1 if one "
         "is not."},
        {"about", "Prints how a figure in a file was made, ready for the appendix of a paper."},
        {"store", "The store in which runs of sweeps and evaluations are looked up and kept (default: none).", "FILE"},
        {"where", "Of a sweep: only these values, such as workload.sublayer=fc-2 or policy=t3,t3-mca (repeatable).",
         "PATH=VALUE"},
        {"x", "Of a sweep: the axis along x.", "PATH"},
        {"y", "Of a sweep: the metric (default: its first one).", "PATH"},
        {"series", "Of a sweep: the axis with a line for each value, or policy.", "PATH"},
        {"panels", "Of a sweep: the axis with a panel for each value.", "PATH"},
        {"kind", "Of a sweep: lines, grouped-lines, heat-map, small-multiples, pareto, parallel or tornado.", "KIND"},
        {"against", "Of a Pareto front: the metric that is its cost.", "PATH"},
        {"scale", "Of a sweep: linear or logarithmic (default: by the values).", "SCALE"},
        {"points", "Of a sweep over seeds: draws the points behind the means as well."},
        {"from", "Of a view: where the visible range begins: 1.2ms, 350us, 40%.", "TIME"},
        {"to", "Of a view: where the visible range ends.", "TIME"},
        {"at", "Of a view: the time that it shows.", "TIME"},
        {"gpu", "Of a view: the GPU that it shows.", "N"},
        {"chunk", "Of a view: the chunk that is followed.", "N"},
        {"gpus", "Of a timeline: only these GPUs.", "N,...", "", nullptr, true},
        {"lanes", "Of a timeline: only lanes with these words in their names.", "WORD,...", "", nullptr, true},
        {"dpi", "Resolution of a PNG in dots per inch (default: 600).", "N"},
        {"all", "Writes every figure of the gallery into the folder --out."},
        {"set", "Sets a parameter in every experiment, units allowed: link.bandwidth=75GB/s (repeatable).",
         "PATH=VALUE"},
        {"threads", "Threads to use (default: as many as there are cores); figures do not depend on it.", "N"},
        {"no-date", "Leaves the date out of the files, so that the same figure gives the same bytes; "
                    "SOURCE_DATE_EPOCH sets it instead."},
        {"list", "Lists the figures of the gallery and exits."},
        {"h,help", "Prints this help and exits."}};
    return kOptions;
}

FigureArgumentsReading readFigureArguments(const QStringList& words) {
    QCommandLineParser parser;
    addFigureOptions(parser);
    if (!parser.parse(words))
        return refusedFigure(parser.errorText());
    if (parser.isSet(QStringLiteral("help")))
        return {std::nullopt,
                helpOf(parser, QStringLiteral("figure")) + QString::fromUtf8(kExamples) +
                    QString::fromUtf8(cli::kExitHelp),
                0};
    engine::Problems problems = emptyValues(parser, figureOptions(), "WHAT");
    if (!problems.empty())
        return refusedFigure(ui::text(problems));
    FigureArguments arguments;
    arguments.dated = !parser.isSet(QStringLiteral("no-date"));
    if (parser.isSet(QStringLiteral("list"))) {
        arguments.asked = FigureArguments::Asked::list;
        return {std::move(arguments), {}, 0};
    }
    readWhat(parser, arguments, problems);
    arguments.out = parser.value(QStringLiteral("out"));
    if (parser.isSet(QStringLiteral("format")))
        readFormats(parser.value(QStringLiteral("format")), arguments, problems);
    if (arguments.asked != FigureArguments::Asked::check && arguments.asked != FigureArguments::Asked::about)
        readTarget(arguments, problems);
    readEdits(parser, arguments, problems);
    arguments.store = parser.value(QStringLiteral("store"));
    arguments.dpi = numberOf(parser, "dpi", kLeastDpi, kMostDpi, "a number of pixels per inch", problems);
    arguments.threads = static_cast<int>(numberOf(parser, "threads", 1, kMostThreads, "a number of threads", problems)
                                             .value_or(QThread::idealThreadCount()));
    readSettings(parser, arguments, problems);
    if (!problems.empty())
        return refusedFigure(ui::text(problems));
    return {std::move(arguments), {}, 0};
}

}  // namespace app
