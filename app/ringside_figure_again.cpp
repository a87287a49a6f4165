#include "app/ringside_figure_again.h"

#include "app/ringside_cli_exit.h"
#include "data/document/whole_file.h"
#include "data/figure/figure_document.h"
#include "engine/api/runner.h"
#include "ui/figure/figure_bundle.h"

#include <QProcess>
#include <QTemporaryDir>

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <variant>

namespace app {
namespace {

constexpr int kAgainLookMs = 20;  // between two looks at whether it was stopped
constexpr int kAgainEndMs = 500;  // for a process that was told to end

/// Returns the document of a figure to be made again: its edits are applied later, except those for which a picture is
/// drawn anew.
std::string documentOf(data::FigureSpec figure) {
    const bool picture = std::ranges::any_of(figure.panels, [](const data::FigurePanel& panel) {
        return std::ranges::any_of(
            panel.marks, [](const data::FigureMark& mark) { return std::holds_alternative<data::DrawingMark>(mark); });
    });
    std::erase_if(figure.edits, [&](const std::string& edit) {
        return !picture || !(edit.starts_with("size=") || edit.starts_with("theme="));
    });
    return data::writeFigure(figure);
}

/// Waits for the end of a process; ends it if that is asked.
void waitFor(QProcess& process, const std::stop_token& stop) {
    while (!process.waitForFinished(kAgainLookMs) && process.state() != QProcess::NotRunning) {
        if (!stop.stop_requested())
            continue;
        process.terminate();
        if (!process.waitForFinished(kAgainEndMs))
            process.kill();
        process.waitForFinished();
    }
    if (stop.stop_requested())
        throw engine::RunStopped();
}

data::FigureSpec madeBy(const QString& program, const QStringList& words, const QString& out,
                        const std::stop_token& stop) {
    QProcess process;
    process.start(program, words);
    if (!process.waitForStarted())
        throw std::runtime_error(process.errorString().toStdString());
    waitFor(process, stop);
    const bool made = process.exitStatus() == QProcess::NormalExit &&
                      (process.exitCode() == cli::kDone || process.exitCode() == cli::kDoesNotHold);
    ui::FigureOpening opening;
    if (made)
        opening = ui::openFigure(out);
    if (opening.figure)
        return std::move(*opening.figure);
    QString said = QString::fromUtf8(process.readAllStandardError()).trimmed();
    said.remove(QStringLiteral("ringside: "));
    throw std::runtime_error(said.isEmpty() ? "the process that makes it ended early" : said.toStdString());
}

}  // namespace

ui::FigureAgain figureAgain(const QString& program, const QString& store) {
    return [program, store](const data::FigureSpec& figure, const std::stop_token& stop) {
        const QTemporaryDir folder;
        if (!folder.isValid())
            throw std::runtime_error(folder.errorString().toStdString());
        const QString in = folder.filePath(QStringLiteral("figure.json")),
                      out = folder.filePath(QStringLiteral("made.json"));
        data::writeWholeFile(in.toStdString(), documentOf(figure));
        QStringList words{QStringLiteral("figure"), in, QStringLiteral("--again"), QStringLiteral("--out"), out};
        if (!store.isEmpty())
            words << QStringLiteral("--store") << store;
        data::FigureSpec made = madeBy(program, words, out, stop);
        made.edits.clear();
        return made;
    };
}

}  // namespace app
