#pragma once

#include "ui/workbench/overlay.h"

class QHBoxLayout;
class QScrollArea;

namespace ui {

class Commands;

/// All keys and gestures on one sheet over the window, grouped as the menus are. Written anew from the registry each
/// time it is opened, in the size that the window's type has then, in as many columns as make it fit into the window;
/// where no number of columns does, it scrolls from top to bottom.
class ShortcutSheet final : public Overlay {
    Q_OBJECT

public:
    /// `commands` must outlive the sheet.
    ShortcutSheet(const Commands& commands, QWidget& window);

    void openNow() { open(); }

Q_SIGNALS:
    void rebindRequested();

protected:
    void arrangeFor(const QRect& area) override;
    QRect placeIn(const QRect& area) const override;
    QWidget* firstFocus() override;

private:
    QRect mostOf(const QRect& area) const;
    /// What margins, title and buttons take of its size.
    QSize frame() const;

    const Commands& m_commands;
    QHBoxLayout* m_top;
    QScrollArea* m_scroll;
    QSize m_sheet;  ///< that shows all keys without scrolling
};

}  // namespace ui
