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

/// A moment for a screenshot: a time of the run, or a share of it ("40 %").
struct Moment {
    std::int64_t ps = 0;
    double share = 0;
    bool relative = false;
    std::int64_t in(std::int64_t endPs) const;
};

/// What the window was started with.
struct Arguments {
    data::ExperimentDraft draft;
    std::optional<ui::DocumentOrigin> origin;  ///< where it was read from a file
    std::optional<ui::OpenedSweep> sweep;      ///< a sweep was given; the draft is its base
    QString openedLater;  ///< a figure, or a trace of `draft`: opened as a drop on the window is, after the first run
    std::optional<data::Scene> scene;  ///< a link text was given: what is to be seen once the run is there
    QString lessonFile;                ///< that is opened, bundled or the reader's own; empty: none
    std::size_t lessonStep = 0;        ///< from 0
    bool lessonRevealed = false;       ///< the step's answer is shown as well
    QString handout;                   ///< file for the lesson as a PDF; empty: none
    bool handoutAnswers = false;       ///< each answer behind its question
    QString evaluation;                ///< that is opened: the name of a bundled one, or a file; empty: none
    bool asked = false;                ///< the experiment was given, and is not the example that opens otherwise
    bool safeMode = false;             ///< nothing from before is restored, nothing is kept for later
    QString screenshot;                ///< file; empty: a window on the screen
    QString view;                      ///< its name, or "explore"
    std::optional<Moment> at;
    std::optional<engine::ModelPhase> phase;  ///< that the view Model shows
    QString page;                             ///< of the view Model; empty: as it opens
    QString figure;                           ///< that a screenshot shows in the view Figure; empty: as it opens
    std::optional<QSize> size;                ///< of a screenshot
    std::optional<ui::Theme> theme;
    QString frames;  ///< folder for the frames of a playback; empty: none
    double framesPerSecond = 30;
    double seconds = 10;  ///< that all frames together last
    std::optional<Moment> from, to;
    QString store;  ///< file; empty: the usual place
    bool noStore = false;
};

struct ArgumentsReading {
    std::optional<Arguments> arguments;  ///< absent: say `text` and leave with `exitCode`
    QString text;
    int exitCode = 0;
};

/// An option as its help tells it, with the names that it has.
struct OptionText {
    const char* names;  ///< "h,help"
    const char* help;
    const char* value = "";                         ///< what the help calls its value; empty for one without
    const char* initial = "";                       ///< its value where it is not given
    std::vector<std::string> (*words)() = nullptr;  ///< what its value can be, where that is a list
    bool list = false;                              ///< several of them with commas between them
};
void addOptions(QCommandLineParser& parser, std::span<const OptionText> options);

/// The options of the window.
std::span<const OptionText> windowOptions();

/// The help of the program, or of one of its commands. Qt names the program only once there is an application.
QString helpOf(const QCommandLineParser& parser, const QString& command = {});

/// Returns a problem for each option and argument of a parsed command line whose value is empty: an unset variable of a
/// script must not mean "no store". `argument` is what the help calls the positional argument.
engine::Problems emptyValues(const QCommandLineParser& parser, const char* argument);

/// Reads everything after the program's name. Needs no QApplication, so that --help works without a display.
ArgumentsReading readArguments(const QStringList& words);

/// The window's scale factor has to be known before Qt starts: the value after --scale, 1 where there is none.
double scaleOf(const QStringList& words);

/// "1.2 ms", "350us", "40%". Nothing when it is none of these.
std::optional<Moment> momentOf(const QString& text);

}  // namespace app
