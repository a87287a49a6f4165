#pragma once

#include "data/figure/figure_spec.h"

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QStringList>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

class QTimer;

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

    int threads = 0;  ///< 0: as many as there are processors
    Maker maker{};    ///< empty: the gallery (data/figure/figure_gallery.h)
};

/// Makes figures of the gallery on one thread of its own, so that the window never waits. What several of them need is
/// simulated once, for as long as nothing was cancelled.
/// Promise: after cancel() nothing is delivered of what was asked for before; the destructor stops a run at its next poll
/// and joins.
class FigureSession final : public QObject {
    Q_OBJECT

public:
    explicit FigureSession(FigureSessionConfig config = {}, QObject* parent = nullptr);
    ~FigureSession() override;

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
    struct Request {
        std::string name;
        std::uint64_t generation = 0;
    };

    void work(const std::stop_token& stop);
    void makeOne(const Request& request);
    void deliver(const Request& request, std::function<void()> verdict);

    FigureSessionConfig m_config;
    QTimer* m_ticks;
    QElapsedTimer m_since;
    QStringList m_waiting;
    int m_made = 0;  // since there was nothing to do

    std::atomic<double> m_progress{0};
    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    std::vector<Request> m_requests;  // guarded by m_mutex, as the next two
    std::uint64_t m_generation = 0;
    std::stop_source m_stop;
    std::unique_ptr<FigureMaker> m_maker;  // of the worker alone
    std::uint64_t m_makerOf = 0;
    std::jthread m_worker;  // last: it starts when everything above is there, and ends first
};

}  // namespace ui
