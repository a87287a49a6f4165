#pragma once

#include <QSize>
#include <QWidget>

class QLabel;

namespace ui {

/// Reserves room for a label whose text changes with every frame of playback. A plain label would make all layouts
/// around it compute new positions for every new text, and the window would repaint. This widget requests a new layout
/// only when the reserved room is too small, and it does not shrink before forget() is called. A label that wraps its
/// text requests a new layout only when the number of lines changes.
class SteadyRoom final : public QWidget {
    Q_OBJECT

public:
    /// Takes ownership of `label`, which fills this widget.
    explicit SteadyRoom(QLabel* label, QWidget* parent = nullptr);

    /// Requests more room if the label needs it. This happens by itself before the next painting; call it to have the
    /// right size at once, for example to measure the layout.
    void follow();
    /// Requests the room that the label needs now. Call it when a different kind of text follows.
    void forget();

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    bool hasHeightForWidth() const override;
    int heightForWidth(int width) const override;

protected:
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QLabel* m_label;
    QSize m_room;
    int m_lines = 0;  ///< height of wrapped text, in lines
};

}  // namespace ui
