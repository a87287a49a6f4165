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

/// The formats of films.
enum class FilmFormat : std::uint8_t { mp4, gif };

/// Returns the film format with the file's suffix; an empty optional if there is none.
std::optional<FilmFormat> filmFormatOf(const QString& file);

/// Returns the path of ffmpeg, searched in PATH; empty if it is not installed.
QString ffmpegProgram();

/// Returns "needs ffmpeg" with an instruction to install it.
QString ffmpegHint();

/// Returns why `target` cannot be written as a film, for example because the suffix belongs to another format or ffmpeg
/// is missing. Returns an empty text if the film can be written, or if `target` is the name of a folder for pictures.
QString problemOfFilm(const QString& target);

/// What to make from numbered frames, "frame-000001.png" and so on, in a folder.
struct FilmPlan {
    QString folder;  ///< of the frames; only this user may write to it
    QString file;
    FilmFormat format = FilmFormat::mp4;
    int frames = 0;
    double perSecond = 30;
    QString title{};    ///< for the film's metadata
    QString comment{};  ///< for the film's metadata
};

/// Returns the arguments for each call of ffmpeg, to be run one after the other in the plan's folder; the last call
/// writes `output`. MP4: H.264 with 4:2:0 sampling, which every player supports; it requires an even size, so an odd
/// last row or column of pixels is left out. GIF: the first call chooses 256 colours from all frames, the second draws
/// the frames with them without dithering.
std::vector<QStringList> ffmpegCalls(const FilmPlan& plan, const QString& output);

/// Makes a film from frames with ffmpeg in another process. The file appears under its name only when it is complete;
/// if the work is cancelled or fails, there is no file.
class FilmEncoder final : public QObject {
    Q_OBJECT

public:
    explicit FilmEncoder(FilmPlan plan, QObject* parent = nullptr);
    ~FilmEncoder() override;

    /// Starts the process; `program` is the path of ffmpeg. Ends with one of the signals.
    void start(const QString& program);
    /// Kills the process at once; `stopped` follows.
    void cancel();

Q_SIGNALS:
    void progressed(int done, int all);
    void finished();
    void stopped();
    /// `text` contains the last line that ffmpeg printed.
    void failed(const QString& text);

private:
    void run();
    void readProgress();
    void ended(int code, QProcess::ExitStatus status);
    void fail(const QString& why);

    FilmPlan m_plan;
    QString m_program;
    QString m_part;  ///< the incomplete film, in the folder of the frames
    std::vector<QStringList> m_calls;
    std::size_t m_next = 0;
    QProcess m_process;
    QByteArray m_unread;
    bool m_cancelled = false;
};

}  // namespace ui
