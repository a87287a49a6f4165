#pragma once

#include <QObject>
#include <QPointer>
#include <QRect>

class QAction;

namespace ui {

class KeyHint;
class StillPointer;
class Workbench;

/// Presenter mode, for a room full of people: the view alone on the whole screen, in larger type.
class Presenter final : public QObject {
    Q_OBJECT

public:
    /// `workbench` must outlive the presenter.
    explicit Presenter(Workbench& workbench);

    bool isOn() const { return m_on; }
    void set(bool on);
    void addCommand(int rank);

Q_SIGNALS:
    /// The window looks as it is to look now, and the view has the keyboard.
    void changed(bool on);

private:
    void showKeys();

    Workbench& m_workbench;
    bool m_on = false;
    Qt::WindowStates m_stateBefore;
    QRect m_placeBefore;
    QPointer<StillPointer> m_pointer;
    QPointer<KeyHint> m_hint;
    QAction* m_action = nullptr;
};

}  // namespace ui
