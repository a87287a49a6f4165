#include "ui/tracker/counter_delegate.h"

#include "ui/look/palette.h"
#include "ui/look/tile_style.h"
#include "ui/tracker/tracker_model.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

void paintBars(QPainter& painter, const QRectF& box, const std::vector<CounterBar>& bars, const Palette& colors,
               const QColor& landedNow, double line) {
    if (bars.empty())
        return;
    const auto count = static_cast<double>(bars.size());
    const double gap = line * 0.25;
    const double width = (box.width() - gap * (count - 1)) / count;
    const double ratio = painter.device()->devicePixelRatioF();
    const auto snapped = [ratio](double value) { return std::round(value * ratio) / ratio; };
    for (std::size_t i = 0; i < bars.size(); ++i) {
        const double left = snapped(box.left() + static_cast<double>(i) * (width + gap));
        const QRectF bar(left, box.top(), snapped(width), box.height());
        const Fill fill = fillOf(bars[i].landed >= 1 ? data::TileState::ready : data::TileState::oneUpdate, colors);
        painter.fillRect(bar, colors.grid);
        painter.fillRect(QRectF(bar.topLeft(), QSizeF(snapped(bar.width() * bars[i].landed), bar.height())),
                         fill.color);
        const double before = snapped(bar.width() * bars[i].before);
        const double now = snapped(bar.width() * bars[i].landed);
        if (now > before)
            painter.fillRect(QRectF(bar.left() + before, bar.top(), now - before, bar.height()), landedNow);
        painter.setPen(colors.inkFaint);
        painter.drawRect(bar.adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

}  // namespace

void CounterDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const auto* model = qobject_cast<const TrackerModel*>(index.model());
    const Palette& colors = paletteOf(*option.widget);
    const TrackerRow& row = model->row(index.row());
    const QRectF box(option.rect);
    const double line = option.fontMetrics.height();
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    QColor background = index.row() % 2 == 0 ? colors.surface : colors.stripe;
    if (row.kind == TrackerRow::Kind::closed)
        background = colors.notice;
    if (selected)
        background = colors.accent;
    painter->fillRect(box, background);
    if (row.latest && index.column() == TrackerModel::set)
        painter->fillRect(QRectF(box.left(), box.top(), line * 0.25, box.height()), colors.accent);
    if (index.column() == TrackerModel::counters) {
        paintBars(*painter, box.adjusted(line * 0.4, line * 0.3, -line * 0.4, -line * 0.3), TrackerModel::barsOf(row),
                  colors, selected ? colors.onAccent : colors.accent, line);  // on its own colour it would not be seen
        return;
    }
    QFont font = option.font;
    font.setWeight(row.latest || row.kind == TrackerRow::Kind::closed ? QFont::DemiBold : QFont::Normal);
    painter->setFont(font);
    const bool free = row.kind == TrackerRow::Kind::free;
    painter->setPen(selected ? colors.onAccent : free ? colors.inkFaint : colors.ink);
    painter->drawText(box.adjusted(line * 0.4, 0, -line * 0.4, 0), Qt::AlignRight | Qt::AlignVCenter,
                      index.data(Qt::DisplayRole).toString());
}

QSize CounterDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const {
    return {0, static_cast<int>(std::lround(option.fontMetrics.height() * 1.35))};
}

}  // namespace ui
