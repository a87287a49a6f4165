#pragma once

#include "data/experiment/scene.h"
#include "ui/export/frame_folder.h"

#include <QObject>
#include <QSemaphore>
#include <QString>
#include <QThreadPool>

#include <atomic>
#include <optional>
#include <vector>

class QImage;

namespace ui {

class MainWindow;

/// What is to be written as frames.
struct FrameRequest {
    QString folder;
    double perSecond = 30;
    double seconds = 10;                              ///< that all frames together last
    std::optional<data::Scene::Moment> from{}, to{};  ///< nothing: the beginning, the end
    static constexpr double kMostPerSecond = 240, kMostSeconds = 600;
};

/// Writes what a window shows at moment after moment as PNG, for slides: the window's own picture, drawn by the window.
/// Pictures are taken one at a time between other events, so that who waits can stop it, and packed by other threads.
/// What is finished stays, with a record of it beside.
class FrameExport final : public QObject {
    Q_OBJECT

public:
    /// `window` shows a run, in the view and size that the frames are to have, and must outlive this.
    FrameExport(MainWindow& window, FrameRequest request, QObject* parent = nullptr);
    ~FrameExport() override;

    /// What is wrong with the request or its folder; empty: the first picture is on its way.
    QString start();
    /// Ends after the frame at hand; `stopped` follows.
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

    MainWindow& m_window;
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
