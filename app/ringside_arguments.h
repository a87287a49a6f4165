#pragma once

#include "data/experiment/experiment_document.h"
#include "data/experiment/scene_document.h"
#include "engine/api/operator_graph.h"
#include "engine/api/problem.h"
#include "ui/look/palette.h"
#include "ui/shared/experiment_model.h"
#include "ui/shared/sweep_state.h"

#include <QSize>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

class QCommandLineParser;

namespace app {

/// A time of the run for a screenshot, or a share of the run ("40 %").
struct Moment {
    std::int64_t ps = 0;
    double share = 0;
    bool relative = false;
    std::int64_t in(std::int64_t endPs) const;
};

/// The arguments of the window.
struct Arguments {
    data::ExperimentDraft draft;
    std::optional<ui::DocumentOrigin> origin;  ///< the experiment was read from a file
    std::optional<ui::OpenedSweep> sweep;      ///< the sweep that was given; the draft is its base
    QString openedLater;  ///< a figure, or a trace of `draft`: opened after the first run as if it were dropped on the
                          ///< window
    std::optional<data::Scene> scene;  ///< a link text was given: what the window shows once the run has finished
    QString lessonFile;                ///< the lesson to open, bundled or the reader's own; empty: none
    std::size_t lessonStep = 0;        ///< from 0
    bool lessonRevealed = false;       ///< the step's answer is shown as well
    QString handout;                   ///< file for the lesson as a PDF; empty: none
    bool handoutAnswers = false;       ///< prints each answer after its question
    bool handoutDated = true;          ///< the date is in the metadata of the handout
    QString tasks;                     ///< the file of tasks to open on the page Step of the view Model; empty: none
    QStringList measured;              ///< traces of a profiler to open, one for each rank
    QString evaluation;                ///< the evaluation to open: the name of a bundled one, or a file; empty: none
    bool asked = false;                ///< the experiment was given, instead of the example that opens by default
    bool safeMode = false;             ///< no earlier session is restored, and none is saved
    QString screenshot;                ///< file; empty: a window on the screen
    QString view;                      ///< its name, or "explore"
    std::optional<Moment> at;
    std::optional<engine::ModelPhase> phase;  ///< the model that the view Model shows
    QString page;                             ///< the page of the view Model; empty: the default page
    QString figure;                           ///< the figure that a screenshot of the view Figure shows; empty: the
                                              ///< default one
    std::optional<QSize> size;                ///< of a screenshot
    std::optional<ui::Theme> theme;
    QString frames;  ///< folder for the frames of a playback; empty: none
    double framesPerSecond = 30;
    double seconds = 10;  ///< duration of all frames together
    std::optional<Moment> from, to;
    QString store;  ///< file; empty: the usual place
    bool noStore = false;
};

struct ArgumentsReading {
    std::optional<Arguments> arguments;  ///< absent: print `text` and exit with `exitCode`
    QString text;
    int exitCode = 0;
};

/// An option with the names and texts of its help.
struct OptionText {
    const char* names;  ///< "h,help"
    const char* help;
    const char* value = "";                         ///< the name of its value in the help; empty if it takes none
    const char* initial = "";                       ///< its default value
    std::vector<std::string> (*words)() = nullptr;  ///< the allowed values, if there is a list
    bool list = false;                              ///< several values, separated by commas
};
void addOptions(QCommandLineParser& parser, std::span<const OptionText> options);

/// Returns the options of the window.
std::span<const OptionText> windowOptions();

/// Returns the help of the program, or of one of its commands. Qt knows the program's name only once there is an
/// application.
QString helpOf(const QCommandLineParser& parser, const QString& command = {});

/// Returns a problem for each of the `known` options and for each argument of a parsed command line whose value is empty:
/// an unset variable of a script must not mean "no store". `argument` is the positional argument's name in the help.
engine::Problems emptyValues(const QCommandLineParser& parser, std::span<const OptionText> known, const char* argument);

/// Reads the arguments after the program's name. Needs no QApplication, so that --help works without a display.
ArgumentsReading readArguments(const QStringList& words);

/// Returns the window's scale factor, which has to be known before Qt starts: the value of --scale, or 1.
double scaleOf(const QStringList& words);

/// Reads "1.2 ms", "350us" or "40%"; returns an empty optional for any other text.
std::optional<Moment> momentOf(const QString& text);

}  // namespace app
