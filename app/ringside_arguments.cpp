#include "app/ringside_arguments.h"

#include "app/ringside_cli_draft.h"
#include "app/ringside_cli_exit.h"
#include "data/document/names.h"
#include "data/evaluations/evaluation.h"
#include "data/experiment/link_text.h"
#include "data/experiment/own_presets.h"
#include "data/model/model_point.h"
#include "data/opening/document_kind.h"
#include "data/tasks/task_document.h"
#include "data/trace/trace_file.h"
#include "ui/figure/figure_bundle.h"
#include "ui/lessons/lesson_library.h"
#include "ui/look/format.h"
#include "ui/model/model_view.h"

#include <QCommandLineParser>
#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace app {
namespace {

constexpr double kLargestScale = 4;
const QString kExample = QStringLiteral("t-nlg/fc-2/tp8");

ArgumentsReading refused(const QString& text) {
    return {std::nullopt, text + QStringLiteral("\n`ringside --help` lists all arguments."), cli::kInputWrong};
}

ArgumentsReading unreadable(const engine::Problems& problems) {
    return {std::nullopt, ui::text(problems), cli::kInputWrong};
}

struct NamedTheme {
    std::string_view name;
    ui::Theme theme;
};
constexpr std::array kThemes{NamedTheme{"light", ui::Theme::light}, NamedTheme{"dark", ui::Theme::dark}};

std::vector<std::string> themeNames() { return data::namesOf(kThemes, &NamedTheme::name); }

std::vector<std::string> phaseNames() {
    std::vector<std::string> names;
    for (const engine::ModelPhase phase :
         {engine::ModelPhase::training, engine::ModelPhase::prompt, engine::ModelPhase::generation})
        names.emplace_back(engine::name(phase));
    return names;
}

std::vector<std::string> lessonNames() {
    std::vector<std::string> names;
    for (const ui::BundledLesson& lesson : ui::bundledLessons())
        names.push_back(lesson.name.toStdString());
    return names;
}

std::vector<std::string> pageNames() {
    std::vector<std::string> names;
    for (const QString& name : ui::ModelView::pageNames())
        names.push_back(name.toStdString());
    return names;
}

std::vector<std::string> evaluationNames() { return data::namesOf(data::evaluations(), &data::Evaluation::name); }

QString joined(const std::vector<std::string>& names) { return QString::fromStdString(data::joined(names, ", ")); }

void addAllOptions(QCommandLineParser& parser) {
    parser.addPositionalArgument(
        QStringLiteral("EXPERIMENT"),
        QStringLiteral(
            "A preset such as t-nlg/fc-2/tp8 (the default), the JSON document of an experiment, a sweep, a lesson, "
            "an evaluation, a document of tasks, a model or a machine, a trace or a figure that Ringside wrote (PDF, SVG, PNG, zip, spec.json), or a link text (ringside:1:…). "
            "Traces of a profiler may be several, one for each rank."),
        QStringLiteral("[EXPERIMENT]"));
    addOptions(parser, windowOptions());
}

// The window's minimum size takes precedence.
std::optional<QSize> sizeOf(const QString& text) {
    static const QRegularExpression kPattern(QStringLiteral("^(\\d{3,4})x(\\d{3,4})$"));
    const QRegularExpressionMatch match = kPattern.match(text);
    if (!match.hasMatch())
        return std::nullopt;
    return QSize(match.captured(1).toInt(), match.captured(2).toInt());
}

/// Reads --page. Only the view Model has pages.
std::optional<QString> readPage(const QCommandLineParser& parser, Arguments& arguments) {
    const auto page = QStringLiteral("page");
    if (!parser.isSet(page))
        return std::nullopt;
    arguments.page = parser.value(page);
    const QStringList pages = ui::ModelView::pageNames();
    if (!pages.contains(arguments.page))
        return QStringLiteral("--page: %1: no such page; allowed: one of %2").arg(arguments.page, pages.join(u", "));
    if (arguments.view != QLatin1String("model"))
        return QStringLiteral("--page: %1: a page of the view model, allowed only with --view model")
            .arg(arguments.page);
    return std::nullopt;
}

std::optional<QString> readPicture(const QCommandLineParser& parser, Arguments& arguments) {
    const auto phase = QStringLiteral("phase");
    const auto size = QStringLiteral("size");
    if (parser.isSet(phase)) {
        arguments.phase = engine::modelPhaseNamed(parser.value(phase).toStdString());
        if (!arguments.phase)
            return QStringLiteral("--phase: %1: no such phase; allowed: one of %2")
                .arg(parser.value(phase), joined(phaseNames()));
    }
    if (const auto problem = readPage(parser, arguments))
        return problem;
    if (parser.isSet(size)) {
        arguments.size = sizeOf(parser.value(size));
        if (!arguments.size)
            return QStringLiteral("--size: %1: not a size; allowed: a width and a height, such as 1280x800")
                .arg(parser.value(size));
    }
    return std::nullopt;
}

std::optional<QString> readHandout(const QCommandLineParser& parser, Arguments& arguments) {
    arguments.handout = parser.value(QStringLiteral("handout"));
    arguments.handoutAnswers = parser.isSet(QStringLiteral("answers"));
    arguments.handoutDated = !parser.isSet(QStringLiteral("no-date"));
    if (arguments.handout.isEmpty()) {
        for (const char* option : {"answers", "no-date"}) {
            if (parser.isSet(QLatin1String(option)))
                return QStringLiteral("--%1: only together with --handout").arg(QLatin1String(option));
        }
        return std::nullopt;
    }
    for (const char* option : {"screenshot", "frames", "figure", "step", "reveal"}) {
        if (parser.isSet(QLatin1String(option)))
            return QStringLiteral("--handout and --%1 exclude each other").arg(QLatin1String(option));
    }
    return std::nullopt;
}

/// Reads the options of a lesson. The problems of its document are printed one on each line.
std::optional<QString> readLesson(const QCommandLineParser& parser, const QString& document, Arguments& arguments) {
    const QString name = parser.value(QStringLiteral("lesson"));
    if (name.isEmpty() && document.isEmpty()) {
        for (const char* option : {"step", "reveal", "handout", "answers", "no-date"}) {
            if (parser.isSet(QLatin1String(option)))
                return QStringLiteral("--step, --reveal, --handout, --answers and --no-date belong to --lesson");
        }
        return std::nullopt;
    }
    const ui::BundledLesson* bundled = document.isEmpty() ? ui::bundledLesson(name) : nullptr;
    const QString file = bundled != nullptr ? bundled->file : document.isEmpty() ? name : document;
    if (bundled == nullptr && !QFileInfo(file).isFile())
        return QStringLiteral("--lesson: %1: no such lesson; allowed: one of %2, or a file")
            .arg(name, joined(lessonNames()));
    const data::LessonReading reading = ui::openLesson(file);
    if (!reading.problems.empty())
        return ui::text(reading.problems);
    const QString step = parser.value(QStringLiteral("step"));
    const auto count = static_cast<qulonglong>(reading.lesson.steps.size());
    bool number = false;
    const qulonglong at = step.toULongLong(&number);
    if (!number || at < 1 || at > count)
        return QStringLiteral("--step: %1: no such step; allowed: 1 to %2").arg(step).arg(count);
    arguments.lessonFile = bundled != nullptr ? file : QFileInfo(file).absoluteFilePath();
    arguments.lessonStep = static_cast<std::size_t>(at - 1);
    arguments.lessonRevealed = parser.isSet(QStringLiteral("reveal"));
    return readHandout(parser, arguments);
}

/// Reads --evaluation. The problems of its document are printed one on each line.
std::optional<QString> readEvaluation(const QCommandLineParser& parser, const QString& document, Arguments& arguments) {
    const QString name = document.isEmpty() ? parser.value(QStringLiteral("evaluation")) : document;
    if (name.isEmpty())
        return std::nullopt;
    const bool bundled = document.isEmpty() && data::findEvaluation(name.toStdString()) != nullptr;
    if (!bundled && !QFileInfo(name).isFile())
        return QStringLiteral("--evaluation: %1: no such evaluation; allowed: one of %2, or a file")
            .arg(name, joined(evaluationNames()));
    if (!bundled) {
        const data::EvaluationReading reading =
            data::readEvaluationFile(name.toStdString(), data::OwnPresets(data::usualPresetFolder()));
        if (!reading.problems.empty())
            return ui::text(reading.problems);
    }
    arguments.evaluation = bundled ? name : QFileInfo(name).absoluteFilePath();
    if (!parser.isSet(QStringLiteral("view")) && arguments.figure.isEmpty())
        arguments.view = QStringLiteral("evaluations");
    return std::nullopt;
}

std::optional<QString> readNumber(const QCommandLineParser& parser, const char* name, double least, double most,
                                  double& number) {
    const QString text = parser.value(QString::fromLatin1(name));
    bool read = false;
    const double value = text.toDouble(&read);
    if (!read || !(value >= least && value <= most))
        return QStringLiteral("--%1: %2: not a number or out of range; allowed: %3 to %4")
            .arg(QString::fromLatin1(name), text)
            .arg(least)
            .arg(most);
    number = value;
    return std::nullopt;
}

std::optional<QString> readMoment(const QCommandLineParser& parser, const char* name, std::optional<Moment>& moment) {
    const QString text = parser.value(QString::fromLatin1(name));
    moment = momentOf(text);
    if (!moment && parser.isSet(QString::fromLatin1(name)))
        return QStringLiteral("--%1: %2: not a time; allowed: a time such as 1.2ms, or a share such as 40%")
            .arg(QString::fromLatin1(name), text);
    return std::nullopt;
}

std::optional<QString> readFrames(const QCommandLineParser& parser, Arguments& arguments) {
    arguments.frames = parser.value(QStringLiteral("frames"));
    if (arguments.frames.isEmpty()) {
        for (const char* name : {"fps", "seconds", "from", "to"}) {
            if (parser.isSet(QString::fromLatin1(name)))
                return QStringLiteral("--%1: only together with --frames").arg(QString::fromLatin1(name));
        }
        return std::nullopt;
    }
    if (parser.isSet(QStringLiteral("screenshot")) || parser.isSet(QStringLiteral("figure")))
        return QStringLiteral("--frames excludes --screenshot and --figure");
    if (auto problem = readNumber(parser, "fps", 1, 240, arguments.framesPerSecond))
        return problem;
    if (auto problem = readNumber(parser, "seconds", 0.1, 600, arguments.seconds))
        return problem;
    if (auto problem = readMoment(parser, "from", arguments.from))
        return problem;
    return readMoment(parser, "to", arguments.to);
}

std::optional<QString> readLook(const QCommandLineParser& parser, Arguments& arguments) {
    if (parser.isSet(QStringLiteral("theme"))) {
        const QString name = parser.value(QStringLiteral("theme"));
        const NamedTheme* theme = data::findNamed(kThemes, &NamedTheme::name, name.toStdString());
        if (theme == nullptr)
            return QStringLiteral("--theme: %1: no such theme; allowed: one of %2").arg(name, joined(themeNames()));
        arguments.theme = theme->theme;
    }
    arguments.figure = parser.value(QStringLiteral("figure"));
    arguments.view = arguments.figure.isEmpty() ? parser.value(QStringLiteral("view")) : QStringLiteral("figure");
    double scale = 1;  // scaleOf has already passed it to Qt
    if (auto problem = readNumber(parser, "scale", 1, kLargestScale, scale))
        return problem;
    if (auto problem = readMoment(parser, "at", arguments.at))
        return problem;
    arguments.screenshot = parser.value(QStringLiteral("screenshot"));
    if (auto problem = readFrames(parser, arguments))
        return problem;
    return readPicture(parser, arguments);
}

/// Returns the problems that prevent the draft from being shown. The view Model also shows a model whose sub-layers
/// cannot be run, for example on one GPU.
engine::Problems problemsOf(const data::ExperimentDraft& draft, const Arguments& arguments) {
    engine::Problems problems = data::problemsOfShowing(draft);
    if (!problems.empty() && arguments.view == QLatin1String("model"))
        problems = data::expandModelPoint(draft, data::ResultSubject::footprint).problems;
    return problems;
}

// A view that was requested takes precedence over the view of the link.
ArgumentsReading readLinkArgument(const QString& link, bool viewGiven, Arguments arguments) {
    data::SceneReading reading = data::readLink(link.toStdString());
    const data::OwnPresets own(data::usualPresetFolder());
    arguments.asked = reading.scene.draft.has_value();
    arguments.draft =
        data::withOwnPresets(reading.scene.draft.value_or(data::draftNamed(kExample.toStdString()).draft), own);
    if (reading.problems.empty() && reading.scene.lesson)
        reading.problems = ui::lessonAt(*reading.scene.lesson).problems;
    if (reading.problems.empty())
        reading.problems = problemsOf(arguments.draft, arguments);
    if (!reading.problems.empty())
        return unreadable(reading.problems);
    if (viewGiven)
        reading.scene.view.clear();
    arguments.scene = std::move(reading.scene);
    return {std::move(arguments), {}, 0};
}

ArgumentsReading readExperimentArgument(const QString& experiment, Arguments arguments) {
    data::DraftReading reading = cli::readDraft(experiment.toStdString());
    if (reading.problems.empty())
        reading.problems = problemsOf(reading.draft, arguments);
    if (!reading.problems.empty())
        return unreadable(reading.problems);
    if (QFileInfo(experiment).isFile() && !reading.ofPreset)
        arguments.origin = ui::DocumentOrigin{QFileInfo(experiment).absoluteFilePath(), std::move(reading.texts)};
    arguments.draft = std::move(reading.draft);
    if (arguments.view == QLatin1String("explore") && !data::hasRun(arguments.draft))
        arguments.view = QStringLiteral("model");
    return {std::move(arguments), {}, 0};
}

ArgumentsReading readSweepArgument(const QString& file, Arguments arguments) {
    data::SweepReading sweep = data::readSweepFile(file.toStdString(), data::OwnPresets(data::usualPresetFolder()));
    if (!sweep.problems.empty())
        return unreadable(sweep.problems);
    arguments.draft = sweep.sweep.base;
    arguments.sweep = ui::OpenedSweep{std::move(sweep.sweep), QFileInfo(file).absoluteFilePath()};
    return {std::move(arguments), {}, 0};
}

/// Reads a document of tasks, which the view Model shows.
ArgumentsReading readTasksArgument(const QString& file, bool viewGiven, Arguments arguments) {
    const data::TaskReading tasks = data::readTaskFile(file.toStdString());
    if (!tasks.problems.empty())
        return unreadable(tasks.problems);
    arguments.tasks = QFileInfo(file).absoluteFilePath();
    arguments.asked = false;  // the experiment of the last session is restored
    if (!viewGiven && arguments.figure.isEmpty())
        arguments.view = QStringLiteral("model");
    return readExperimentArgument(kExample, std::move(arguments));
}

bool isMeasured(const QString& file) { return data::documentKind(file.toStdString()) == data::DocumentKind::measured; }

/// Opens traces of a profiler; the window reads them.
ArgumentsReading readMeasuredArguments(const QStringList& files, bool viewGiven, Arguments arguments) {
    for (const QString& file : files)
        arguments.measured << QFileInfo(file).absoluteFilePath();
    arguments.asked = false;  // the experiment of the last session is restored
    if (!viewGiven && arguments.figure.isEmpty())
        arguments.view = QStringLiteral("measured");
    return readExperimentArgument(kExample, std::move(arguments));
}

/// Reads a trace. The window first runs the experiment of the trace, and then opens the trace to compare both.
ArgumentsReading readTraceArgument(const QString& file, Arguments arguments) {
    data::TraceReading trace = data::readTraceFile(file.toStdString());
    if (trace.problems.empty())
        trace.problems = data::expand(trace.head.draft).problems;
    if (!trace.problems.empty())
        return unreadable(trace.problems);
    arguments.draft = std::move(trace.head.draft);
    arguments.openedLater = QFileInfo(file).absoluteFilePath();
    return {std::move(arguments), {}, 0};
}

/// The window reads the requests when it has run the example, because their experiment depends on the one in the window.
ArgumentsReading readRequestsArgument(const QString& file, Arguments arguments) {
    arguments.openedLater = QFileInfo(file).absoluteFilePath();
    return readExperimentArgument(kExample, std::move(arguments));
}

ArgumentsReading readFigureArgument(const QString& file, Arguments arguments) {
    const ui::FigureOpening opening = ui::openFigure(file);
    if (!opening.figure)
        return unreadable(opening.problems);
    arguments.openedLater = QFileInfo(file).absoluteFilePath();
    return readExperimentArgument(kExample, std::move(arguments));  // until the figure's own experiment is loaded
}

}  // namespace

std::span<const OptionText> windowOptions() {
    static constexpr OptionText kOptions[]{
        {"screenshot", "Runs the experiment, writes a picture of the window and exits; needs no display.", "FILE"},
        {"frames",
         "Writes the frames of a playback as PNG into this folder, for slides, and exits; needs no display. Ctrl+C "
         "keeps the finished frames. A name that ends in .mp4 or .gif makes a film instead, which needs ffmpeg.",
         "DIR"},
        {"fps", "Frames per second, 1 to 240.", "N", "30"},
        {"seconds", "Duration of all frames together in seconds, 0.1 to 600.", "S", "10"},
        {"from", "Time of the run at which the frames begin: 1.2ms, 350us, 40%.", "TIME"},
        {"to", "Time of the run at which the frames end.", "TIME"},
        {"view",
         "The content of a screenshot or of frames: a view of the window, such as explore, or one of the pictures of a "
         "run alone, such as timeline.",
         "NAME", "explore"},
        {"at", "Time of the cursor in a screenshot: 1.2ms, 350us, 40%.", "TIME"},
        {"phase", "Phase that the view model shows: training, prompt (prefill) or generation (decode).", "PHASE", "",
         phaseNames},
        {"page", "The page of the view model: graph, step, operators, memory, messages, divisions or advice.", "PAGE",
         "", pageNames},
        {"figure",
         "Figure that a screenshot shows in the view figure: a name of the gallery, such as sublayer-speedup, or a "
         "view or picture that becomes a figure, such as machine or model/memory.",
         "NAME"},
        {"lesson", "Opens a lesson: its number or name, or a lesson's JSON document.", "NAME", "", lessonNames},
        {"step", "Step at which the lesson opens, counted from 1.", "N", "1"},
        {"reveal", "Shows the answer of that step."},
        {"handout",
         "Writes the lesson as a PDF, with a picture of each step, and exits; needs no display. Answers are on the "
         "last pages.",
         "FILE"},
        {"answers", "Puts each answer of a handout after its question."},
        {"no-date", "Leaves the date out of a handout, so that the same lesson gives the same bytes; SOURCE_DATE_EPOCH "
                    "sets it instead."},
        {"evaluation",
         "Opens an evaluation in the view evaluations: its name, such as t3, or its JSON document. A screenshot runs it "
         "first.",
         "NAME", "", evaluationNames},
        {"size", "Size of the window in a screenshot or in frames, such as 1280x800.", "SIZE"},
        {"theme", "light or dark (default: as last chosen in the View menu).", "THEME", "", themeNames},
        {"scale", "Pixels for each point, 1 to 4.", "N", "1"},
        {"store", "Saves finished runs in this file.", "FILE"},
        {"no-store", "Saves no runs."},
        {"safe-mode",
         "Opens as for the first time: restores and saves neither session nor settings, and reads none of your own "
         "presets."},
        {"h,help", "Prints this help and exits."},
        {"v,version", "Prints the version and exits."}};
    return kOptions;
}

void addOptions(QCommandLineParser& parser, std::span<const OptionText> options) {
    for (const OptionText& option : options)
        parser.addOption({QString::fromUtf8(option.names).split(u','), QString::fromUtf8(option.help),
                          QString::fromUtf8(option.value), QString::fromUtf8(option.initial)});
}

QString helpOf(const QCommandLineParser& parser, const QString& command) {
    static const QRegularExpression kProgram(QStringLiteral("^Usage: .*? \\[options\\]( figure)?"));
    return parser.helpText().trimmed().replace(
        kProgram, QStringLiteral("Usage: ringside %1[options]").arg(command.isEmpty() ? QString() : command + u' '));
}

engine::Problems emptyValues(const QCommandLineParser& parser, std::span<const OptionText> known,
                             const char* argument) {
    constexpr const char* kText = "the value is empty";
    const auto takesValue = [known](const QString& name) {
        return std::ranges::any_of(known, [&](const OptionText& option) {
            return option.value[0] != '\0' && QString::fromUtf8(option.names).split(u',').contains(name);
        });
    };
    engine::Problems problems;
    QStringList options = parser.optionNames();
    options.removeDuplicates();
    for (const QString& option : options) {
        if (takesValue(option) && parser.values(option).contains(QString()))
            problems.push_back({"--" + option.toStdString(), "", kText});
    }
    if (parser.positionalArguments().contains(QString()))
        problems.push_back({argument, "", kText});
    return problems;
}

std::int64_t Moment::in(std::int64_t endPs) const {
    return relative ? std::llround(share * static_cast<double>(endPs)) : ps;
}

std::optional<Moment> momentOf(const QString& text) {
    static const QRegularExpression kPattern(
        QStringLiteral("^\\s*(\\d{1,9}(?:\\.\\d{1,9})?)\\s*(ps|ns|us|µs|ms|s|%)\\s*$"));
    const QRegularExpressionMatch match = kPattern.match(text);
    if (!match.hasMatch())
        return std::nullopt;
    const double number = match.captured(1).toDouble();
    const QString unit = match.captured(2);
    if (unit == QLatin1String("%"))
        return number <= 100 ? std::optional(Moment{0, number / 100, true}) : std::nullopt;
    const double ps = number * ui::psPerUnit(unit);
    return ps < 1e18 ? std::optional(Moment{std::llround(ps), 0, false}) : std::nullopt;
}

double scaleOf(const QStringList& words) {
    for (qsizetype i = 0; i < words.size(); ++i) {
        QString value;
        if (words[i].startsWith(QLatin1String("--scale=")))
            value = words[i].mid(8);
        if (words[i] == QLatin1String("--scale") && i + 1 < words.size())
            value = words[i + 1];
        bool number = false;
        const double scale = value.toDouble(&number);
        if (number && scale >= 1 && scale <= kLargestScale)
            return scale;
    }
    return 1;
}

ArgumentsReading readArguments(const QStringList& words) {
    QCommandLineParser parser;
    parser.setApplicationDescription(
        QStringLiteral("Ringside: how much of a collective hides behind the GEMM that produces its data.\n"
                       "`ringside figure --help` explains how to make figures for papers without the window.\n"
                       "`ringside completion bash`, `zsh` or `fish` prints the script for completion in that shell."));
    addAllOptions(parser);
    if (!parser.parse(words))
        return refused(parser.errorText());
    if (parser.isSet(QStringLiteral("help")))
        return {std::nullopt, helpOf(parser), 0};
    if (parser.isSet(QStringLiteral("version")))
        return {std::nullopt, QStringLiteral("ringside " RINGSIDE_VERSION), 0};
    if (const engine::Problems empty = emptyValues(parser, windowOptions(), "EXPERIMENT"); !empty.empty())
        return refused(ui::text(empty));
    const QStringList experiments = parser.positionalArguments();
    const bool measured = !experiments.isEmpty() && std::ranges::all_of(experiments, isMeasured);
    if (experiments.size() > 1 && !measured)
        return refused(QStringLiteral("%1: only one EXPERIMENT can be opened, or the traces of several ranks")
                           .arg(experiments[1]));

    Arguments arguments;
    if (const auto problem = readLook(parser, arguments))
        return refused(*problem);
    arguments.noStore = parser.isSet(QStringLiteral("no-store"));
    arguments.store = parser.value(QStringLiteral("store"));
    arguments.safeMode = parser.isSet(QStringLiteral("safe-mode"));
    arguments.asked = !experiments.isEmpty();
    if (arguments.noStore && !arguments.store.isEmpty())
        return refused(QStringLiteral("--store and --no-store exclude each other"));

    const QString experiment = experiments.isEmpty() ? kExample : experiments.front();
    if (data::looksLikeLink(experiment.toStdString()))
        return readLinkArgument(experiment, parser.isSet(QStringLiteral("view")), std::move(arguments));
    const data::DocumentKind kind = data::documentKind(experiment.toStdString());
    const bool lesson = kind == data::DocumentKind::lesson, evaluation = kind == data::DocumentKind::evaluation;
    if (const auto problem = readEvaluation(parser, evaluation ? experiment : QString(), arguments))
        return {std::nullopt, *problem, cli::kInputWrong};
    if (const auto problem = readLesson(parser, lesson ? experiment : QString(), arguments))
        return {std::nullopt, *problem, cli::kInputWrong};
    if (lesson || evaluation)
        arguments.asked = false;  // the experiment of the last session is restored
    switch (kind) {
    case data::DocumentKind::figure: return readFigureArgument(experiment, std::move(arguments));
    case data::DocumentKind::trace: return readTraceArgument(experiment, std::move(arguments));
    case data::DocumentKind::measured:
        return readMeasuredArguments(experiments, parser.isSet(QStringLiteral("view")), std::move(arguments));
    case data::DocumentKind::requests: return readRequestsArgument(experiment, std::move(arguments));
    case data::DocumentKind::sweep: return readSweepArgument(experiment, std::move(arguments));
    case data::DocumentKind::tasks:
        return readTasksArgument(experiment, parser.isSet(QStringLiteral("view")), std::move(arguments));
    case data::DocumentKind::lesson:
    case data::DocumentKind::evaluation: return readExperimentArgument(kExample, std::move(arguments));
    case data::DocumentKind::preset:
    case data::DocumentKind::experiment: break;
    }
    return readExperimentArgument(experiment, std::move(arguments));
}

}  // namespace app
