#pragma once

#include "data/figure/figure_spec.h"
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
    Maker maker{};  ///< empty: the gallery (data/figure/figure_gallery.h)
};

/// Makes figures of the gallery on one thread of its own, so that the window never waits. What several of them need is
/// simulated once, for as long as nothing was cancelled.
/// Promise: after cancel() nothing is delivered of what was asked for before; the destructor stops a run at its next poll
/// and joins.
class FigureSession final : public QObject {
    Q_OBJECT

public:
    explicit FigureSession(FigureSessionConfig config = {}, QObject* parent = nullptr);

    /// After those that are being made; twice the same is once.
    void make(const QStringList& names);
    /// At once for whoever asks; the worker follows at its next poll.
    void cancel();
    bool isRunning() const { return !m_waiting.isEmpty(); }
    /// The one at work first.
    const QStringList& waiting() const { return m_waiting; }
    /// Of all that was asked for since there was nothing to do, 0 to 1.
    double progress() const;
    /// Until all is made, from what the time was until now; nothing where it is too early to tell.
    std::optional<double> secondsLeft() const;

Q_SIGNALS:
    void started();
    void progressChanged();
    void made(const QString& name, std::shared_ptr<const data::FigureSpec> figure);
    void failed(const QString& name, const QString& text);
    /// Nothing is being made any more, whatever the reason.
    void ended();

private:
    void makeOne(const QString& name, const Worker::Ticket& ticket);
    void arrive(const std::function<void()>& verdict);

    FigureSessionConfig m_config;
    QElapsedTimer m_since;
    QStringList m_waiting;
    int m_made = 0;                        // since there was nothing to do
    std::unique_ptr<FigureMaker> m_maker;  // of the worker's thread alone, as the next
    std::stop_token m_makerStop;
    Worker m_worker;  // last: it ends first
};

}  // namespace ui
