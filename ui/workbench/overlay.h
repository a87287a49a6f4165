#pragma once

#include <QFrame>
#include <QPointer>

namespace ui {

/// A sheet over the window that has the keyboard while it is open. Escape, a click beside it or another window's
/// activation closes it, and the focus goes back to where it was.
class Overlay : public QFrame {
    Q_OBJECT

public:
    /// Lies over `window`, whose child it becomes.
    explicit Overlay(QWidget& window);

    void open();
    void dismiss();
    bool isOpen() const { return isVisible(); }

protected:
    /// Arranges what it shows for a window of this area. Called before placeIn, whenever it opens or the window's size
    /// changes.
    virtual void arrangeFor(const QRect& /*area*/) {}
    /// Where it lies within the window's area.
    virtual QRect placeIn(const QRect& area) const = 0;
    /// Who has the keyboard first.
    virtual QWidget* firstFocus() = 0;

    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void place();

    QPointer<QWidget> m_focusBefore;
};

}  // namespace ui
