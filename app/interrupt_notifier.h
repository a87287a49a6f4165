#pragma once

#include <QObject>
#include <QSocketNotifier>

#include <optional>

namespace app {

/// Notifies the event loop of Ctrl+C, of a terminal that closes (SIGHUP) and of SIGTERM, which a batch system or a
/// shutdown sends. A second such signal ends the program at once, with exit code 130. Create only one at a time, and
/// after the QApplication.
class InterruptNotifier final : public QObject {
    Q_OBJECT

public:
    explicit InterruptNotifier(QObject* parent = nullptr);
    ~InterruptNotifier() override;

Q_SIGNALS:
    void interrupted();

private:
    std::optional<QSocketNotifier> m_notifier;  ///< absent if no pipe could be created
};

}  // namespace app
