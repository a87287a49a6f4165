#pragma once

#include "ui/workbench/overlay.h"

class QHBoxLayout;
class QScrollArea;

namespace ui {

class Commands;

/// Overlay that lists all shortcuts and gestures, grouped like the menus. It is built from the registry each time it
/// opens, in the current font size, with as many columns as it needs to fit into the window. If no number of columns
/// fits, it scrolls vertically.
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
    /// Returns the size of margins, title and buttons.
    QSize frame() const;

    const Commands& m_commands;
    QHBoxLayout* m_top;
    QScrollArea* m_scroll;
    QSize m_sheet;  ///< the size that shows all shortcuts without scrolling
};

}  // namespace ui
