#include "ui/look/tinted_icon.h"

#include "ui/look/palette.h"

#include <QFile>
#include <QPainter>
#include <QPixmap>
#include <QSvgRenderer>
#include <QWidget>

namespace ui {
namespace {

void addDrawing(QIcon& icon, const QByteArray& drawing, const QColor& color, QIcon::Mode mode) {
    QByteArray tinted = drawing;
    tinted.replace("currentColor", color.name().toLatin1());
    QSvgRenderer renderer(tinted);
    for (const int size : {16, 32, 48, 64}) {
        QPixmap pixmap(size, size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        renderer.render(&painter);
        painter.end();
        icon.addPixmap(pixmap, mode);
    }
}

QByteArray drawingNamed(const QString& name) {
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}  // namespace

QIcon tintedIcon(const QString& name, const QColor& color) {
    QIcon icon;
    addDrawing(icon, drawingNamed(name), color, QIcon::Normal);
    return icon;
}

QIcon tintedIcon(const QString& name, const QWidget& widget) {
    const QByteArray drawing = drawingNamed(name);
    QIcon icon;
    addDrawing(icon, drawing, widget.palette().color(QPalette::Active, QPalette::ButtonText), QIcon::Normal);
    addDrawing(icon, drawing, widget.palette().color(QPalette::Disabled, QPalette::ButtonText), QIcon::Disabled);
    return icon;
}

}  // namespace ui
