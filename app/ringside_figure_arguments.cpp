#include "app/ringside_figure_arguments.h"

#include "app/ringside_arguments.h"
#include "app/ringside_cli_exit.h"
#include "data/document/document_body.h"
#include "data/document/names.h"
#include "data/experiment/experiment_document.h"
#include "data/figure/figure_gallery.h"
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
constexpr double kLeastDpi = 36, kMostDpi = 2400;
constexpr int kMostThreads = 1024;

struct NamedFormat {
    const char* name;
    FigureFormat format;
};
constexpr std::array kFormats{
    NamedFormat{"pdf", FigureFormat::pdf},        NamedFormat{"svg", FigureFormat::svg},
    NamedFormat{"png", FigureFormat::png},        NamedFormat{"tikz", FigureFormat::tikz},
    NamedFormat{"csv", FigureFormat::csv},        NamedFormat{"python", FigureFormat::python},
    NamedFormat{"json", FigureFormat::spec},      NamedFormat{"caption", FigureFormat::caption},
    NamedFormat{"alt", FigureFormat::alternative}};

constexpr const char* kExamples = "\n\nExamples:\n"
                                  "  ringside figure sublayer-speedup --size acm-column --out speedup.pdf\n"
                                  "  ringside figure dram-traffic --size slide --theme dark-slide --out traffic.png\n"
                                  "  ringside figure sublayer-speedup --set link.bandwidth=75GB/s --out slow-links/\n"
                                  "  ringside figure speedup.pdf --size ieee-column --out speedup-ieee.pdf\n"
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
        QStringLiteral("A figure of the gallery (--list), or a file that contains one: PDF, SVG, PNG, zip, spec.json."),
        QStringLiteral("figure [WHAT]"));
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

/// Reads the figures to make: one of the gallery, one from a file, or all of the gallery.
void readWhat(const QCommandLineParser& parser, FigureArguments& arguments, engine::Problems& problems) {
    const QStringList what = parser.positionalArguments();
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
    if (what.size() > 1)
        refuse("WHAT", what[1], "only one figure at a time is allowed, or --all", problems);
    arguments.what = what.front();
    if (data::findGalleryEntry(arguments.what.toStdString()) != nullptr)
        return;
    arguments.carried = QFileInfo::exists(arguments.what) || ui::mayCarryFigure(arguments.what);
    if (!arguments.carried)
        refuse("WHAT", arguments.what,
               "neither a figure of the gallery nor a file" + nearest(arguments.what, galleryNames()) + "; " +
                   oneOf(galleryNames()),
               problems);
    else if (parser.isSet(QStringLiteral("set")))
        refuse("--set", parser.value(QStringLiteral("set")),
               "a figure from a file keeps its numbers; allowed: only with figures of the gallery", problems);
}

void readSettings(const QCommandLineParser& parser, FigureArguments& arguments, engine::Problems& problems) {
    data::ExperimentDraft draft;
    for (const QString& assignment : parser.values(QStringLiteral("set")))
        data::applySetting(assignment.toStdString(), draft, problems);
    arguments.settings = std::move(draft.explicitValues);
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
        for (const NamedFormat& format : kFormats)
            formats.push_back(format.format);
        return formats;
    }();
    return kAll;
}

std::span<const OptionText> figureOptions() {
    static constexpr OptionText kOptions[]{
        {"out",
         "The file to write. Its name decides the format: PDF, SVG, PNG, TikZ (.tex), Python script (.py), CSV, spec "
         "(.json) or zip. A folder or a zip gets the whole bundle.",
         "FILE"},
        {"format,formats",
         "pdf, svg, png, tikz, csv, python, json, caption, alt or bundle; for a folder several, with commas between "
         "them (default: by the name of the file; with --all pdf).",
         "F,...", "", formatNames, true},
        {"size", "Where the figure will appear: acm-column, slide, ... (default: its own).", "PRESET", "",
         data::figureSizeNames},
        {"theme", "paper, grey-print or dark-slide (default: its own).", "THEME", "", data::figureThemeNames},
        {"height", "Height in points of 1/72 inch (default: what the figure needs).", "PT"},
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
    readTarget(arguments, problems);
    arguments.size = wordOf(
        parser, "size", "size", data::figureSizeNames(), [](const auto& n) { return data::figureSizeNamed(n); },
        problems);
    arguments.theme = wordOf(
        parser, "theme", "theme", data::figureThemeNames(), [](const auto& n) { return data::figureThemeNamed(n); },
        problems);
    arguments.height = numberOf(parser, "height", kLeastHeight, kMostHeight, "a height in points", problems);
    arguments.dpi = numberOf(parser, "dpi", kLeastDpi, kMostDpi, "a number of pixels per inch", problems);
    arguments.threads = static_cast<int>(numberOf(parser, "threads", 1, kMostThreads, "a number of threads", problems)
                                             .value_or(QThread::idealThreadCount()));
    readSettings(parser, arguments, problems);
    if (!problems.empty())
        return refusedFigure(ui::text(problems));
    return {std::move(arguments), {}, 0};
}

}  // namespace app
