#pragma once

#include <QObject>
#include <QSocketNotifier>

#include <optional>

namespace app {

/// Tells the event loop of Ctrl+C, of a terminal that closes (SIGHUP) and of what a batch system or a shutdown sends
/// (SIGTERM). A second such signal ends the program at once, with exit code 130. One at a time, after the QApplication.
class InterruptNotifier final : public QObject {
    Q_OBJECT

public:
    explicit InterruptNotifier(QObject* parent = nullptr);
    ~InterruptNotifier() override;

Q_SIGNALS:
    void interrupted();

private:
    std::optional<QSocketNotifier> m_notifier;  ///< absent where the system has no pipe to give
};

}  // namespace app
