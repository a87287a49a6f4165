#include "app/ringside_figure.h"

#include "app/display.h"
#include "app/ringside_cli_exit.h"
#include "app/ringside_cli_watch.h"
#include "app/ringside_figure_arguments.h"
#include "app/ringside_figure_sources.h"
#include "data/document/problem_list.h"
#include "data/document/whole_file.h"
#include "data/figure/figure_combination.h"
#include "data/figure/figure_comparison.h"
#include "data/figure/figure_document.h"
#include "data/figure/figure_edits.h"
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

/// Returns the figure in a file; throws with what is wrong with the file.
data::FigureSpec figureInFile(const QString& file) {
    ui::FigureOpening opening = ui::openFigure(file);
    if (!opening.figure)
        throw engine::InvalidExperiment(std::move(opening.problems));
    return std::move(*opening.figure);
}

/// Makes, lays out and writes figures, one after the other.
class FigureCommand {
public:
    FigureCommand(const FigureArguments& arguments, const cli::InterruptWatch& watch, cli::ProgressLine& progress)
        : m_arguments(arguments), m_date(arguments.dated ? ui::dateOfDocuments() : QString()), m_stop(watch.token()),
          m_maker(options(watch, progress)) {}

    void run() {
        if (m_arguments.asked == Asked::all) {
            for (const data::GalleryEntry& entry : data::galleryEntries()) {
                m_share = entry.effort;
                data::FigureSource source;
                source.kind = data::FigureSource::Kind::gallery;
                source.name = entry.name;
                source.settings = m_arguments.settings;
                write(edited(m_maker.make(source), m_arguments.edits));
                m_before += m_share;
            }
            return;
        }
        if (!m_arguments.combined.isEmpty()) {
            write(edited(combination(), m_arguments.edits));
            return;
        }
        if (!m_arguments.carried) {
            write(edited(m_maker.make(m_arguments.source), m_arguments.edits));
            return;
        }
        data::FigureSpec carried = figureInFile(m_arguments.what);
        if (!m_arguments.again) {
            ui::FigureOffer offer{std::move(carried), {}};
            write(edited(std::move(offer), m_arguments.edits));
            return;
        }
        write(madeAgain(carried, m_arguments.edits));
    }

    /// Makes the figure of a file again and prints which of its numbers are equal.
    cli::ExitCode check() {
        const data::FigureSpec carried = figureInFile(m_arguments.what);
        const data::FigureSpec made = madeAgain(carried, m_arguments.edits);
        if (carried.provenance.engine != made.provenance.engine)
            say(stdout, QStringLiteral("The file was made by engine %1; this is engine %2.")
                            .arg(QString::fromStdString(carried.provenance.engine),
                                 QString::fromStdString(made.provenance.engine)));
        const data::FigureComparison comparison = data::compareNumbers(carried, made);
        for (const data::NumberDifference& one : comparison.different)
            say(stdout, QStringLiteral("%1: %2: %3: %4 in the file, %5 now")
                            .arg(QString::fromStdString(one.table), QString::fromStdString(one.row),
                                 QString::fromStdString(one.column), QString::fromStdString(one.kept),
                                 QString::fromStdString(one.made)));
        for (const std::string& missing : comparison.missing)
            say(stdout, QString::fromStdString(missing));
        const std::size_t equal = comparison.numbers - std::min(comparison.numbers, comparison.different.size());
        say(stdout, QStringLiteral("%1 of %2 numbers are equal").arg(equal).arg(comparison.numbers));
        return comparison.equal() && !m_stale ? cli::kDone : cli::kDoesNotHold;
    }

    const QStringList& written() const { return m_written; }
    const QStringList& warnings() const { return m_warnings; }
    cli::ExitCode code() const { return m_stale ? cli::kDoesNotHold : cli::kDone; }

private:
    FigureMaker::Options options(const cli::InterruptWatch& watch, cli::ProgressLine& progress) {
        FigureMaker::Options options{m_arguments.threads, watch.token(), {}, m_arguments.store.toStdString()};
        if (const auto show = progress.callback()) {
            options.progress = [this, show](double done) { show(m_before + m_share * done); };
        }
        return options;
    }

    /// Returns the figures of several files as one.
    ui::FigureOffer combination() {
        std::vector<data::CombinedPart> parts;
        for (const QString& file : m_arguments.combined)
            parts.push_back({QFileInfo(file).fileName().toStdString(), figureInFile(file)});
        engine::Problems problems;
        std::vector<std::string> remarks;
        ui::FigureOffer offer{data::combined(parts, problems, remarks), {}};
        data::refuseAny(std::move(problems));
        for (const std::string& remark : remarks)
            m_warnings << QStringLiteral("warning: ") + QString::fromStdString(remark);
        return offer;
    }

    /// Returns the figure of a file, made again with the settings of the arguments and with the edits of the file. Edits
    /// that no longer find their part are left out and named.
    data::FigureSpec madeAgain(const data::FigureSpec& carried, const std::vector<std::string>& further) {
        ui::FigureOffer offer = m_maker.make(withSettings(carried.from, m_arguments.settings));
        offer.figure.name = carried.name;
        for (const std::string& stale : m_maker.stale())
            m_warnings << QStringLiteral("left out: ") + QString::fromStdString(stale);
        m_stale = m_stale || !m_maker.stale().empty();
        const engine::Problems stale = data::applyEdits(offer.figure, carried.edits);
        for (const engine::Problem& problem : stale)
            m_warnings << QStringLiteral("left out: ") + QString::fromStdString(engine::describe(problem));
        m_stale = m_stale || !stale.empty();
        return edited(std::move(offer), further);
    }

    /// Returns the figure with edits, drawn again for its size and theme if its shapes depend on them.
    data::FigureSpec edited(ui::FigureOffer offer, const std::vector<std::string>& edits) const {
        data::FigureSpec& figure = offer.figure;
        data::refuseAny(data::applyEdits(figure, edits));
        ui::redraw(figure, offer.redraw);
        // A figure from a file has the date of its numbers.
        if (!m_arguments.carried || m_arguments.again || !m_arguments.dated)
            figure.provenance.made = m_date.toStdString();
        data::refuseAny(data::problemsOf(figure));
        return std::move(figure);
    }

    void write(data::FigureSpec figure) {
        if (m_stop.stop_requested())
            throw engine::RunStopped();
        if (m_arguments.asked == Asked::file)
            rename(figure);
        const ui::ReadyFigure made = ui::ready(std::move(figure));
        warn(made);
        std::vector<ui::FigureFile> files =
            ui::filesOf(made, m_arguments.formats, m_arguments.dpi.value_or(ui::kPrintDpi));
        if (m_arguments.out == QLatin1String("-"))
            return writeOut(files);
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

    /// Writes the first file to standard output: the figure, or the first of its tables.
    static void writeOut(const std::vector<ui::FigureFile>& files) {
        const QByteArray& content = files.front().content;
        const auto size = static_cast<std::size_t>(content.size());
        if (std::fwrite(content.constData(), 1, size, stdout) != size || std::fflush(stdout) != 0)
            throw data::FileError("standard output: cannot be written");
    }

    /// Gives the requested name to the one file of the requested format. Several tables keep their names.
    void callAsAsked(std::vector<ui::FigureFile>& files) const {
        const QString suffix = QLatin1Char('.') + ui::suffixOf(m_arguments.formats.front());
        const auto ofFormat = [&](const ui::FigureFile& file) { return file.name.endsWith(suffix); };
        if (std::count_if(files.begin(), files.end(), ofFormat) == 1)
            std::find_if(files.begin(), files.end(), ofFormat)->name = QFileInfo(m_arguments.out).fileName();
    }

    /// Names the figure after the requested file if other files name it: a script reads its tables by name, and the lines
    /// for LaTeX name the PDF.
    void rename(data::FigureSpec& figure) const {
        data::FigureSpec renamed = figure;
        renamed.name = QFileInfo(m_arguments.out).completeBaseName().toStdString();
        const ui::FigureFormat format = m_arguments.formats.front();
        if (m_arguments.out != QLatin1String("-") &&
            (format == ui::FigureFormat::csv || format == ui::FigureFormat::tikz ||
             format == ui::FigureFormat::python || format == ui::FigureFormat::latex)) {
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
    FigureMaker m_maker;
    QStringList m_written, m_warnings;
    bool m_stale = false;  // an edit of a file no longer found its part
};

int make(const FigureArguments& arguments, const cli::InterruptWatch& watch) {
    if (arguments.asked == Asked::about) {
        say(stdout, QString::fromStdString(data::statementOf(figureInFile(arguments.what))).trimmed());
        return kDone;
    }
    if (arguments.asked != Asked::check && arguments.out != QLatin1String("-"))
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
    cli::ExitCode code = cli::kDone;
    try {
        if (arguments.asked == Asked::check)
            code = command.check();
        else
            command.run();
    } catch (...) {  // files written before stay, and are listed
        report();
        throw;
    }
    report();
    return cli::worse(code, command.code());
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
    QApplication::setStyle(new ui::WindowStyle);
    QApplication application(count, values);
    ui::usePlainLocale();
    QApplication::setApplicationName(QStringLiteral("ringside"));
    if (!ui::loadApplicationFont(application)) {
        say(stderr, QStringLiteral("ringside: the bundled font cannot be loaded"));
        return kMachineFailed;
    }
    return guarded(*reading.arguments, watch);
}

}  // namespace app
