#include "app/ringside_figure.h"

#include "app/display.h"
#include "app/ringside_cli_exit.h"
#include "app/ringside_cli_watch.h"
#include "app/ringside_figure_arguments.h"
#include "data/document/problem_list.h"
#include "data/document/whole_file.h"
#include "data/figure/figure_document.h"
#include "data/figure/figure_gallery.h"
#include "engine/api/problem.h"
#include "engine/api/runner.h"
#include "ui/figure/figure_bundle.h"
#include "ui/figure/figure_lint.h"
#include "ui/figure/figure_writers.h"
#include "ui/look/application_style.h"
#include "ui/look/pdf_date.h"

#include <QApplication>
#include <QDir>
#include <QFileInfo>
#include <QHashFunctions>
#include <QLoggingCategory>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace app {
namespace {

using cli::kDone;
using cli::kMachineFailed;

using Asked = FigureArguments::Asked;

/// Prints the names of the figures and, in a column after the longest name, what each of them shows.
int list() {
    const std::span<const data::GalleryEntry> entries = data::galleryEntries();
    const auto lengthOf = [](const data::GalleryEntry& entry) { return entry.name.size(); };
    const auto column = static_cast<qsizetype>(std::ranges::max(entries | std::views::transform(lengthOf)) + 2);
    for (const data::GalleryEntry& entry : entries)
        say(stdout, QString::fromStdString(std::string(entry.name)).leftJustified(column) +
                        QString::fromStdString(std::string(entry.what)));
    return kDone;
}

/// Returns the last folder on the way to `path` that exists.
QFileInfo nearestFolder(const QString& path) {
    QFileInfo folder(path);
    while (!folder.exists() && !folder.isRoot())
        folder = QFileInfo(folder.absolutePath());
    return folder;
}

/// Throws before anything is simulated if the output could not be written afterwards.
void checkTarget(const FigureArguments& arguments) {
    const bool ofFolder = arguments.asked == Asked::folder || arguments.asked == Asked::all;
    const QString folder = ofFolder ? arguments.out : QFileInfo(arguments.out).absolutePath();
    const QFileInfo found = ofFolder ? nearestFolder(QFileInfo(folder).absoluteFilePath()) : QFileInfo(folder);
    const std::string where = found.filePath().toStdString();
    const QFileInfo there(arguments.out);
    const auto refuse = [&](const std::string& why) {
        throw data::FileError(arguments.out.toStdString() + ": cannot be written: " + why);
    };
    if (there.exists() && !there.isFile() && !there.isDir())
        refuse("it is a device or another special file");
    if (!found.exists())
        refuse("there is no folder " + where);
    if (!found.isDir())
        refuse(where + " is not a folder");
    if (!found.isWritable())
        refuse("permission to write in " + where + " is missing");
}

/// Makes, lays out and writes figures, one after the other.
class FigureCommand {
public:
    FigureCommand(const FigureArguments& arguments, const cli::InterruptWatch& watch, cli::ProgressLine& progress)
        : m_arguments(arguments), m_date(arguments.dated ? ui::dateOfDocuments() : QString()), m_stop(watch.token()),
          m_gallery(options(watch, progress)) {}

    void run() {
        if (m_arguments.asked != Asked::all) {
            write(m_arguments.carried ? carried() : m_gallery.make(m_arguments.what.toStdString()));
            return;
        }
        for (const data::GalleryEntry& entry : data::galleryEntries()) {
            m_share = entry.effort;
            write(m_gallery.make(entry.name));
            m_before += m_share;
        }
    }

    const QStringList& written() const { return m_written; }
    const QStringList& warnings() const { return m_warnings; }

private:
    data::GalleryOptions options(const cli::InterruptWatch& watch, cli::ProgressLine& progress) {
        data::GalleryOptions options{m_arguments.settings, m_arguments.threads, watch.token(), {}};
        if (const auto show = progress.callback()) {
            options.progress = [this, show](double done) { show(m_before + m_share * done); };
        }
        return options;
    }

    data::FigureSpec carried() const {
        ui::FigureOpening opening = ui::openFigure(m_arguments.what);
        if (!opening.figure)
            throw engine::InvalidExperiment(std::move(opening.problems));
        return std::move(*opening.figure);
    }

    /// Returns the figure with the requested size, theme and height.
    ui::ReadyFigure dressed(data::FigureSpec figure) const {
        if (m_arguments.size)
            figure.size = *m_arguments.size;
        if (m_arguments.theme)
            figure.theme = *m_arguments.theme;
        if (m_arguments.height)
            figure.height = m_arguments.height;
        // A figure from a file has the date of its numbers.
        if (!m_arguments.carried || !m_arguments.dated)
            figure.provenance.made = m_date.toStdString();
        data::refuseAny(data::problemsOf(figure));
        return ui::ready(std::move(figure));
    }

    void write(data::FigureSpec figure) {
        if (m_stop.stop_requested())
            throw engine::RunStopped();
        if (m_arguments.asked == Asked::file)
            rename(figure);
        const ui::ReadyFigure made = dressed(std::move(figure));
        warn(made);
        std::vector<ui::FigureFile> files =
            ui::filesOf(made, m_arguments.formats, m_arguments.dpi.value_or(ui::kPrintDpi));
        QString folder = m_arguments.out;
        if (m_arguments.asked == Asked::file)
            folder = QFileInfo(m_arguments.out).path();
        else if (m_arguments.asked == Asked::all && m_arguments.ownFolders())
            folder += QLatin1Char('/') + QString::fromStdString(made.spec.name);
        if (m_arguments.asked == Asked::file)
            callAsAsked(files);
        ui::writeBundle(folder, files);
        note(folder, files);
    }

    /// Gives the requested name to the one file of the requested format. Several tables keep their names.
    void callAsAsked(std::vector<ui::FigureFile>& files) const {
        const QString suffix = QLatin1Char('.') + ui::suffixOf(m_arguments.formats.front());
        const auto ofFormat = [&](const ui::FigureFile& file) { return file.name.endsWith(suffix); };
        if (std::count_if(files.begin(), files.end(), ofFormat) == 1)
            std::find_if(files.begin(), files.end(), ofFormat)->name = QFileInfo(m_arguments.out).fileName();
    }

    /// Names the figure after the requested file if it is written as several files: a script reads its tables by name.
    void rename(data::FigureSpec& figure) const {
        data::FigureSpec renamed = figure;
        renamed.name = QFileInfo(m_arguments.out).completeBaseName().toStdString();
        if (m_arguments.formats.front() == ui::FigureFormat::csv ||
            m_arguments.formats.front() == ui::FigureFormat::tikz ||
            m_arguments.formats.front() == ui::FigureFormat::python) {
            if (data::problemsOf(renamed).empty())
                figure = std::move(renamed);
        }
    }

    /// Collects warnings about problems to which reviewers would object. The figure is written nevertheless.
    void warn(const ui::ReadyFigure& made) {
        for (const ui::LintFinding& finding : ui::lint(made.spec, made.laidOut))
            m_warnings << QStringLiteral("warning: %1: %2%3")
                              .arg(QString::fromStdString(made.spec.name), finding.text,
                                   finding.refused ? QStringLiteral(" (checkers refuse this)") : QString());
    }

    void note(const QString& folder, const std::vector<ui::FigureFile>& files) {
        if (m_arguments.asked == Asked::zip) {
            m_written << folder;
            return;
        }
        for (const ui::FigureFile& file : files)
            m_written << QDir::cleanPath(QDir(folder).filePath(file.name));
    }

    const FigureArguments& m_arguments;
    QString m_date;
    std::stop_token m_stop;
    double m_before = 0, m_share = 1;  // the fraction of all requested figures: earlier ones, and the current one
    data::Gallery m_gallery;
    QStringList m_written, m_warnings;
};

int make(const FigureArguments& arguments, const cli::InterruptWatch& watch) {
    checkTarget(arguments);
    std::optional<cli::ProgressLine> progress(std::in_place);
    FigureCommand command(arguments, watch, *progress);
    const auto report = [&] {
        progress.reset();
        for (const QString& line : command.warnings())
            say(stderr, line);
        for (const QString& path : command.written())
            say(stdout, path);
    };
    try {
        command.run();
    } catch (...) {  // files written before stay, and are listed
        report();
        throw;
    }
    report();
    return kDone;
}

int guarded(const FigureArguments& arguments, const cli::InterruptWatch& watch) {
    try {
        return make(arguments, watch);
    } catch (...) {
        const cli::Ending ending = cli::endingOf(std::current_exception(), "ringside");
        say(stderr, QString::fromStdString(ending.text));
        return ending.code;
    }
}

}  // namespace

bool asksForFigure(const QStringList& words) { return words.size() > 1 && words[1] == QLatin1String("figure"); }

int figureMain(int& count, char** values, const QStringList& words) {
    QStringList own = words;
    own.removeAt(1);
    const FigureArgumentsReading reading = readFigureArguments(own);
    if (!reading.arguments) {
        say(reading.exitCode == 0 ? stdout : stderr, reading.text);
        return reading.exitCode;
    }
    if (reading.arguments->asked == Asked::list)
        return list();
    const cli::InterruptWatch watch;          // before Qt may start a thread
    qputenv("QT_QPA_PLATFORM", "offscreen");  // whatever the user's desktop has: no window is shown
    // Qt's warnings about a missing desktop would appear between the warnings about figures.
    QLoggingCategory::setFilterRules(QStringLiteral("default.warning=false"));
    // Qt writes the fonts of a PDF in hash order, and the same figure must give the same bytes.
    QHashSeed::setDeterministicGlobalSeed();
    QApplication application(count, values);
    ui::usePlainLocale();
    if (!ui::loadApplicationFont(application)) {
        say(stderr, QStringLiteral("ringside: the bundled font cannot be loaded"));
        return kMachineFailed;
    }
    return guarded(*reading.arguments, watch);
}

}  // namespace app
