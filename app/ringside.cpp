#include "app/display.h"
#include "app/interrupt_notifier.h"
#include "app/ringside_arguments.h"
#include "app/ringside_cli_exit.h"
#include "app/ringside_cli_output.h"
#include "app/ringside_completion.h"
#include "app/ringside_figure.h"
#include "app/ringside_figure_again.h"
#include "app/ringside_frames.h"
#include "app/ringside_handout.h"
#include "data/document/names.h"
#include "data/document/whole_file.h"
#include "data/experiment/own_presets.h"
#include "data/figure/figure_gallery.h"
#include "engine/api/parameters.h"
#include "ui/compare/compare_feature.h"
#include "ui/compare/compare_view.h"
#include "ui/evaluations/evaluations_feature.h"
#include "ui/evaluations/evaluations_view.h"
#include "ui/export/frame_export.h"
#include "ui/figure/figure_feature.h"
#include "ui/figure/figure_view.h"
#include "ui/lessons/lesson_feature.h"
#include "ui/lessons/lesson_state.h"
#include "ui/look/application_style.h"
#include "ui/look/format.h"
#include "ui/measured/measured_feature.h"
#include "ui/measured/measured_view.h"
#include "ui/model/model_feature.h"
#include "ui/model/model_view.h"
#include "ui/ringside_window.h"
#include "ui/scene/scene_feature.h"
#include "ui/shared/sweep_session.h"
#include "ui/sweep/sweep_feature.h"
#include "ui/workbench/documents.h"

#include <QApplication>
#include <QDir>
#include <QHashFunctions>
#include <QPixmap>
#include <QStandardPaths>
#include <QTimer>

#include <cstdio>
#include <functional>
#include <memory>
#include <utility>

namespace {

using app::say;

constexpr int kScreenshotDeadlineMs = 120'000;
constexpr int kSettleMs = 250;     // panels that follow the pointer update once it rests
constexpr int kListDelayMs = 400;  // for a screenshot that shows the list of kept runs as well

QStringList wordsOf(int count, char** values) {
    QStringList words;
    for (int i = 0; i < count; ++i)
        words << QString::fromLocal8Bit(values[i]);
    return words;
}

std::optional<std::string> storePath(const app::Arguments& arguments) {
    if (arguments.noStore)
        return std::nullopt;
    if (!arguments.store.isEmpty())
        return arguments.store.toStdString();
    if (!arguments.screenshot.isEmpty() || !arguments.frames.isEmpty() || !arguments.handout.isEmpty())
        return std::nullopt;  // a screenshot saves nothing unless that is requested
    const QString folder = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation);
    QDir().mkpath(folder);
    return (folder + QStringLiteral("/ringside.sqlite")).toStdString();
}

// Runs the sweep to its end before the screenshot, whichever view is shown.
void runSweep(QApplication& application, ui::RingsideWindow& window, const QString& view,
              const std::function<void()>& take) {
    QObject::connect(&window.sweeps(), &ui::SweepFeature::shown, &application, [&application, &window, view, take] {
        if (!window.sweepSession().isRunning())
            QTimer::singleShot(kSettleMs, &application, take);
    });
    window.sweeps().start();
    window.showAlone(view);
}

// Makes the figure of a screenshot, or takes it from a view that shows a result. Returns false if there is no such
// figure.
bool showFigure(QApplication& application, ui::RingsideWindow& window, const QString& figure,
                const std::function<void()>& take) {
    QObject::connect(&window.figures().view(), &ui::FigureView::figureShown, &application,
                     [&application, take] { QTimer::singleShot(kSettleMs, &application, take); });
    if (figure == QLatin1String("compare")) {
        // The compared runs are made first.
        const auto takeIt = [&window] { window.figures().showFigure(QStringLiteral("compare")); };
        QObject::connect(&window.compare().view(), &ui::CompareView::compareShown, &application, takeIt,
                         Qt::SingleShotConnection);
        window.compare().show();
        return true;
    }
    return window.figures().showFigure(figure);
}

// Returns what is wrong with --figure: it is neither a figure of the gallery nor a view.
QString problemOfFigure(ui::RingsideWindow& window, const QString& figure) {
    const std::vector<std::string> gallery = data::namesOf(data::galleryEntries(), &data::GalleryEntry::name);
    const QStringList views = window.workbench().viewNames();
    if (figure.isEmpty() || data::isAmong(gallery, figure.toStdString()) || views.contains(figure))
        return {};
    const std::vector<std::string> near = engine::nearestNames(figure.toStdString(), gallery);
    return QStringLiteral("--figure: %1: no such figure%2; allowed: one of %3, or a view that shows one: %4")
        .arg(figure, near.empty() ? QString() : QStringLiteral(", did you mean %1?").arg(ui::text(near.front())),
             ui::text(data::joined(gallery, ", ")), views.join(QStringLiteral(", ")));
}

// Takes the screenshot of a lesson when its step has run, its moment is shown, the log of that run is complete, and the
// page in front has its answer.
void takeOfLesson(QApplication& application, ui::RingsideWindow& window, const std::function<void()>& take) {
    struct Come {
        bool step = false, log = false;
    };
    const auto come = std::make_shared<Come>();
    auto* settle = new QTimer(&application);
    settle->setSingleShot(true);
    settle->setInterval(kSettleMs);
    QObject::connect(settle, &QTimer::timeout, &application, [&window, take, come, settle] {
        if (!come->step || !come->log)
            return;
        if (window.isViewAnswered())
            take();
        else
            settle->start();
    });
    QObject::connect(&window.runs().session(), &ui::RunSession::runStarted, &application, [come] { *come = {}; });
    QObject::connect(&window.lessons(), &ui::LessonFeature::shown, &application, [come, settle] {
        come->step = true;
        settle->start();
    });
    QObject::connect(&window.logs(), &ui::RunLogBuilder::settled, &application, [come, settle] {
        come->log = true;
        settle->start();
    });
}

// Takes the screenshot of the view Evaluations. Runs a requested evaluation first; otherwise shows the rows that the
// store has.
void takeOfEvaluations(QApplication& application, ui::RingsideWindow& window, bool runs,
                       const std::function<void()>& take) {
    ui::EvaluationsView& view = window.evaluations().view();
    QObject::connect(&view, &ui::EvaluationsView::rowsShown, &application, [&application, &view, runs, take]() mutable {
        if (std::exchange(runs, false) && view.look()->missing > 0)
            view.runMissing();
        else
            QTimer::singleShot(kSettleMs, &application, take);
    });
}

// Takes the screenshot of the real window when its run is drawn. If the run fails, prints a message instead.
int takeScreenshot(QApplication& application, ui::RingsideWindow& window, const app::Arguments& arguments,
                   const app::InterruptNotifier& interrupts) {
    const auto leave = [](cli::ExitCode code, const QString& text) {
        say(stderr, text);
        QApplication::exit(code);
    };
    const auto take = [&] {
        try {
            ui::writePicture(window.grab().toImage(), arguments.screenshot);
            QApplication::exit(cli::kDone);
        } catch (const data::FileError& error) { leave(cli::kMachineFailed, QString::fromUtf8(error.what())); }
    };
    QObject::connect(&interrupts, &app::InterruptNotifier::interrupted, &application,
                     [&] { leave(cli::kInterrupted, QStringLiteral("interrupted before the picture was taken")); });
    const bool model = arguments.view == QLatin1String("model");
    // The compared policies must have run as well: a share given as --at refers to the longest of their runs.
    const bool compare = arguments.view == QLatin1String("compare") && arguments.figure.isEmpty();
    const auto goToMoment = [&] {
        if (arguments.at)
            window.viewState().setCursor(arguments.at->in(window.viewState().runEnd()));
    };
    const auto takeSoon = [&] { QTimer::singleShot(kSettleMs, &application, take); };
    QObject::connect(&window.model().view(), &ui::ModelView::modelShown, &application, [&] {
        if (model)
            takeSoon();
    });
    if (model && window.model().view().currentPage().isAnswered())
        takeSoon();  // a page that is computed at once
    QObject::connect(&window.compare().view(), &ui::CompareView::compareShown, &application, [&] {
        if (!compare)
            return;
        goToMoment();
        takeSoon();
    });
    const bool evaluations = arguments.view == QLatin1String("evaluations") && arguments.figure.isEmpty();
    if (evaluations)
        takeOfEvaluations(application, window, !arguments.evaluation.isEmpty(), take);
    const bool measured = arguments.view == QLatin1String("measured") && !arguments.measured.isEmpty();
    QObject::connect(&window.measured().view(), &ui::MeasuredView::changed, &application, [&] {
        if (measured)
            takeSoon();
    });
    const bool lesson = !arguments.lessonFile.isEmpty() || (arguments.scene && arguments.scene->lesson);
    if (lesson)
        takeOfLesson(application, window, take);
    QObject::connect(&window.logs(), &ui::RunLogBuilder::settled, &application, [&] {
        if (model || compare || lesson || evaluations || measured)
            return;
        goToMoment();
        const auto takeFigure = [&] {
            if (!showFigure(application, window, arguments.figure, take))
                leave(
                    cli::kInputWrong,
                    QStringLiteral("--figure: %1: this view has nothing that could be a figure").arg(arguments.figure));
        };
        if (arguments.sweep && !arguments.figure.isEmpty())
            runSweep(application, window, QStringLiteral("sweep"), takeFigure);
        else if (!arguments.figure.isEmpty())
            takeFigure();
        else if (arguments.sweep)
            runSweep(application, window, arguments.view, take);
        else
            QTimer::singleShot(window.runs().catalogue().keepsRuns() ? kListDelayMs : kSettleMs, &application, take);
    });
    QObject::connect(&window.runs().session(), &ui::RunSession::runFailed, &application,
                     [&](const ui::RunFailure& failure) {
                         // A model on one GPU has no sub-layer to run; the model's own session reports what is wrong
                         // with it.
                         if (model && failure.ofInput)
                             return;
                         leave(cli::codeOfFailure(failure.ofInput), failure.text);
                     });
    QObject::connect(&window.model().view().session(), &ui::ModelSession::runRefused, &application,
                     [&](const engine::Problems& problems) {
                         if (model)
                             leave(cli::kInputWrong, ui::text(problems));
                     });
    // The result that the screenshot waits for will not come.
    const auto leaveFailed = [&](const QString& text, bool ofInput) { leave(cli::codeOfFailure(ofInput), text); };
    QObject::connect(&window.workbench().documents(), &ui::Documents::unreadable, &application,
                     [&](const QString& text) { leave(cli::kInputWrong, text); });
    QObject::connect(&window.measured().view(), &ui::MeasuredView::failed, &application,
                     [&](const QString& text) { leave(cli::kInputWrong, text); });
    QObject::connect(&window.sweeps(), &ui::SweepFeature::failed, &application, leaveFailed);
    QObject::connect(&window.evaluations().view(), &ui::EvaluationsView::failed, &application, leaveFailed);
    QTimer::singleShot(kScreenshotDeadlineMs, &application,
                       [&] { leave(cli::kMachineFailed, QStringLiteral("the run took too long for a picture")); });
    return QApplication::exec();
}

}  // namespace

int main(int count, char** values) {
    const cli::EscapedOutput escaped;
    const QStringList words = wordsOf(count, values);
    if (app::asksForFigure(words))
        return app::figureMain(count, values, words);
    if (app::asksForCompletion(words))
        return app::completionMain(words);
    const app::ArgumentsReading reading = app::readArguments(words);
    if (!reading.arguments) {
        say(reading.exitCode == 0 ? stdout : stderr, reading.text);
        return reading.exitCode;
    }
    const app::Arguments& arguments = *reading.arguments;
    const bool pictures =
        !arguments.screenshot.isEmpty() || !arguments.frames.isEmpty() || !arguments.handout.isEmpty();
    if (pictures && qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    if (const double scale = app::scaleOf(words); scale != 1)
        qputenv("QT_SCALE_FACTOR", QByteArray::number(scale));

    // Qt writes the fonts of a PDF in hash order, and the same lesson must give the same bytes.
    if (!arguments.handout.isEmpty())
        QHashSeed::setDeterministicGlobalSeed();
    QApplication::setStyle(new ui::WindowStyle);
    std::optional<app::DisplayGuard> display(std::in_place);
    QApplication application(count, values);
    ui::usePlainLocale();
    display.reset();
    const app::InterruptNotifier interrupts;
    QApplication::setApplicationName(QStringLiteral("ringside"));
    QApplication::setApplicationVersion(QStringLiteral(RINGSIDE_VERSION));
    QApplication::setDesktopFileName(QStringLiteral("ringside"));
    if (!ui::loadApplicationFont(application))
        say(stderr, QStringLiteral("the bundled font cannot be loaded"));

    if (!arguments.screenshot.isEmpty()) {
        if (const QString problem = ui::problemOfPictureName(arguments.screenshot); !problem.isEmpty()) {
            say(stderr, QStringLiteral("--screenshot: ") + problem);
            return cli::kInputWrong;
        }
    }
    if (!arguments.frames.isEmpty()) {
        if (const QString problem = ui::problemOfFilm(arguments.frames); !problem.isEmpty()) {
            say(stderr, QStringLiteral("--frames: ") + problem);
            return ui::filmFormatOf(arguments.frames) && ui::ffmpegProgram().isEmpty() ? cli::kMachineFailed
                                                                                       : cli::kInputWrong;
        }
    }
    ui::RingsideWindowConfig config;
    config.draft = arguments.draft;
    config.origin = arguments.origin;
    config.sweep = arguments.sweep;
    config.session.storePath = storePath(arguments);
    config.figureAgain = app::figureAgain(QApplication::applicationFilePath(),
                                          QString::fromStdString(config.session.storePath.value_or(std::string())));
    config.theme = arguments.theme;
    if (pictures && !config.theme)
        config.theme = ui::Theme::light;
    config.welcomes = !pictures;
    if (pictures)
        config.size = arguments.size.value_or(QSize(1600, 900));
    if (!pictures && !arguments.safeMode) {
        const QString folder = QStandardPaths::writableLocation(QStandardPaths::AppConfigLocation);
        config.settingsFile = folder + QStringLiteral("/window.ini");
        config.sessionFile = folder + QStringLiteral("/session.json");
        config.restoresExperiment = !arguments.asked;
    }
    if (!arguments.safeMode)
        config.presetFolder = data::usualPresetFolder();
    ui::RingsideWindow window(std::move(config));
    if (arguments.phase)
        window.model().view().setPhase(*arguments.phase);
    if (!arguments.page.isEmpty())
        window.model().view().showPage(arguments.page);
    if (!arguments.tasks.isEmpty())
        window.model().openTasks(arguments.tasks);
    if (!arguments.evaluation.isEmpty())
        window.evaluations().open(arguments.evaluation);
    if (!arguments.measured.isEmpty())
        window.measured().open(arguments.measured);
    if (const QString problem = problemOfFigure(window, arguments.figure); !problem.isEmpty()) {
        say(stderr, problem);
        return cli::kInputWrong;
    }
    if (pictures && !window.showAlone(arguments.view)) {
        say(stderr, QStringLiteral("--view: %1: no such view; allowed: one of %2")
                        .arg(arguments.view, window.workbench().viewNames().join(QStringLiteral(", "))));
        return cli::kInputWrong;
    }
    if (!arguments.openedLater.isEmpty())
        QObject::connect(
            &window.runs(), &ui::RunController::settled, &application,
            [&] { window.workbench().documents().open(arguments.openedLater); }, Qt::SingleShotConnection);
    if (arguments.scene && arguments.scene->lesson)
        QObject::connect(
            &window.runs(), &ui::RunController::settled, &application,
            [&] { window.scenes().showScene(*arguments.scene); }, Qt::SingleShotConnection);
    else if (arguments.scene)
        window.scenes().showScene(*arguments.scene);
    if (!arguments.lessonFile.isEmpty() && arguments.handout.isEmpty()) {
        QObject::connect(
            &window.runs(), &ui::RunController::settled, &application,
            [&] {
                if (window.lessons().open(arguments.lessonFile, arguments.lessonStep) && arguments.lessonRevealed)
                    window.lessons().state().reveal();
            },
            Qt::SingleShotConnection);
    }
    window.show();
    if (!arguments.frames.isEmpty())
        return app::writeFrames(application, window, arguments, interrupts);
    if (!arguments.handout.isEmpty())
        return app::writeHandout(application, window, arguments, interrupts);
    if (pictures)
        return takeScreenshot(application, window, arguments, interrupts);
    QObject::connect(&interrupts, &app::InterruptNotifier::interrupted, &window, [&window] {
        window.close();  // saves the session
        QApplication::exit(cli::kInterrupted);
    });
    return QApplication::exec();
}
