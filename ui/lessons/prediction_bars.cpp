#include "ui/lessons/prediction_bars.h"

#include "ui/look/palette.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace ui {

PredictionBars::PredictionBars(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("predictionBars"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void PredictionBars::show(const LessonVerdict::Numbers& numbers) {
    m_numbers = numbers;
    setAccessibleName(tr("You said %1; it is %2").arg(numbers.typed, numbers.told));
    updateGeometry();
    update();
}

QSize PredictionBars::sizeHint() const { return {fontMetrics().averageCharWidth() * 24, fontMetrics().height() * 3}; }

void PredictionBars::paintEvent(QPaintEvent*) {
    const Palette& colors = paletteOf(*this);
    QPainter painter(this);
    const double line = fontMetrics().height() * 1.5, gap = fontMetrics().averageCharWidth();
    const QString names[] = {tr("You"), tr("Simulated")};
    const QString told[] = {m_numbers.typed, m_numbers.told};
    const double values[] = {std::abs(m_numbers.predicted), std::abs(m_numbers.truth)};
    double left = 0, right = 0;
    for (int i = 0; i < 2; ++i) {
        left = std::max(left, fontMetrics().horizontalAdvance(names[i]) + gap);
        right = std::max(right, fontMetrics().horizontalAdvance(told[i]) + gap);
    }
    const double room = std::max(gap, width() - left - right), most = std::max({values[0], values[1], 1e-300});
    for (int i = 0; i < 2; ++i) {
        const QRectF row(0, i * line, width(), line);
        const double length = std::max(1.0, values[i] / most * room);
        const QRectF bar(left, row.top() + line * 0.2, length, line * 0.6);
        painter.fillRect(bar, i == 0 ? colors.inkFaint : colors.of(Role::link));
        painter.setPen(colors.inkSoft);
        painter.drawText(row.adjusted(0, 0, -(width() - left), 0), Qt::AlignLeft | Qt::AlignVCenter, names[i]);
        painter.setPen(colors.ink);
        painter.drawText(QRectF(bar.right() + gap / 2, row.top(), right, line), Qt::AlignLeft | Qt::AlignVCenter,
                         told[i]);
    }
}

}  // namespace ui
