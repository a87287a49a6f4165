#pragma once

#include "data/experiment/scene_document.h"
#include "ui/export/film.h"

#include <QJsonObject>
#include <QObject>
#include <QSemaphore>
#include <QString>
#include <QTemporaryDir>
#include <QThreadPool>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

class QImage;
class QWidget;

namespace ui {

/// A folder of numbered pictures, frame-000001.png and so on, with frames.json beside them, which says what they show and
/// by which the folder is known as one of ours.
class FrameFolder {
public:
    explicit FrameFolder(QString path) : m_path(std::move(path)) {}

    /// Makes the folder where there is none, and takes frames of before away. Says what is wrong with it instead where it
    /// holds anything else: nothing of somebody else's is ever overwritten. Empty: it is ready.
    QString prepare();

    /// `number` counts from 1.
    QString frame(int number) const;
    QString record() const;
    /// Everything about the frames, of which so many are there. False: the file cannot be written.
    bool write(QJsonObject about, const std::vector<std::int64_t>& moments, int finished) const;

private:
    QString m_path;
};

/// The moments of so many pictures a second for so long: the first one is `from`, the last one `to`, at least two.
std::vector<std::int64_t> frameMoments(std::int64_t from, std::int64_t to, double perSecond, double seconds);

class RunController;
class RunLogBuilder;
class ViewState;

/// The window that frames are taken of, and the parts of it that FrameExport needs.
struct FrameStage {
    QWidget& window;
    ViewState& viewState;
    RunController& runs;
    RunLogBuilder& log;                  ///< its signal built() says that every picture of the run is complete
    std::function<data::Scene()> scene;  ///< returns what the window shows
};

/// What is to be written as frames.
struct FrameRequest {
    QString target;  ///< a folder for pictures, or the file of a film, known by its suffix (filmFormatOf)
    double perSecond = 30;
    double seconds = 10;                              ///< that all frames together last
    std::optional<data::Scene::Moment> from{}, to{};  ///< nothing: the beginning, the end
    static constexpr double kMostPerSecond = 240, kMostSeconds = 600;
};

/// Writes what a window shows at moment after moment as PNG, for slides: the window's own picture, drawn by the window.
/// Takes the pictures one at a time between other events, so that the export can be cancelled, and packs them on other
/// threads. What is finished stays, with a record of it beside. For a film the pictures lie in a folder for the time being,
/// and ffmpeg makes it of them once all are there: of a film that is not finished nothing stays.
class FrameExport final : public QObject {
    Q_OBJECT

public:
    /// The window of the stage shows a run, in the view and size that the frames are to have. All parts of the stage
    /// must outlive the export.
    FrameExport(FrameStage stage, FrameRequest request, QObject* parent = nullptr);
    ~FrameExport() override;

    /// Begins to take pictures, and returns an empty text. Returns what is wrong with the request or its folder instead
    /// if it cannot begin.
    QString start();
    /// Ends the export after the frame at hand, or ffmpeg at once; `stopped` follows.
    void cancel();
    bool makesFilm() const { return m_format.has_value(); }
    int frames() const { return static_cast<int>(m_moments.size()); }
    int finishedFrames() const { return m_written; }

Q_SIGNALS:
    void progressed(int done, int all);
    /// All frames are taken, and so many of them are in the film.
    void filmed(int done, int all);
    void finished();
    void stopped();
    void failed(const QString& text);

private:
    QString prepare();
    void take();
    void grab();
    void film();
    void write(QImage picture, int number);
    void end();
    QJsonObject about() const;

    FrameStage m_stage;
    FrameRequest m_request;
    std::optional<FilmFormat> m_format;
    std::unique_ptr<QTemporaryDir> m_meanwhile;  ///< where the frames of a film lie
    FrameFolder m_folder;
    std::vector<std::int64_t> m_moments;
    FilmEncoder* m_encoder = nullptr;
    int m_next = 0;
    bool m_cancelled = false;
    std::atomic<int> m_written{0};
    std::atomic<int> m_failed{0};  ///< number of a frame that could not be written
    QSemaphore m_room;
    QThreadPool m_packers;
};

/// Writes a picture in the format of the file's suffix, PNG where it has none: all of it or nothing, whatever ends the
/// program meanwhile. Throws data::FileError; a suffix that is no format of pictures says which are.
void writePicture(const QImage& picture, const QString& path);

/// What is wrong with a name for a picture, before there is one; empty: nothing.
QString problemOfPictureName(const QString& path);

}  // namespace ui
