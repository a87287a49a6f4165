#include "ui/workbench/spot_mark.h"

#include "ui/look/palette.h"
#include "ui/look/widget_events.h"

#include <QPainter>

namespace ui {

SpotMark::SpotMark(QWidget& target) : QWidget(target.parentWidget()), m_target(target) {
    setObjectName(QStringLiteral("spotMark"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    onEvents(
        target, {QEvent::Move, QEvent::Resize}, [this] { follow(); }, this);
    connect(&target, &QObject::destroyed, this, &QObject::deleteLater);
    follow();
    show();
    raise();
}

void SpotMark::follow() {
    const int around = fontMetrics().averageCharWidth() / 2;
    setGeometry(m_target.geometry().adjusted(-around, -around, around, around).intersected(parentWidget()->rect()));
}

void SpotMark::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const double line = fontMetrics().height() / 7.0, half = line / 2;
    painter.setPen(QPen(paletteOf(*this).of(Role::exposed), line));
    painter.drawRoundedRect(QRectF(rect()).adjusted(half, half, -half, -half), line * 2, line * 2);
}

}  // namespace ui
