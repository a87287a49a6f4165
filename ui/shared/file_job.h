#pragma once

#include "data/trace/chrome_trace.h"

#include <QObject>
#include <QString>

#include <atomic>
#include <functional>
#include <stop_token>
#include <thread>

class QTimer;

namespace ui {

/// Something that writes or reads a large file on a thread of its own, so that the window never waits. Exactly one of its
/// last three signals follows. Promise: the destructor stops the work at its next look and joins; nothing is said after.
class FileJob final : public QObject {
    Q_OBJECT

public:
    /// What is to be told, and whether that is what one would wish for.
    struct Outcome {
        QString text;
        bool good = true;
    };
    /// May throw data::FileError and engine::RunStopped.
    using Work = std::function<Outcome(const data::TraceWatch& watch)>;

    explicit FileJob(Work work, QObject* parent = nullptr);
    ~FileJob() override;

    void cancel() { m_thread.request_stop(); }

Q_SIGNALS:
    void progressed(double fraction);
    void finished(const QString& text, bool good);
    void failed(const QString& text);
    void stopped();

private:
    void run(const Work& work, std::stop_token stop);

    QTimer* m_look;
    std::atomic<double> m_progress{0};
    std::jthread m_thread;  // last: it ends before anything that it uses
};

}  // namespace ui
