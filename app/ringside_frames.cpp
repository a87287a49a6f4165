#include "app/ringside_frames.h"

#include "app/display.h"
#include "app/interrupt_notifier.h"
#include "app/ringside_cli_exit.h"
#include "data/document/whole_file.h"
#include "ui/export/frame_export.h"
#include "ui/ringside_window.h"

#include <QApplication>
#include <QElapsedTimer>

#include <unistd.h>

namespace app {
namespace {

constexpr int kPlainEvery = 10;  // a line for each tenth, where the output is not a terminal

std::optional<data::Scene::Moment> sceneMoment(const std::optional<Moment>& moment) {
    if (!moment)
        return std::nullopt;
    return data::Scene::Moment{moment->ps, moment->share, moment->relative};
}

class FrameProgress {
public:
    void show(int done, int all) {
        if (done == 1)
            m_clock.start();
        const double seconds = static_cast<double>(m_clock.elapsed()) / 1000;
        const double left = done > 1 ? seconds * (all - done) / (done - 1) : 0;
        if (m_terminal)
            std::fprintf(stderr, "\rframe %d of %d, %.0f s left \033[K", done, all, left);
        else if (done * kPlainEvery / all != (done - 1) * kPlainEvery / all)
            std::fprintf(stderr, "frame %d of %d, %.0f s left\n", done, all, left);
    }
    void showFilm(int done, int all) {
        if (m_terminal)
            std::fprintf(stderr, "\rfilm: frame %d of %d \033[K", done, all);
    }
    void end(const QString& text) {
        if (m_terminal)
            std::fprintf(stderr, "\r\033[K");
        say(stderr, text);
    }
    double seconds() const { return std::max(1e-3, static_cast<double>(m_clock.elapsed()) / 1000); }

private:
    QElapsedTimer m_clock;
    bool m_terminal = isatty(STDERR_FILENO) == 1;
};

}  // namespace

int writeFrames(QApplication& application, ui::RingsideWindow& window, const Arguments& arguments,
                const InterruptNotifier& interrupts) {
    int code = 0;
    FrameProgress progress;
    ui::FrameExport frames(window.frameStage(), {arguments.frames, arguments.framesPerSecond, arguments.seconds,
                                                 sceneMoment(arguments.from), sceneMoment(arguments.to)});
    const auto leave = [&](int with, const QString& text) {
        code = with;
        progress.end(text);
        QApplication::quit();
    };
    bool running = false;
    QObject::connect(&interrupts, &InterruptNotifier::interrupted, &application, [&] {
        if (running)
            frames.cancel();
        else
            leave(cli::kInterrupted, QStringLiteral("interrupted before the first frame"));
    });
    QObject::connect(&frames, &ui::FrameExport::progressed, &application,
                     [&](int done, int all) { progress.show(done, all); });
    QObject::connect(&frames, &ui::FrameExport::filmed, &application,
                     [&](int done, int all) { progress.showFilm(done, all); });
    QObject::connect(&frames, &ui::FrameExport::finished, &application, [&] {
        leave(cli::kDone, QStringLiteral("%1 frames in %2, %3 a second")
                              .arg(frames.frames())
                              .arg(arguments.frames)
                              .arg(frames.frames() / progress.seconds(), 0, 'f', 1));
    });
    QObject::connect(&frames, &ui::FrameExport::stopped, &application, [&] {
        leave(cli::kInterrupted, frames.makesFilm() ? QStringLiteral("interrupted: no film was written")
                                                    : QStringLiteral("interrupted: %1 of %2 frames are in %3")
                                                          .arg(frames.finishedFrames())
                                                          .arg(frames.frames())
                                                          .arg(arguments.frames));
    });
    QObject::connect(&frames, &ui::FrameExport::failed, &application,
                     [&](const QString& text) { leave(cli::kMachineFailed, text); });
    QObject::connect(&window.runs().session(), &ui::RunSession::runFailed, &application,
                     [&](const ui::RunFailure& failure) { leave(cli::codeOfFailure(failure.ofInput), failure.text); });
    QObject::connect(
        &window.logs(), &ui::RunLogBuilder::settled, &application,
        [&] {
            try {
                const QString problem = frames.start();
                running = problem.isEmpty();
                if (!running)
                    leave(cli::kInputWrong, QStringLiteral("--frames: ") + problem);
            } catch (const data::FileError& error) {
                leave(cli::kMachineFailed, QStringLiteral("--frames: ") + QString::fromUtf8(error.what()));
            }
        },
        Qt::SingleShotConnection);
    QApplication::exec();
    return code;
}

}  // namespace app
