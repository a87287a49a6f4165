#pragma once

#include <QObject>
#include <QPoint>

class QTimer;

namespace ui {

/// Hides the mouse pointer while nobody moves it, so that it does not stand in a picture that others look at. Any movement,
/// press or turn of the wheel brings it back; so does the end of this object.
class StillPointer final : public QObject {
    Q_OBJECT

public:
    explicit StillPointer(QObject* parent = nullptr, int stillMs = 2'500);
    ~StillPointer() override;

    bool isHidden() const { return m_hidden; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void hide();
    void show();

    QTimer* m_still;
    QPoint m_last;
    bool m_hidden = false;
};

}  // namespace ui
