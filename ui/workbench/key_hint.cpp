#include "ui/workbench/key_hint.h"

#include "ui/look/palette.h"
#include "ui/look/widget_events.h"
#include "ui/look/widget_parts.h"

#include <QPainter>
#include <QTimer>

namespace ui {

KeyHint::KeyHint(const std::vector<std::pair<QString, QString>>& keys, QWidget& over, int lastsMs) : QLabel(&over) {
    setObjectName(QStringLiteral("keyHint"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    setTextFormat(Qt::RichText);
    setAlignment(Qt::AlignCenter);
    QStringList parts, spoken;
    for (const auto& [key, what] : keys) {
        parts << QStringLiteral("<b>%1</b>&nbsp;%2")
                     .arg(key.toHtmlEscaped(), what.toHtmlEscaped().replace(u' ', QStringLiteral("&nbsp;")));
        spoken << key + u' ' + what;
    }
    setText(parts.join(QStringLiteral("&nbsp;&nbsp;&nbsp; ")));
    setAccessibleName(spoken.join(QStringLiteral(", ")));
    setWordWrap(true);
    setInk(*this, Palette::inkOn(paletteOf(Theme::dark).window));
    onEvents(
        over, {QEvent::Resize, QEvent::FontChange}, [this] { place(); }, this);
    place();
    show();
    raise();
    QTimer::singleShot(lastsMs, this, &QObject::deleteLater);
}

// In the upper middle, above what is happening.
void KeyHint::place() {
    const int em = fontMetrics().averageCharWidth();
    setContentsMargins(em * 2, em, em * 2, em);
    const int most = parentWidget()->width() - em * 4;
    const int wide = std::min(most, QFontMetrics(font()).horizontalAdvance(accessibleName()) + em * 16);
    resize(wide, heightForWidth(wide));
    move((parentWidget()->width() - width()) / 2, parentWidget()->height() / 6);
}

void KeyHint::paintEvent(QPaintEvent* event) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(paletteOf(Theme::dark).line);
    painter.setBrush(paletteOf(Theme::dark).window);
    const double radius = fontMetrics().averageCharWidth();
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
    painter.end();
    QLabel::paintEvent(event);
}

}  // namespace ui
