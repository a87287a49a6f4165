#pragma once

#include "ui/commands/overlay.h"

class QGridLayout;
class QLabel;
class QScrollArea;

namespace ui {

class Commands;

/// All keys and gestures on one sheet over the window, grouped as the menus are. Written anew from the registry each
/// time it is opened, in the size that the window's type has then.
class ShortcutSheet final : public Overlay {
    Q_OBJECT

public:
    /// `commands` must outlive the sheet.
    ShortcutSheet(const Commands& commands, QWidget& window);

    void openNow();

Q_SIGNALS:
    void rebindRequested();

protected:
    QRect placeIn(const QRect& area) const override;
    QWidget* firstFocus() override;

private:
    QWidget* write() const;

    const Commands& m_commands;
    QScrollArea* m_scroll;
    int m_sheetHeight = 0;
};

}  // namespace ui
