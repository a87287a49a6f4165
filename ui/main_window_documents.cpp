#include "ui/main_window.h"

#include "data/document/whole_file.h"
#include "data/experiment/link_text.h"
#include "data/opening/document_kind.h"
#include "ui/editors/experiment_form.h"
#include "ui/lessons/lesson_library.h"
#include "ui/workbench/commands.h"
#include "ui/workbench/message_bar.h"
#include "ui/workbench/status_line.h"

#include <QDir>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMimeData>

// Experiments come from files and go to files.

namespace ui {
namespace {

constexpr std::size_t kMostLines = 6;  // of a message; more would push the picture out of the window

QString shortName(const QString& file) { return QFileInfo(file).fileName(); }

/// Every problem on a line of its own beneath the file's name.
QString problemsText(const QString& file, const engine::Problems& problems) {
    QStringList lines{MainWindow::tr("%1 cannot be opened:").arg(shortName(file))};
    for (const engine::Problem& problem : problems) {
        if (lines.size() > static_cast<qsizetype>(kMostLines))
            break;
        // The file stands above already.
        const QString origin = QString::fromStdString(problem.path);
        lines << (origin == file ? QString::fromStdString(problem.text)
                                 : QString::fromStdString(engine::describe(problem)));
    }
    if (problems.size() > kMostLines)
        lines << MainWindow::tr("and %1 more").arg(problems.size() - kMostLines);
    return lines.join(QLatin1Char('\n'));
}

QString filterText() { return MainWindow::tr("Experiments (*.json);;All files (*)"); }

}  // namespace

void MainWindow::addFileCommands() {
    m_commands->add({.id = "file.open",
                     .text = tr("&Open Experiment…"),
                     .group = CommandGroup::file,
                     .keys = {QKeySequence::Open},
                     .hint = tr("Reads an experiment document and runs it; dropping one on the window does the same")},
                    this, [this] {
                        const QString file =
                            QFileDialog::getOpenFileName(this, tr("Open Experiment"), documentFolder(), filterText());
                        if (!file.isEmpty())
                            openDocument(file);
                    });
    m_commands->add({.id = "file.save",
                     .text = tr("&Save Experiment"),
                     .group = CommandGroup::file,
                     .keys = {QKeySequence::Save},
                     .hint = tr("Writes the presets and every value that was set by hand")},
                    this, &MainWindow::saveDocument);
    m_commands->add({.id = "file.save-as",
                     .text = tr("Save Experiment &As…"),
                     .group = CommandGroup::file,
                     .keys = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S)}},
                    this, &MainWindow::askWhereToSave);
    m_commands->add({.id = "file.export-complete",
                     .text = tr("Export &Complete Experiment…"),
                     .group = CommandGroup::file,
                     .hint = tr("Writes every parameter in base units, so that no preset is needed to run it again")},
                    this, [this] {
                        const QString file = QFileDialog::getSaveFileName(this, tr("Export Complete Experiment"),
                                                                          documentFolder(), filterText());
                        if (!file.isEmpty())
                            exportDocument(file);
                    });
    addFigureCommands();
    addExportCommands();
    addLinkCommands();
    addPresetCommands();
    for (int i = 0; i < WindowSettings::kMostRecentFiles; ++i) {
        QAction* recent = m_commands->add({.id = QStringLiteral("file.recent-%1").arg(i + 1),
                                           .text = tr("Recent File %1").arg(i + 1),
                                           .group = CommandGroup::file,
                                           .startsSection = i == 0},
                                          this, [this, i] {
                                              const QStringList files = m_settings.recentFiles();
                                              if (i < files.size())
                                                  openDocument(files[i]);
                                          });
        m_recentFiles << recent;
    }
    showRecentFiles();
    m_commands->add({.id = "file.quit",
                     .text = tr("&Quit"),
                     .group = CommandGroup::file,
                     .keys = {QKeySequence(Qt::CTRL | Qt::Key_Q)},
                     .startsSection = true},
                    this, &QWidget::close);
}

void MainWindow::addPresetCommands() {
    const auto add = [this](const char* id, const QString& text, data::OwnKind kind) {
        QAction* action = m_commands->add({.id = QString::fromLatin1(id),
                                           .text = text,
                                           .group = CommandGroup::file,
                                           .hint = tr("Keeps it under a name of your own, beside the bundled presets"),
                                           .startsSection = kind == data::OwnKind::experiment},
                                          m_form, [this, kind] { m_form->savePresetAs(kind); });
        action->setEnabled(m_experiment.ownPresets().keeps());
    };
    add("file.preset-experiment", tr("Save as Own &Experiment…"), data::OwnKind::experiment);
    add("file.preset-model", tr("Save &Model as Own Preset…"), data::OwnKind::model);
    add("file.preset-machine", tr("Save Ma&chine as Own Preset…"), data::OwnKind::machine);
}

void MainWindow::connectDocuments() {
    setAcceptDrops(true);
    connect(&m_experiment, &ExperimentModel::changed, this, &MainWindow::showTitle);
    connect(&m_experiment, &ExperimentModel::originChanged, this, &MainWindow::showTitle);
    connect(&m_experiment, &ExperimentModel::presetsFailed, this,
            [this](const QString& text) { m_messages->showMessage(MessageBar::Kind::error, text); });
    // Once the first run is there: starting it clears what was said before.
    connect(this, &MainWindow::runShown, this, &MainWindow::showBrokenPresets,
            static_cast<Qt::ConnectionType>(Qt::AutoConnection | Qt::SingleShotConnection));
    connect(m_form, &ExperimentForm::experimentChosen, this, [this](const QString& name) {
        const data::OwnPreset* own = m_experiment.ownPresets().find(data::OwnKind::experiment, name.toStdString());
        if (own == nullptr)
            return;
        m_experiment.replaceDraft({own->values}, tr("choice of “%1”").arg(name));
        runExperiment();
    });
}

void MainWindow::showBrokenPresets() {
    const engine::Problems& problems = m_experiment.ownPresets().problems();
    if (problems.empty() || !m_messages->text().isEmpty())
        return;
    QStringList lines{tr("Some of your presets cannot be read; they were left as they are:")};
    for (std::size_t i = 0; i < std::min(problems.size(), kMostLines); ++i)
        lines << QString::fromStdString(engine::describe(problems[i]));
    m_messages->showMessage(MessageBar::Kind::notice, lines.join(QLatin1Char('\n')));
}

void MainWindow::openDocument(const QString& file) {
    switch (data::documentKind(file.toStdString())) {
    case data::DocumentKind::figure: return openFigureFile(file);
    case data::DocumentKind::trace: return openTraceFile(file);
    case data::DocumentKind::sweep: return openSweep(file);
    case data::DocumentKind::lesson: openLesson(file); return;
    case data::DocumentKind::preset:
    case data::DocumentKind::experiment: return openExperiment(file);
    }
}

void MainWindow::openExperiment(const QString& file) {
    m_form->commit();
    data::DraftReading reading =
        data::openDraft(QFileInfo(file).absoluteFilePath().toStdString(), &m_experiment.ownPresets());
    if (reading.problems.empty())
        reading.problems = data::expand(data::withOwnPresets(reading.draft, m_experiment.ownPresets())).problems;
    if (!reading.problems.empty()) {
        showUnreadable(file, reading.problems);
        return;
    }
    // A model or a machine is part of an experiment: saving that must not put it in the preset's place.
    std::optional<DocumentOrigin> origin;
    if (!reading.ofPreset)
        origin = DocumentOrigin{file, std::move(reading.texts)};
    m_experiment.replaceDraft(std::move(reading.draft), tr("opening of %1").arg(shortName(file)), origin);
    rememberDocument(file);
    runExperiment();
}

void MainWindow::showUnreadable(const QString& file, const engine::Problems& problems) {
    const QString text = problemsText(file, problems);
    m_messages->showMessage(MessageBar::Kind::error, text);
    Q_EMIT requestFailed(text);
}

bool MainWindow::restoreDocument(const QJsonValue& kept) {
    const QString file = kept[QStringLiteral("file")].toString();
    if (!m_config.restoresExperiment)
        return true;
    // The draft is the session's; the file tells how far the two have come apart.
    data::DraftReading reading = data::readDraftFile(file.toStdString());
    if (!QFileInfo(file).isAbsolute() || !reading.problems.empty())
        return false;
    m_experiment.setSaved({file, std::move(reading.texts)}, reading.draft);
    return true;
}

void MainWindow::saveDocument() {
    if (m_experiment.origin()) {
        writeDocument(*m_experiment.origin());
    } else {
        askWhereToSave();
    }
}

void MainWindow::askWhereToSave() {
    const std::optional<DocumentOrigin>& origin = m_experiment.origin();
    const QString name = QString::fromStdString(data::caseName(m_experiment.expansion().experiment));
    const QString proposed = origin ? origin->file
                                    : documentFolder() + QLatin1Char('/') +
                                          QString(name).replace(QLatin1Char('/'), QLatin1Char('-')) +
                                          QStringLiteral(".json");
    const QString file = QFileDialog::getSaveFileName(this, tr("Save Experiment"), proposed, filterText());
    if (!file.isEmpty())
        saveDocumentAs(file);
}

void MainWindow::saveDocumentAs(const QString& file) {
    writeDocument({file, m_experiment.origin() ? m_experiment.origin()->texts : data::DocumentTexts{}});
}

void MainWindow::writeDocument(const DocumentOrigin& to) {
    m_form->commit();
    if (m_experiment.hasUnreadableText()) {
        // What nobody can read must not go into a file, and must not silently be left out of it either.
        m_messages->showMessage(MessageBar::Kind::error, tr("Not saved. %1").arg(m_experiment.firstProblem()));
        return;
    }
    if (writeText(to.file, data::writeDraft(m_experiment.draft(), to.texts))) {
        m_experiment.setSaved(to, m_experiment.draft());
        rememberDocument(to.file);
    }
}

void MainWindow::exportDocument(const QString& file) {
    m_form->commit();
    if (!m_experiment.isRunnable()) {
        m_messages->showMessage(MessageBar::Kind::error, tr("Not exported. %1").arg(m_experiment.firstProblem()));
        return;
    }
    writeText(file, data::writeExperiment(m_experiment.expansion().experiment));
}

bool MainWindow::writeText(const QString& file, const std::string& text) {
    try {
        data::writeWholeFile(file.toStdString(), text);
    } catch (const data::FileError& error) {
        m_messages->showMessage(MessageBar::Kind::error, QString::fromStdString(error.what()));
        return false;
    }
    m_messages->clear();
    m_status->showMessage(tr("%1 is written.").arg(shortName(file)), 4000);
    return true;
}

QString MainWindow::documentFolder() const {
    const QStringList files = m_settings.recentFiles();
    return files.isEmpty() ? QDir::homePath() : QFileInfo(files.front()).absolutePath();
}

void MainWindow::rememberDocument(const QString& file) {
    m_settings.rememberRecentFile(QFileInfo(file).absoluteFilePath());
    showRecentFiles();
}

void MainWindow::showRecentFiles() {
    const QStringList files = m_settings.recentFiles();
    for (qsizetype i = 0; i < m_recentFiles.size(); ++i) {
        const bool there = i < files.size();
        m_recentFiles[i]->setVisible(there);
        m_recentFiles[i]->setEnabled(there);
        if (!there)
            continue;
        m_recentFiles[i]->setText(tr("&%1  %2").arg(i + 1).arg(shortName(files[i]).replace(u'&', QLatin1String("&&"))));
        m_recentFiles[i]->setStatusTip(files[i]);
        m_recentFiles[i]->setToolTip(files[i]);
    }
}

void MainWindow::showTitle() {
    QStringList parts;
    if (m_experiment.origin())
        parts << shortName(m_experiment.origin()->file) + QStringLiteral("[*]");
    if (m_shown)
        parts << QString::fromStdString(m_shown->run.name);
    parts << tr("Ringside");
    setWindowTitle(parts.join(QStringLiteral(" – ")));
    setWindowModified(m_experiment.differsFromFile());
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    // Whatever is a file may be dropped: what is wrong with it is better told than refused without a word.
    if (event->mimeData()->hasUrls() || data::looksLikeLink(event->mimeData()->text().toStdString()))
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    event->acceptProposedAction();
    if (const QString text = event->mimeData()->text(); data::looksLikeLink(text.toStdString()))
        return openLink(text);
    const QList<QUrl> urls = event->mimeData()->urls();
    if (urls.size() != 1) {
        m_messages->showMessage(MessageBar::Kind::error,
                                tr("%1 files were dropped; one experiment can be opened at a time.").arg(urls.size()));
    } else if (!urls.front().isLocalFile()) {
        m_messages->showMessage(
            MessageBar::Kind::error,
            tr("%1 is no file on this machine; save it first and open it then.").arg(urls.front().toDisplayString()));
    } else {
        openDocument(urls.front().toLocalFile());
    }
}

}  // namespace ui
