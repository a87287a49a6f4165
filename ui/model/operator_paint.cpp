// The drawing functions of OperatorCanvas.
#include "ui/look/format.h"
#include "ui/look/palette.h"
#include "ui/look/texture.h"
#include "ui/look/widget_parts.h"
#include "ui/model/model_parts.h"
#include "ui/model/operator_canvas.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

constexpr double kSmallest = 0.74;  // least scale of a text that would not fit otherwise
constexpr double kFullTint = 0.8;   // strength of the colour of the largest share

void paintWay(QPainter& painter, const std::vector<QPointF>& points, const QColor& color, double width, double head) {
    if (points.size() < 2)
        return;
    painter.setPen(QPen(color, width, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin));
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(points.data(), static_cast<int>(points.size()));
    const QPointF tip = points.back();
    const QPointF before = points[points.size() - 2];
    const double length = std::max(1e-9, std::hypot(tip.x() - before.x(), tip.y() - before.y()));
    const QPointF back = (before - tip) / length * head;
    const QPointF side(-back.y() * 0.6, back.x() * 0.6);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawPolygon(QPolygonF{tip, tip + back + side, tip + back - side});
}

}  // namespace

void OperatorCanvas::paintMoment(QPainter& painter, const QRegion&) {
    painter.setRenderHint(QPainter::Antialiasing);
    if (m_stale)
        painter.setOpacity(0.45);
    paintFrame(painter);
    paintEdges(painter);
    for (std::uint32_t op = 0; op < m_layout.boxes.size(); ++op)
        paintBox(painter, op);
    paintScale(painter);
}

void OperatorCanvas::paintFrame(QPainter& painter) const {
    painter.setPen(QPen(colors().line, 1));
    painter.setBrush(colors().stripe);
    painter.drawRoundedRect(m_layout.layer, line() * 0.5, line() * 0.5);
    painter.setFont(strongFont(font()));
    painter.setPen(colors().inkSoft);
    const QString layer = m_run->graph.network ? tr("all operators of the network")
                                               : tr("one layer, %1 times").arg(formatCount(m_run->graph.layers));
    painter.drawText(
        QRectF(m_layout.layer.left(), m_layout.layer.top() - line() * 1.25, m_layout.layer.width(), line()),
        Qt::AlignLeft | Qt::AlignVCenter, layer);
    painter.setFont(font());
    painter.setPen(colors().inkFaint);
    for (std::size_t i = 0; i < m_layout.rows.size(); ++i) {
        const int row = m_layout.rows[i];
        const QString name = row == operator_row::forward     ? tr("forward, left to right")
                             : row == operator_row::recompute ? tr("recomputed, left to right")
                             : row == operator_row::backward  ? tr("backward, right to left")
                             : row == operator_row::weights   ? tr("weight gradients and optimizer")
                                                              : QString();
        // Above the row, over the lane of the edges that pass other boxes.
        painter.drawText(QRectF(m_layout.layer.left() + line() * 0.5, m_layout.rowTops[i] - line() * 1.8,
                                m_layout.layer.width(), line()),
                         Qt::AlignLeft | Qt::AlignVCenter, name);
    }
}

// Edges from the forward to the backward pass are drawn for the selected operator only; all of them would hide the
// rest.
void OperatorCanvas::paintEdges(QPainter& painter) const {
    for (const bool strong : {false, true}) {
        for (const OperatorEdge& edge : m_layout.edges) {
            const bool own = m_selected && (edge.from == *m_selected || edge.to == *m_selected);
            if (own != strong || (edge.saved && !own))
                continue;
            const QColor color = own ? colors().accent : colors().inkFaint;
            paintWay(painter, edge.points, color, line() * (own ? 0.14 : 0.08), line() * 0.36);
        }
    }
}

QColor OperatorCanvas::fillOf(std::uint32_t op) const {
    const double share = m_most > 0 ? shareOf(op) / m_most : 0;
    const QColor full =
        m_colouring == OperatorColouring::exposed ? colors().of(Role::exposed) : colors().of(Role::gemm);
    // The square root makes small shares distinguishable from none.
    return Palette::mixed(colors().window, full, kFullTint * std::sqrt(share));
}

void OperatorCanvas::paintBox(QPainter& painter, std::uint32_t op) const {
    const QRectF& box = m_layout.boxes[op];
    const engine::Operator& node = m_run->graph.operators[op];
    const data::OperatorTime& time = policy().operators[op];
    const QColor fill = fillOf(op);
    const double radius = line() * 0.3;
    QPainterPath shape;
    shape.addRoundedRect(box, radius, radius);
    painter.fillPath(shape, fill);
    painter.save();
    painter.setClipPath(shape);
    painter.fillRect(QRectF(box.left(), box.top(), line() * 0.22, box.height()), colorOf(partOf(node, time), colors()));
    const bool collective = node.kind == engine::OperatorKind::collective;
    const double bar = collective ? line() * 0.55 : 0;
    if (collective)
        paintHidden(painter, op, QRectF(box.left(), box.bottom() - bar, box.width(), bar));
    painter.restore();
    const bool selected = m_selected == op;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(selected ? colors().accent : colors().line, selected ? line() * 0.2 : 1));
    painter.drawPath(shape);
    if (selected && hasFocus()) {
        painter.setPen(QPen(colors().ink, 1, Qt::DotLine));
        painter.drawRoundedRect(box.adjusted(-3, -3, 3, 3), radius, radius);
    }
    paintTexts(painter, op, box.adjusted(line() * 0.34, line() * 0.1, -line() * 0.04, -bar - line() * 0.1),
               Palette::inkOn(fill));
}

// Paints name, time of one occurrence and share, as far as there is room. A long name is broken after its hyphen.
void OperatorCanvas::paintTexts(QPainter& painter, std::uint32_t op, const QRectF& room, const QColor& ink) const {
    const data::OperatorTime& time = policy().operators[op];
    const QFont bold = scaledFont(font(), 0.95, QFont::DemiBold);
    const QFont plain = scaledFont(font(), 0.9, QFont::Normal);
    const bool collective = m_run->graph.operators[op].kind == engine::OperatorKind::collective;
    const engine::Duration shown = collective ? time.whole : time.time.total();
    const QString name = shortName(m_run->graph.operators[op]);
    const qsizetype hyphen = name.indexOf(QLatin1Char('-')) + 1;
    std::vector<std::pair<QFont, QString>> lines{{bold, name}};
    if (hyphen > 2 && QFontMetricsF(bold).horizontalAdvance(name) * kSmallest > room.width())
        lines = {{bold, name.left(hyphen)}, {bold, name.mid(hyphen)}};
    // Uses two digits if three do not fit.
    const auto fits = [&](const QString& text) {
        return QFontMetricsF(plain).horizontalAdvance(text) * kSmallest <= room.width();
    };
    lines.emplace_back(plain, formatTime(shown.ps, fits(formatTime(shown.ps, 3)) ? 3 : 2));
    lines.emplace_back(plain, formatShare(shareOf(op)));
    const double step = line() * 1.02;
    const auto fit = static_cast<std::size_t>(std::max(1.0, std::floor((room.height() + line() * 0.3) / step)));
    if (fit < lines.size())
        lines.resize(fit);
    double top = room.center().y() - step * static_cast<double>(lines.size()) / 2;
    painter.setPen(ink);
    for (const auto& [type, words] : lines) {
        // Shrinks the text before it is elided.
        const double wide = QFontMetricsF(type).horizontalAdvance(words);
        const QFont fitted = wide > room.width()
                                 ? scaledFont(type, std::max(kSmallest, room.width() / wide * 0.97), type.weight())
                                 : type;
        painter.setFont(fitted);
        painter.drawText(QRectF(room.left(), top, room.width(), step), Qt::AlignLeft | Qt::AlignVCenter,
                         QFontMetricsF(fitted).elidedText(words, Qt::ElideRight, room.width()));
        top += step;
    }
}

// Paints the time of a collective under sequential as a bar: the part that is hidden here, then the exposed part.
void OperatorCanvas::paintHidden(QPainter& painter, std::uint32_t op, const QRectF& bar) const {
    const data::OperatorTime& time = policy().operators[op];
    const engine::Duration sequential = m_run->sequential.operators[op].time.total();
    const auto whole = static_cast<double>(std::max<std::int64_t>(1, std::max(sequential, time.time.total()).ps));
    const double exposed = static_cast<double>(time.time.total().ps) / whole;
    const QColor quiet = Palette::mixed(colors().surface, colors().of(Role::gemm), 0.45);
    paintFill(painter, bar, {quiet, colors().of(Role::reduceScatter), Texture::rising}, line() * 0.45);
    const QRectF right = bar.adjusted(bar.width() * (1 - exposed), 0, 0, 0);
    painter.fillRect(right, colors().of(Role::exposed));
    painter.setPen(QPen(colors().surface, 1));
    painter.drawLine(bar.topLeft(), bar.topRight());
}

// Paints the legend at the top right: the scale of the fill, and the two parts of a collective's bar.
void OperatorCanvas::paintScale(QPainter& painter) const {
    const QFontMetricsF metrics(font());
    painter.setFont(font());
    double right = width() - line() * 0.8;
    const double top = line() * 0.3;
    const auto label = [&](const QString& text) {
        const double wide = metrics.horizontalAdvance(text);
        right -= wide;
        painter.setPen(colors().inkSoft);
        painter.drawText(QRectF(right, top, wide + 1, line()), Qt::AlignLeft | Qt::AlignVCenter, text);
        right -= line() * 0.4;
    };
    const auto swatch = [&](double wide) {
        right -= wide;
        const QRectF box(right, top + line() * 0.2, wide, line() * 0.6);
        right -= line() * 0.4;
        return box;
    };
    label(tr("exposed"));
    painter.fillRect(swatch(line() * 1.4), colors().of(Role::exposed));
    right -= line() * 0.6;
    label(tr("hidden part of a collective"));
    paintFill(painter, swatch(line() * 1.4),
              {Palette::mixed(colors().surface, colors().of(Role::gemm), 0.45), colors().of(Role::reduceScatter),
               Texture::rising},
              line() * 0.45);
    right -= line() * 0.6;
    const bool exposed = m_colouring == OperatorColouring::exposed;
    label(exposed ? tr("exposed: %1 of the total").arg(formatShare(m_most))
                  : tr("%1 of the total time").arg(formatShare(m_most)));
    const QRectF box = swatch(line() * 4);
    QLinearGradient gradient(box.topLeft(), box.topRight());
    const QColor full = exposed ? colors().of(Role::exposed) : colors().of(Role::gemm);
    for (int i = 0; i <= 8; ++i)
        gradient.setColorAt(i / 8.0, Palette::mixed(colors().window, full, kFullTint * std::sqrt(i / 8.0)));
    painter.fillRect(box, gradient);
    label(tr("0"));
}

}  // namespace ui
