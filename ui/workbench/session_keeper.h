#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <functional>

namespace ui {

/// Has the session kept a moment after the last change, so that a crash or a power cut costs a second of work. A person
/// changes things with keys, pointer and drops only, all of which it sees by itself; what comes about otherwise is told.
/// While changes follow each other it is kept now and then. Nothing runs when nothing changes.
class SessionKeeper final : public QObject {
    Q_OBJECT

public:
    /// `save` compares with what it wrote last: not every click changes something.
    explicit SessionKeeper(std::function<void()> save, QObject* parent = nullptr);

    void noteChange();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QTimer m_rest;            // until nothing has changed for a moment
    QElapsedTimer m_waiting;  // since the first change that is not kept yet
};

}  // namespace ui
