#include "app/ringside_handout.h"

#include "app/display.h"
#include "app/interrupt_notifier.h"
#include "app/ringside_cli_exit.h"
#include "data/document/whole_file.h"
#include "ui/lessons/handout_tour.h"
#include "ui/lessons/lesson_library.h"
#include "ui/look/pdf_date.h"
#include "ui/ringside_window.h"

#include <QApplication>

#include <cstdio>
#include <utility>

namespace app {

int writeHandout(QApplication& application, ui::RingsideWindow& window, const Arguments& arguments,
                 const InterruptNotifier& interrupts) {
    int code = cli::kDone;
    bool hasLeft = false;  // a run that fails is reported before the tour that it ends
    const auto leave = [&](int with, const QString& text) {
        if (std::exchange(hasLeft, true))
            return;
        code = with;
        if (!text.isEmpty())
            say(stderr, text);
        QApplication::quit();
    };
    ui::HandoutTour tour(window.lessonStage(), ui::openLesson(arguments.lessonFile).lesson);
    QObject::connect(&interrupts, &InterruptNotifier::interrupted, &application,
                     [&] { leave(cli::kInterrupted, QStringLiteral("interrupted before the handout was written")); });
    QObject::connect(&window.runs().session(), &ui::RunSession::runFailed, &application,
                     [&](const ui::RunFailure& failure) { leave(cli::codeOfFailure(failure.ofInput), failure.text); });
    QObject::connect(&tour, &ui::HandoutTour::failed, &application,
                     [&](const QString& text) { leave(cli::kMachineFailed, text); });
    QObject::connect(&tour, &ui::HandoutTour::finished, &application, [&] {
        const QString made = arguments.handoutDated ? ui::dateOfDocuments() : QString();
        const QByteArray pdf = ui::lessonHandout(tour.lesson(), tour.pictures(), arguments.handoutAnswers, made);
        try {
            data::writeWholeFile(arguments.handout.toStdString(), pdf.toStdString());
            leave(cli::kDone, {});
        } catch (const data::FileError& error) { leave(cli::kMachineFailed, QString::fromUtf8(error.what())); }
    });
    QObject::connect(&window.logs(), &ui::RunLogBuilder::settled, &tour, &ui::HandoutTour::start,
                     Qt::SingleShotConnection);
    QApplication::exec();
    return code;
}

}  // namespace app
