#pragma once

#include <QPointer>
#include <QWidget>

namespace ui {

/// A frame around one control, for "this one". Lies beside the control, so that it scrolls and is cut off with it, and
/// lets every click through.
class SpotMark final : public QWidget {
    Q_OBJECT

public:
    explicit SpotMark(QWidget& target);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void follow();

    QWidget& m_target;
};

}  // namespace ui
