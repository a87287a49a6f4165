#include "ui/lessons/answer_cover.h"

#include "ui/look/palette.h"

#include <QEvent>
#include <QPainter>

namespace ui {

AnswerCover::AnswerCover(QWidget& numbers) : QWidget(&numbers) {
    setObjectName(QStringLiteral("answerCover"));
    setAccessibleName(tr("The numbers come with the answer."));
    numbers.installEventFilter(this);
    setGeometry(numbers.rect());
    hide();
}

bool AnswerCover::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize)
        setGeometry(static_cast<QWidget*>(watched)->rect());
    return false;
}

void AnswerCover::paintEvent(QPaintEvent*) {
    const Palette& colors = paletteOf(*this);
    QPainter painter(this);
    painter.fillRect(rect(), colors.surface);
    painter.setPen(colors.inkSoft);
    painter.drawText(rect(), Qt::AlignCenter, tr("Predict first: the numbers come with the answer."));
}

}  // namespace ui
