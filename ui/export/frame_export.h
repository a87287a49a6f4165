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

/// A folder of numbered pictures, frame-000001.png and so on, with frames.json, which describes them and identifies the
/// folder as one of Ringside's.
class FrameFolder {
public:
    explicit FrameFolder(QString path) : m_path(std::move(path)) {}

    /// Creates the folder if necessary, or deletes the frames of an earlier export in it. If the folder contains
    /// anything else, returns what is wrong and changes nothing, so that no other files are overwritten. Returns an
    /// empty text on success. Throws FileError if the folder cannot be created or its old frames cannot be deleted.
    QString prepare();

    /// Returns the path of a frame; `number` counts from 1.
    QString frame(int number) const;
    QString record() const;
    /// Writes frames.json with the description `about`, the times of the frames, and the number of finished ones.
    /// Returns false if the file cannot be written.
    bool write(QJsonObject about, const std::vector<std::int64_t>& moments, int finished) const;

private:
    QString m_path;
};

/// Returns the times of the frames: `perSecond` frames for `seconds`, at least two; the first is `from`, the last is
/// `to`.
std::vector<std::int64_t> frameMoments(std::int64_t from, std::int64_t to, double perSecond, double seconds);

class RunController;
class RunLogBuilder;
class ViewState;

/// The window from which frames are taken, and its parts that FrameExport needs.
struct FrameStage {
    QWidget& window;
    ViewState& viewState;
    RunController& runs;
    RunLogBuilder& log;                  ///< emits built() when every picture of the run is complete
    std::function<data::Scene()> scene;  ///< returns what the window shows
};

/// The settings of an export of frames.
struct FrameRequest {
    QString target;  ///< a folder for pictures, or the file of a film, recognised by its suffix (filmFormatOf)
    double perSecond = 30;
    double seconds = 10;                              ///< duration of all frames together
    std::optional<data::Scene::Moment> from{}, to{};  ///< empty: the start and the end of the run
    static constexpr double kMostPerSecond = 240, kMostSeconds = 600;
};

/// Exports what a window shows at a sequence of times as PNG files, which the window itself paints. Takes one picture
/// at a time between other events, so that the export can be cancelled, and compresses them on other threads. Finished
/// pictures are kept, with frames.json beside them. For a film the pictures are written to a temporary folder, from
/// which ffmpeg makes the film; an unfinished film is deleted.
class FrameExport final : public QObject {
    Q_OBJECT

public:
    /// The window of the stage must show a run in the view and size of the frames. All parts of the stage must outlive
    /// the export.
    FrameExport(FrameStage stage, FrameRequest request, QObject* parent = nullptr);
    ~FrameExport() override;

    /// Starts the export and returns an empty text, or returns what is wrong with the request. Throws FileError if the
    /// frames cannot be written.
    QString start();
    /// Ends the export after the current frame, or kills ffmpeg at once; `stopped` follows.
    void cancel();
    bool makesFilm() const { return m_format.has_value(); }
    int frames() const { return static_cast<int>(m_moments.size()); }
    int finishedFrames() const { return m_written; }

Q_SIGNALS:
    void progressed(int done, int all);
    /// All frames are taken, and `done` of `all` are in the film.
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
    std::unique_ptr<QTemporaryDir> m_meanwhile;  ///< temporary folder for the frames of a film
    FrameFolder m_folder;
    std::vector<std::int64_t> m_moments;
    FilmEncoder* m_encoder = nullptr;
    int m_next = 0;
    bool m_cancelled = false;
    std::atomic<int> m_written{0};
    std::atomic<int> m_failed{0};  ///< number of a frame that could not be written; 0: none
    QSemaphore m_room;
    QThreadPool m_packers;
};

/// Writes a picture in the format of the file's suffix, PNG if there is none. The file is written completely or not at
/// all, even if the program is killed. Throws data::FileError; for an unknown suffix the error lists the known ones.
void writePicture(const QImage& picture, const QString& path);

/// Returns what is wrong with the name of a picture's file, before there is a picture; an empty text if nothing is
/// wrong.
QString problemOfPictureName(const QString& path);

}  // namespace ui
