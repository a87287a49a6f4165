#include "ui/workbench/documents.h"

#include "data/document/whole_file.h"
#include "ui/look/plain_tip.h"
#include "ui/workbench/commands.h"
#include "ui/workbench/message_bar.h"
#include "ui/workbench/status_line.h"
#include "ui/workbench/window_settings.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMimeData>
#include <QUrl>

#include <algorithm>

namespace ui {
namespace {

constexpr std::size_t kMostLines = 6;  // lines of a message; more would push the picture out of the window
constexpr int kWrittenMs = 4'000;

QString shortName(const QString& file) { return QFileInfo(file).fileName(); }

/// Returns the file's name and below it a line for each problem, up to kMostLines.
QString problemsText(const QString& file, const engine::Problems& problems) {
    QStringList lines{Documents::tr("%1 cannot be opened:").arg(shortName(file))};
    for (const engine::Problem& problem : problems) {
        if (lines.size() > static_cast<qsizetype>(kMostLines))
            break;
        // The first line already names the file.
        const QString origin = QString::fromStdString(problem.path);
        lines << (origin == file ? QString::fromStdString(problem.text)
                                 : QString::fromStdString(engine::describe(problem)));
    }
    if (problems.size() > kMostLines)
        lines << Documents::tr("and %1 more").arg(problems.size() - kMostLines);
    return lines.join(QLatin1Char('\n'));
}

}  // namespace

Documents::Documents(QWidget& window, WindowSettings& settings, MessageBar& messages, StatusLine& status)
    : m_window(window), m_settings(settings), m_messages(messages), m_status(status) {}

void Documents::add(data::DocumentKind kind, Open open) { m_kinds[kind] = std::move(open); }

void Documents::addTogether(data::DocumentKind kind, std::function<void(const QStringList&)> open) {
    m_together[kind] = std::move(open);
}

void Documents::addText(std::function<bool(const QString&)> matches, Open open) {
    m_texts.push_back({std::move(matches), std::move(open)});
}

void Documents::open(const QString& file) {
    const data::DocumentKind kind = data::documentKind(file.toStdString());
    if (const auto known = m_kinds.find(kind); known != m_kinds.end())
        known->second(file);
}

const Documents::TextKind* Documents::kindOf(const QString& text) const {
    const auto found = std::ranges::find_if(m_texts, [&text](const TextKind& kind) { return kind.matches(text); });
    return found == m_texts.end() ? nullptr : &*found;
}

bool Documents::canDrop(const QMimeData& dropped) const {
    // Accepts every file, because a message about an unsuitable file is more helpful than a refused drop.
    return dropped.hasUrls() || kindOf(dropped.text()) != nullptr;
}

void Documents::drop(const QMimeData& dropped) {
    if (const TextKind* kind = kindOf(dropped.text()))
        return kind->open(dropped.text());
    const QList<QUrl> urls = dropped.urls();
    if (dropTogether(urls))
        return;
    if (urls.size() != 1) {
        m_messages.showMessage(MessageBar::Kind::error,
                               tr("%1 files were dropped; only one file can be opened at a time.").arg(urls.size()));
    } else if (!urls.front().isLocalFile()) {
        m_messages.showMessage(MessageBar::Kind::error,
                               tr("%1 is not a file on this machine. Save it first, then open the saved file.")
                                   .arg(urls.front().toDisplayString()));
    } else {
        open(urls.front().toLocalFile());
    }
}

bool Documents::dropTogether(const QList<QUrl>& urls) {
    QStringList files;
    for (const QUrl& url : urls)
        files << url.toLocalFile();
    if (files.size() < 2 || files.contains(QString()))
        return false;
    const data::DocumentKind kind = data::documentKind(files.front().toStdString());
    const auto together = m_together.find(kind);
    const bool alike = std::ranges::all_of(
        files, [kind](const QString& file) { return data::documentKind(file.toStdString()) == kind; });
    if (together == m_together.end() || !alike)
        return false;
    together->second(files);
    return true;
}

void Documents::reportUnreadable(const QString& file, const engine::Problems& problems) {
    const QString text = problemsText(file, problems);
    m_messages.showMessage(MessageBar::Kind::error, text);
    Q_EMIT unreadable(text);
}

QString Documents::folder() const {
    const QStringList files = m_settings.recentFiles();
    return files.isEmpty() ? QDir::homePath() : QFileInfo(files.front()).absolutePath();
}

void Documents::remember(const QString& file) {
    m_settings.rememberRecentFile(QFileInfo(file).absoluteFilePath());
    showRecentFiles();
}

void Documents::addRecentCommands(Commands& commands, int rank) {
    for (int i = 0; i < WindowSettings::kMostRecentFiles; ++i) {
        m_recent << commands.add({.id = QStringLiteral("file.recent-%1").arg(i + 1),
                                  .text = tr("Recent File %1").arg(i + 1),
                                  .group = CommandGroup::file,
                                  .startsSection = i == 0,
                                  .rank = rank},
                                 this, [this, i] {
                                     const QStringList files = m_settings.recentFiles();
                                     if (i < files.size())
                                         open(files[i]);
                                 });
    }
    showRecentFiles();
}

void Documents::showRecentFiles() {
    const QStringList files = m_settings.recentFiles();
    for (qsizetype i = 0; i < m_recent.size(); ++i) {
        const bool exists = i < files.size();
        m_recent[i]->setVisible(exists);
        m_recent[i]->setEnabled(exists);
        if (!exists)
            continue;
        m_recent[i]->setText(tr("&%1  %2").arg(i + 1).arg(shortName(files[i]).replace(u'&', QLatin1String("&&"))));
        m_recent[i]->setStatusTip(files[i]);
        m_recent[i]->setToolTip(plainTip(files[i]));
    }
}

QString Documents::askWhatToOpen(const QString& title, const QString& filter) {
    return QFileDialog::getOpenFileName(&m_window, title, folder(), filter);
}

QString Documents::askWhereToSave(const QString& title, const QString& proposed, const QString& filter) {
    return QFileDialog::getSaveFileName(&m_window, title, QDir(folder()).filePath(proposed), filter);
}

bool Documents::write(const QString& file, const std::string& text) {
    try {
        data::writeWholeFile(file.toStdString(), text);
    } catch (const data::FileError& error) {
        m_messages.showMessage(MessageBar::Kind::error, QString::fromStdString(error.what()));
        return false;
    }
    m_messages.clear();
    m_status.showMessage(tr("%1 was written.").arg(shortName(file)), kWrittenMs);
    return true;
}

}  // namespace ui
