#pragma once

#include "data/experiment/scene_document.h"
#include "ui/export/frame_folder.h"

#include <QObject>
#include <QSemaphore>
#include <QString>
#include <QThreadPool>

#include <atomic>
#include <functional>
#include <optional>
#include <vector>

class QImage;
class QWidget;

namespace ui {

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
    QString folder;
    double perSecond = 30;
    double seconds = 10;                              ///< that all frames together last
    std::optional<data::Scene::Moment> from{}, to{};  ///< nothing: the beginning, the end
    static constexpr double kMostPerSecond = 240, kMostSeconds = 600;
};

/// Writes what a window shows at moment after moment as PNG, for slides: the window's own picture, drawn by the window.
/// Takes the pictures one at a time between other events, so that the export can be cancelled, and packs them on other
/// threads. What is finished stays, with a record of it beside.
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
    /// Ends the export after the frame at hand; `stopped` follows.
    void cancel() { m_cancelled = true; }
    int frames() const { return static_cast<int>(m_moments.size()); }
    int finishedFrames() const { return m_written; }

Q_SIGNALS:
    void progressed(int done, int all);
    void finished();
    void stopped();
    void failed(const QString& text);

private:
    void take();
    void grab();
    void write(QImage picture, int number);
    void end();
    QJsonObject about() const;

    FrameStage m_stage;
    FrameRequest m_request;
    FrameFolder m_folder;
    std::vector<std::int64_t> m_moments;
    int m_next = 0;
    bool m_cancelled = false;
    std::atomic<int> m_written{0};
    std::atomic<int> m_failed{0};  ///< number of a frame that could not be written
    QSemaphore m_room;
    QThreadPool m_packers;
};

}  // namespace ui
