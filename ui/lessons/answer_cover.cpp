#include "ui/lessons/answer_cover.h"

#include "ui/look/palette.h"
#include "ui/look/widget_events.h"
#include "ui/look/widget_parts.h"

#include <QPainter>

namespace ui {

AnswerCover::AnswerCover(QWidget& numbers) : QWidget(&numbers) {
    setNames(*this, QStringLiteral("answerCover"), tr("The numbers come with the answer."));
    onEvents(
        numbers, {QEvent::Resize}, [this] { setGeometry(parentWidget()->rect()); }, this);
    setGeometry(numbers.rect());
    hide();
}

void AnswerCover::paintEvent(QPaintEvent*) {
    const Palette& colors = paletteOf(*this);
    QPainter painter(this);
    painter.fillRect(rect(), colors.surface);
    painter.setPen(colors.inkSoft);
    painter.drawText(rect(), Qt::AlignCenter, tr("Predict first: the numbers come with the answer."));
}

}  // namespace ui
