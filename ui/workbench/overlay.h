#pragma once

#include <QFrame>
#include <QPointer>

namespace ui {

/// A sheet over the window that has the keyboard focus while it is open. Escape, a click beside it or the activation of
/// another window closes it, and the focus returns to its former place.
class Overlay : public QFrame {
    Q_OBJECT

public:
    /// Covers `window`, which becomes its parent.
    explicit Overlay(QWidget& window);

    void open();
    void dismiss();
    bool isOpen() const { return isVisible(); }

protected:
    /// Prepares the content for a window of this area. Called before placeIn() when the overlay opens or the window's
    /// size changes.
    virtual void arrangeFor(const QRect& /*area*/) {}
    /// Returns the overlay's rectangle within the window's area.
    virtual QRect placeIn(const QRect& area) const = 0;
    /// Returns the widget that gets the focus first.
    virtual QWidget* firstFocus() = 0;

    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void place();

    QPointer<QWidget> m_focusBefore;
};

}  // namespace ui
