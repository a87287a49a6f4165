#pragma once

#include <QByteArray>
#include <QObject>
#include <QProcess>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <optional>
#include <vector>

namespace ui {

/// What ffmpeg makes of frames.
enum class FilmFormat : std::uint8_t { mp4, gif };

/// Returns the format that the file's suffix stands for, if any.
std::optional<FilmFormat> filmFormatOf(const QString& file);

/// Returns ffmpeg's path as found in PATH; empty where it is not installed.
QString ffmpegProgram();

/// Returns "needs ffmpeg" and how to get it.
QString ffmpegHint();

/// Returns what keeps `target` from being written as a film, such as a suffix of another format or an ffmpeg that is not
/// there. Empty: nothing does, or it is the name of a folder for pictures.
QString problemOfFilm(const QString& target);

/// What is to be made of numbered frames, "frame-000001.png" and so on, in a folder.
struct FilmPlan {
    QString folder;
    QString file;
    FilmFormat format = FilmFormat::mp4;
    int frames = 0;
    double perSecond = 30;
    QString title{};    ///< for the film's own data
    QString comment{};  ///< likewise
};

/// Returns the arguments of each call of ffmpeg, to be run one after the other within the plan's folder; the last one writes
/// `output`. MP4: H.264 with 4:2:0 samples, which every player knows, so that an odd last row or column of pixels is left
/// out. GIF: the first call chooses 256 colours out of all frames, the second one paints with them without dithering.
std::vector<QStringList> ffmpegCalls(const FilmPlan& plan, const QString& output);

/// Makes a film of frames with ffmpeg, another process. The file appears under its name when it is complete; until then,
/// and for good if the work is cancelled or fails, there is none.
class FilmEncoder final : public QObject {
    Q_OBJECT

public:
    explicit FilmEncoder(FilmPlan plan, QObject* parent = nullptr);
    ~FilmEncoder() override;

    /// `program`: the path of ffmpeg. One of the signals follows.
    void start(const QString& program);
    /// Ends the process at once; `stopped` follows.
    void cancel();

Q_SIGNALS:
    void progressed(int done, int all);
    void finished();
    void stopped();
    /// ffmpeg's own last line is in `text`.
    void failed(const QString& text);

private:
    void run();
    void readProgress();
    void ended(int code, QProcess::ExitStatus status);
    void fail(const QString& why);

    FilmPlan m_plan;
    QString m_program;
    QString m_part;  ///< the film until it is complete
    std::vector<QStringList> m_calls;
    std::size_t m_next = 0;
    QProcess m_process;
    QByteArray m_unread;
    bool m_cancelled = false;
};

}  // namespace ui
