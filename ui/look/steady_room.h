#pragma once

#include <QSize>
#include <QWidget>

class QLabel;

namespace ui {

/// The room of a label whose words change with every frame of playback. A label asks the layouts around it for their places
/// anew each time, up to the window, which then paints itself once more; this room asks only when it is too small. It
/// does not shrink before forget() is called. The words of a label that wraps ask only when they take more lines, or fewer.
class SteadyRoom final : public QWidget {
    Q_OBJECT

public:
    /// Owns `label`, which fills it.
    explicit SteadyRoom(QLabel* label, QWidget* parent = nullptr);

    /// Asks for more room if the label needs more. Called by itself before the next painting; at once for those who
    /// measure the layout in between.
    void follow();
    /// Asks for what the label needs now: its words are of another kind than before.
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
    int m_lines = 0;  ///< height of wrapped words
};

}  // namespace ui
