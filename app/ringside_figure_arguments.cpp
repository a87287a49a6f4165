#include "app/ringside_figure_arguments.h"

#include "app/ringside_cli_exit.h"
#include "app/ringside_empty_values.h"
#include "data/experiment/experiment_document.h"
#include "data/figure/figure_gallery.h"
#include "engine/api/parameters.h"
#include "engine/api/problem.h"
#include "ui/figure/figure_bundle.h"
#include "ui/look/text.h"

#include <QCommandLineParser>
#include <QFileInfo>
#include <QRegularExpression>
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

void addOptions(QCommandLineParser& parser) {
    parser.setApplicationDescription(QStringLiteral(
        "Makes figures for papers and slides; needs no display. What reviewers would object to is said on "
        "standard error."));
    parser.addPositionalArgument(
        QStringLiteral("WHAT"),
        QStringLiteral("A figure of the gallery (--list), or a file that carries one: PDF, SVG, PNG, zip, spec.json."),
        QStringLiteral("figure [WHAT]"));
    parser.addOptions({
        {QStringLiteral("out"),
         QStringLiteral("The file to write, by its name a PDF, SVG, PNG, TikZ (.tex), Python script (.py), CSV, spec "
                        "(.json) or zip; a folder or zip takes the whole bundle."),
         QStringLiteral("FILE")},
        {{QStringLiteral("format"), QStringLiteral("formats")},
         QStringLiteral("pdf, svg, png, tikz, csv, python, json, caption, alt or bundle; several for a folder, with "
                        "commas between them. Without it by the name of the file; with --all pdf."),
         QStringLiteral("F,...")},
        {QStringLiteral("size"),
         QStringLiteral("Where the figure will stand: acm-column, slide, ... (default: its own)."),
         QStringLiteral("PRESET")},
        {QStringLiteral("theme"), QStringLiteral("paper, grey-print or dark-slide (default: its own)."),
         QStringLiteral("THEME")},
        {QStringLiteral("height"), QStringLiteral("In points of 1/72 inch (default: what it needs)."),
         QStringLiteral("PT")},
        {QStringLiteral("dpi"), QStringLiteral("Of PNG (default: 600)."), QStringLiteral("N")},
        {QStringLiteral("all"), QStringLiteral("Every figure of the gallery, into the folder --out.")},
        {QStringLiteral("set"),
         QStringLiteral("Set a parameter in every experiment, units allowed: link.bandwidth=75GB/s (repeatable)."),
         QStringLiteral("PATH=VALUE")},
        {QStringLiteral("threads"),
         QStringLiteral("Threads to use (default: as many as there are cores); figures do not depend on it."),
         QStringLiteral("N")},
        {QStringLiteral("no-date"),
         QStringLiteral("Leaves the date out of the files, so that the same figure gives the same bytes; "
                        "SOURCE_DATE_EPOCH sets it instead.")},
        {QStringLiteral("list"), QStringLiteral("Names the figures of the gallery and leaves.")},
        {{QStringLiteral("h"), QStringLiteral("help")}, QStringLiteral("Says this and leaves.")},
    });
}

QString helpOf(const QCommandLineParser& parser) {
    static const QRegularExpression kProgram(QStringLiteral("^Usage: .*? \\[options\\] figure"));
    return parser.helpText().trimmed().replace(kProgram, QStringLiteral("Usage: ringside figure [options]")) +
           QString::fromUtf8(kExamples) + QString::fromUtf8(cli::kExitHelp);
}

/// Collects what is wrong, in the one spelling of problems.
class Refusals {
public:
    void add(const char* path, const QString& value, const std::string& text) {
        m_problems.push_back({path, value.toStdString(), text});
    }
    engine::Problems& problems() { return m_problems; }
    bool empty() const { return m_problems.empty(); }
    QString text() const {
        return ui::text(m_problems) + QStringLiteral("\nringside figure --help lists what can be given.");
    }

private:
    engine::Problems m_problems;
};

std::string oneOf(const std::vector<std::string>& names) {
    std::string text = "allowed: one of ";
    for (const std::string& name : names)
        text += (name == names.front() ? "" : ", ") + name;
    return text;
}

std::string nearest(const QString& name, const std::vector<std::string>& names) {
    const std::vector<std::string> near = engine::nearestNames(name.toStdString(), names);
    return near.empty() ? std::string() : ", did you mean " + near.front() + "?";
}

/// A word of a list by its name; refused with what is allowed otherwise.
template <typename Named>
auto wordOf(const QCommandLineParser& parser, const char* option, const char* what,
            const std::vector<std::string>& names, Named named, Refusals& refusals) -> decltype(named(std::string())) {
    const QString name = QLatin1String(option);
    if (!parser.isSet(name))
        return std::nullopt;
    const QString value = parser.value(name);
    const auto found = named(value.toStdString());
    if (!found)
        refusals.add((std::string("--") + option).c_str(), value,
                     std::string("no such ") + what + nearest(value, names) + "; " + oneOf(names));
    return found;
}

std::optional<double> numberOf(const QCommandLineParser& parser, const char* option, double least, double most,
                               const char* what, Refusals& refusals) {
    const QString name = QLatin1String(option);
    if (!parser.isSet(name))
        return std::nullopt;
    bool isNumber = false;
    const double number = parser.value(name).toDouble(&isNumber);
    if (isNumber && number >= least && number <= most)
        return number;
    refusals.add((std::string("--") + option).c_str(), parser.value(name),
                 std::string("not ") + what + "; allowed: " + QString::number(least).toStdString() + " to " +
                     QString::number(most).toStdString());
    return std::nullopt;
}

std::vector<std::string> galleryNames() {
    std::vector<std::string> names;
    for (const data::GalleryEntry& entry : data::galleryEntries())
        names.emplace_back(entry.name);
    return names;
}

/// The formats that --format names; `bundle` stands for all of them.
void readFormats(const QString& text, FigureArguments& arguments, Refusals& refusals) {
    std::vector<std::string> names;
    for (const NamedFormat& format : kFormats)
        names.emplace_back(format.name);
    names.emplace_back("bundle");
    for (const QString& name : text.split(QLatin1Char(','))) {
        const auto found = std::find_if(kFormats.begin(), kFormats.end(),
                                        [&](const NamedFormat& one) { return name == QLatin1String(one.name); });
        if (name == QLatin1String("bundle"))
            arguments.bundle = true;
        else if (found == kFormats.end())
            refusals.add("--format", name, "no such format" + nearest(name, names) + "; " + oneOf(names));
        else if (std::find(arguments.formats.begin(), arguments.formats.end(), found->format) ==
                 arguments.formats.end())
            arguments.formats.push_back(found->format);
    }
    if (arguments.bundle)
        arguments.formats = bundleFormats();
}

/// The format that a file's name stands for.
std::optional<FigureFormat> formatOf(const QString& path) {
    for (const FigureFormat format : {FigureFormat::pdf, FigureFormat::svg, FigureFormat::png, FigureFormat::csv,
                                      FigureFormat::tikz, FigureFormat::python, FigureFormat::spec})
        if (QFileInfo(path).suffix().compare(ui::suffixOf(format), Qt::CaseInsensitive) == 0)
            return format;
    return std::nullopt;
}

/// Whether one file is meant, a folder or a zip, and which formats go there.
void readTarget(FigureArguments& arguments, Refusals& refusals) {
    const QString& out = arguments.out;
    const bool isFolder = QFileInfo(out).isDir() || out.endsWith(QLatin1Char('/'));
    if (out.isEmpty()) {
        refusals.add("--out", {}, "the file or folder to write is missing");
    } else if (arguments.asked == FigureArguments::Asked::all) {
        if (!isFolder && QFileInfo::exists(out))
            refusals.add("--out", out, "is a file; --all needs a folder");
        else if (out.endsWith(QLatin1String(".zip"), Qt::CaseInsensitive))
            refusals.add("--out", out,
                         "--all needs a folder; with --format bundle each figure gets one of its own in it");
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
            refusals.add(
                "--out", out,
                "its name tells no format; allowed: .pdf, .svg, .png, .tex, .py, .csv, .json, .zip, a folder, or "
                "say which with --format");
    }
    if (arguments.formats.empty())
        arguments.formats = bundleFormats();
}

/// One figure of the gallery, a file that carries one, or all.
void readWhat(const QCommandLineParser& parser, FigureArguments& arguments, Refusals& refusals) {
    const QStringList what = parser.positionalArguments();
    if (parser.isSet(QStringLiteral("all"))) {
        arguments.asked = FigureArguments::Asked::all;
        if (!what.isEmpty())
            refusals.add("WHAT", what.front(), "--all makes every figure; leave one of the two out");
        return;
    }
    if (what.isEmpty()) {
        refusals.add("WHAT", {},
                     "the figure is missing; " + oneOf(galleryNames()) + ", a file that carries one, or --all");
        return;
    }
    if (what.size() > 1)
        refusals.add("WHAT", what[1], "one figure at a time; or --all");
    arguments.what = what.front();
    if (data::findGalleryEntry(arguments.what.toStdString()) != nullptr)
        return;
    arguments.carried = QFileInfo::exists(arguments.what) || ui::mayCarryFigure(arguments.what);
    if (!arguments.carried)
        refusals.add("WHAT", arguments.what,
                     "no figure of the gallery and no file" + nearest(arguments.what, galleryNames()) + "; " +
                         oneOf(galleryNames()));
    else if (parser.isSet(QStringLiteral("set")))
        refusals.add("--set", parser.value(QStringLiteral("set")),
                     "a figure from a file has its numbers; settings are for figures of the gallery");
}

void readSettings(const QCommandLineParser& parser, FigureArguments& arguments, Refusals& refusals) {
    data::ExperimentDraft draft;
    for (const QString& assignment : parser.values(QStringLiteral("set")))
        data::applySetting(assignment.toStdString(), draft, refusals.problems());
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
        for (const NamedFormat& format : kFormats)
            formats.push_back(format.format);
        return formats;
    }();
    return kAll;
}

FigureArgumentsReading readFigureArguments(const QStringList& words) {
    QCommandLineParser parser;
    addOptions(parser);
    Refusals refusals;
    if (!parser.parse(words)) {
        return {std::nullopt, parser.errorText() + QStringLiteral("\nringside figure --help lists what can be given."),
                2};
    }
    if (parser.isSet(QStringLiteral("help")))
        return {std::nullopt, helpOf(parser), 0};
    refusals.problems() = emptyValues(parser, "WHAT");
    if (!refusals.empty())
        return {std::nullopt, refusals.text(), 2};
    FigureArguments arguments;
    arguments.dated = !parser.isSet(QStringLiteral("no-date"));
    if (parser.isSet(QStringLiteral("list"))) {
        arguments.asked = FigureArguments::Asked::list;
        return {std::move(arguments), {}, 0};
    }
    readWhat(parser, arguments, refusals);
    arguments.out = parser.value(QStringLiteral("out"));
    if (parser.isSet(QStringLiteral("format")))
        readFormats(parser.value(QStringLiteral("format")), arguments, refusals);
    readTarget(arguments, refusals);
    arguments.size = wordOf(
        parser, "size", "size", data::figureSizeNames(), [](const auto& n) { return data::figureSizeNamed(n); },
        refusals);
    arguments.theme = wordOf(
        parser, "theme", "theme", data::figureThemeNames(), [](const auto& n) { return data::figureThemeNamed(n); },
        refusals);
    arguments.height = numberOf(parser, "height", kLeastHeight, kMostHeight, "a height in points", refusals);
    arguments.dpi = numberOf(parser, "dpi", kLeastDpi, kMostDpi, "a number of pixels per inch", refusals);
    arguments.threads = static_cast<int>(numberOf(parser, "threads", 1, kMostThreads, "a number of threads", refusals)
                                             .value_or(QThread::idealThreadCount()));
    readSettings(parser, arguments, refusals);
    if (!refusals.empty())
        return {std::nullopt, refusals.text(), 2};
    return {std::move(arguments), {}, 0};
}

}  // namespace app
