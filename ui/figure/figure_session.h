#pragma once

#include "data/figure/figure_spec.h"
#include "ui/shared/figure_offer.h"
#include "ui/shared/worker.h"

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QThread>

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>

namespace ui {

/// Makes figures by name, one after the other. Throws as data::Gallery does.
class FigureMaker {
public:
    virtual ~FigureMaker() = default;
    virtual data::FigureSpec make(const std::string& name) = 0;
};

/// How figures are made. Fixed before the session starts.
struct FigureSessionConfig {
    using Maker = std::function<std::unique_ptr<FigureMaker>(std::stop_token, std::function<void(double)> progress)>;

    int threads = QThread::idealThreadCount();
    Maker maker{};        ///< empty: the gallery (data/figure/figure_gallery.h)
    FigureAgain again{};  ///< for figures from views and files; empty: they cannot be made again
};

/// Makes figures of the gallery, and others again, on a worker thread, so that the window never waits. Runs that several
/// figures need are simulated once, unless work was cancelled in between. Promise: after cancel() no figure that was
/// requested earlier is delivered; the destructor stops a run at its next poll and joins the thread.
class FigureSession final : public QObject {
    Q_OBJECT

public:
    explicit FigureSession(FigureSessionConfig config = {}, QObject* parent = nullptr);

    /// Queues figures behind those in progress; a figure that is already queued is not queued again.
    void make(const QStringList& names);
    /// Queues a figure that is not of the gallery to be made again from its source. It is reported under this name.
    void makeAgain(const QString& name, data::FigureSpec figure);
    bool makesAgain() const { return m_config.again != nullptr; }
    /// Cancels all work. The session reports that at once; the worker stops at its next poll.
    void cancel();
    bool isRunning() const { return !m_waiting.isEmpty(); }
    /// Returns the queued figures, beginning with the one in progress.
    const QStringList& waiting() const { return m_waiting; }
    /// Returns the progress of everything requested since the queue was last empty, 0 to 1.
    double progress() const;
    /// Estimates the time until all figures are made from the time taken so far; an empty optional if it is too early
    /// for an estimate.
    std::optional<double> secondsLeft() const;

Q_SIGNALS:
    void started();
    void progressChanged();
    void made(const QString& name, std::shared_ptr<const data::FigureSpec> figure);
    void failed(const QString& name, const QString& text);
    /// No figure is being made any more, whatever the reason.
    void ended();

private:
    using Make = std::function<data::FigureSpec(const Worker::Ticket& ticket)>;

    void queue(const QString& name, Make make);
    void makeOne(const QString& name, const Make& make, const Worker::Ticket& ticket);
    data::FigureSpec ofGallery(const std::string& name, const Worker::Ticket& ticket);
    void arrive(const std::function<void()>& verdict);

    FigureSessionConfig m_config;
    QElapsedTimer m_since;
    QStringList m_waiting;
    int m_made = 0;                        // since the queue was last empty
    std::unique_ptr<FigureMaker> m_maker;  // used by the worker thread only, like m_makerStop
    std::stop_token m_makerStop;
    Worker m_worker;  // last: it is destroyed first
};

}  // namespace ui
