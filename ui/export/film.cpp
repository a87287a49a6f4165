#include "ui/export/film.h"

#include "data/document/whole_file.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>

#include <algorithm>
#include <array>
#include <utility>

namespace ui {
namespace {

constexpr int kEndMs = 5'000;  // longest wait for the end of a killed process

/// Suffixes of films that cannot be written here. Nobody would give a folder of pictures such a name on purpose.
constexpr std::array kOtherFilms{"avi", "m4v", "mkv", "mov", "mpeg", "mpg", "ogv", "webm", "webp", "wmv"};

QString filmTr(const char* text) { return QCoreApplication::translate("ui::Film", text); }

QString suffixOf(const QString& file) { return QFileInfo(file).suffix().toLower(); }

// Returns the first arguments of every call of ffmpeg: how to read the frames.
QStringList reading(const FilmPlan& plan) {
    return {QStringLiteral("-hide_banner"),
            QStringLiteral("-nostdin"),
            QStringLiteral("-loglevel"),
            QStringLiteral("error"),
            QStringLiteral("-y"),
            QStringLiteral("-framerate"),
            QString::number(plan.perSecond),
            QStringLiteral("-start_number"),
            QStringLiteral("1"),
            QStringLiteral("-i"),
            QStringLiteral("frame-%06d.png")};
}

QStringList writing(const FilmPlan& plan, const QString& output) {
    QStringList words{QStringLiteral("-frames:v"), QString::number(plan.frames)};
    for (const auto& [key, value] : {std::pair("title", plan.title), std::pair("comment", plan.comment)}) {
        if (!value.isEmpty())
            words << QStringLiteral("-metadata") << QStringLiteral("%1=%2").arg(QLatin1String(key), value);
    }
    words << QStringLiteral("-progress") << QStringLiteral("pipe:1") << QStringLiteral("-nostats")
          << QStringLiteral("-f") << (plan.format == FilmFormat::mp4 ? QStringLiteral("mp4") : QStringLiteral("gif"))
          << QStringLiteral("file:") + output;
    return words;
}

/// Copies a finished film to the requested file. ffmpeg itself writes only to a folder of its own, because it would
/// follow a link that somebody has put beside the requested file.
void copyWhole(const QString& from, const QString& to) {
    constexpr qint64 kPiece = 1 << 20;
    data::WholeFile file(to.toStdString());
    QFile film(from);
    bool isRead = film.open(QIODevice::ReadOnly);
    while (isRead && !film.atEnd()) {
        const QByteArray piece = film.read(kPiece);
        isRead = !piece.isEmpty();
        file.write({piece.constData(), static_cast<std::size_t>(piece.size())});
    }
    if (!isRead)
        throw data::FileError((from + QStringLiteral(": cannot be read: ") + film.errorString()).toStdString());
    file.keep();
}

QString lastLine(const QByteArray& said) {
    const QStringList lines = QString::fromLocal8Bit(said).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
        if (!line->trimmed().isEmpty())
            return line->trimmed();
    }
    return {};
}

}  // namespace

std::optional<FilmFormat> filmFormatOf(const QString& file) {
    const QString suffix = suffixOf(file);
    if (suffix == QLatin1String("mp4"))
        return FilmFormat::mp4;
    return suffix == QLatin1String("gif") ? std::optional(FilmFormat::gif) : std::nullopt;
}

QString ffmpegProgram() { return QStandardPaths::findExecutable(QStringLiteral("ffmpeg")); }

QString ffmpegHint() { return filmTr("needs ffmpeg, which is not installed; on Debian: sudo apt install ffmpeg"); }

QString problemOfFilm(const QString& target) {
    const bool isFolder = QFileInfo(target).isDir();
    const QString suffix = suffixOf(target);
    if (!filmFormatOf(target)) {
        const bool other = std::any_of(kOtherFilms.begin(), kOtherFilms.end(),
                                       [&](const char* name) { return suffix == QLatin1String(name); });
        return other && !isFolder ? filmTr("%1: unknown film format, allowed: .mp4 or .gif").arg(target) : QString();
    }
    if (isFolder)
        return filmTr("%1: is a folder; a film needs the name of a file").arg(target);
    if (QFileInfo::exists(target) && !QFileInfo(target).isFile())
        return filmTr("%1: is a pipe or another special file; a film needs the name of a file").arg(target);
    return ffmpegProgram().isEmpty() ? QStringLiteral("%1: %2").arg(target, ffmpegHint()) : QString();
}

std::vector<QStringList> ffmpegCalls(const FilmPlan& plan, const QString& output) {
    if (plan.format == FilmFormat::mp4) {
        return {reading(plan) +
                QStringList{QStringLiteral("-vf"),
                            QStringLiteral("crop=trunc(iw/2)*2:trunc(ih/2)*2:0:0,"
                                           "scale=out_color_matrix=bt709:out_range=tv,format=yuv420p"),
                            QStringLiteral("-c:v"), QStringLiteral("libx264"), QStringLiteral("-crf"),
                            QStringLiteral("16"), QStringLiteral("-colorspace"), QStringLiteral("bt709"),
                            QStringLiteral("-color_primaries"), QStringLiteral("bt709"), QStringLiteral("-color_trc"),
                            QStringLiteral("bt709"), QStringLiteral("-movflags"), QStringLiteral("+faststart")} +
                writing(plan, output)};
    }
    const QString colours = QStringLiteral("colours.png");
    return {reading(plan) + QStringList{QStringLiteral("-vf"), QStringLiteral("palettegen=stats_mode=full"), colours},
            reading(plan) +
                QStringList{QStringLiteral("-i"), colours, QStringLiteral("-filter_complex"),
                            QStringLiteral("[0:v][1:v]paletteuse=dither=none:diff_mode=rectangle")} +
                writing(plan, output)};
}

FilmEncoder::FilmEncoder(FilmPlan plan, QObject* parent)
    : QObject(parent), m_plan(std::move(plan)), m_part(QDir(m_plan.folder).filePath(QStringLiteral("film.part"))),
      m_calls(ffmpegCalls(m_plan, m_part)) {
    m_process.setWorkingDirectory(m_plan.folder);
    connect(&m_process, &QProcess::readyReadStandardOutput, this, &FilmEncoder::readProgress);
    connect(&m_process, &QProcess::finished, this, &FilmEncoder::ended);
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            fail(m_process.errorString());
    });
}

FilmEncoder::~FilmEncoder() {
    m_process.disconnect(this);
    if (m_process.state() != QProcess::NotRunning) {
        m_process.kill();
        m_process.waitForFinished(kEndMs);
    }
    QFile::remove(m_part);
}

void FilmEncoder::start(const QString& program) {
    m_program = program;
    run();
}

void FilmEncoder::run() {
    m_unread.clear();
    m_process.start(m_program, m_calls[m_next]);
}

void FilmEncoder::cancel() {
    m_cancelled = true;
    m_process.kill();
}

// Reads ffmpeg's progress from lines such as "frame=12".
void FilmEncoder::readProgress() {
    m_unread += m_process.readAllStandardOutput();
    const qsizetype end = m_unread.lastIndexOf('\n');
    const QList<QByteArray> lines = m_unread.left(std::max<qsizetype>(0, end)).split('\n');
    m_unread.remove(0, end + 1);
    for (const QByteArray& line : lines) {
        if (line.startsWith("frame="))
            Q_EMIT progressed(std::clamp(line.mid(6).trimmed().toInt(), 0, m_plan.frames), m_plan.frames);
    }
}

void FilmEncoder::ended(int code, QProcess::ExitStatus status) {
    if (m_cancelled) {
        QFile::remove(m_part);
        Q_EMIT stopped();
        return;
    }
    if (code != 0 || status != QProcess::NormalExit)
        return fail(lastLine(m_process.readAllStandardError()));
    if (++m_next < m_calls.size())
        return run();
    try {
        copyWhole(m_part, m_plan.file);
    } catch (const data::FileError& error) {
        Q_EMIT failed(QString::fromUtf8(error.what()));
        return;
    }
    QFile::remove(m_part);
    Q_EMIT finished();
}

void FilmEncoder::fail(const QString& why) {
    QFile::remove(m_part);
    Q_EMIT failed(filmTr("%1: ffmpeg failed: %2")
                      .arg(m_plan.file, why.isEmpty() ? filmTr("it ended without an error message") : why));
}

}  // namespace ui
