#include "ui/machine/topology_paint.h"

#include "ui/look/format.h"
#include "ui/machine/machine_map.h"
#include "ui/machine/topology_facts.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

constexpr double kTokenShare = 0.36;     // not in the middle, where the chunk of the opposite direction would be
constexpr std::size_t kHairlines = 300;  // with more links, all are thin lines

QString hintTr(const char* text) { return QCoreApplication::translate("Topology", text); }

double widthOf(const TopologyFacts& facts, std::uint32_t link, double line) {
    const double most = facts.topology().links.size() > kHairlines ? 0.06 : 0.2;
    return std::max(0.5, line * most * std::clamp(facts.widthShare(link), 0.35, 1.0));
}

QPen penOf(const TopologyFacts& facts, std::uint32_t link, const QColor& color, double width) {
    QPen pen(color, width, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin);
    if (facts.isSlow(link))
        pen.setDashPattern({4, 2.5});
    return pen;
}

QColor colorOf(const TopologyFacts& facts, std::uint32_t link, const Palette& colors) {
    const std::size_t hops = facts.usesRing() ? facts.hopsOver()[link].size() : 0;
    if (hops > 1)
        return colors.of(Role::exposed);
    return hops == 1 ? colors.of(Role::link) : Palette::mixed(colors.surface, colors.inkFaint, 0.55);
}

void paintArrow(QPainter& painter, const Way& way, double share, const QColor& color, double size) {
    const double step = std::min(0.02, 2 / std::max(1.0, way.length()));
    const QPointF tip = way.at(share);
    const QPointF tail = way.at(share - step);
    const double length = std::max(1e-9, std::hypot(tip.x() - tail.x(), tip.y() - tail.y()));
    const QPointF ahead = (tip - tail) / length * size;
    const QPointF side(-ahead.y(), ahead.x());
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawPolygon(QPolygonF{tip + ahead, tip - ahead * 0.6 + side * 0.8, tip - ahead * 0.6 - side * 0.8});
}

// Writes a label on an opaque background, so that no line runs through the text.
void paintLabel(QPainter& painter, QPointF centre, const QString& text, const QColor& ink, const PictureLook& look) {
    painter.setFont(look.font);
    const QFontMetricsF metrics(look.font);
    QRectF box(0, 0, metrics.horizontalAdvance(text) + look.line * 0.4, look.line * 1.1);
    box.moveCenter(centre);
    painter.setPen(Qt::NoPen);
    painter.setBrush(look.colors.surface);
    painter.drawRoundedRect(box, look.line * 0.2, look.line * 0.2);
    painter.setPen(ink);
    painter.drawText(box, Qt::AlignCenter, text);
}

void paintGroups(QPainter& painter, const MachineMap& map, const PictureLook& look) {
    for (std::size_t i = 0; i < map.groups.size(); ++i) {
        const QRectF& group = map.groups[i];
        painter.setPen(QPen(look.colors.line, 1));
        painter.setBrush(look.colors.stripe);
        painter.drawRoundedRect(group.adjusted(0.5, 0.5, -0.5, -0.5), look.line * 0.6, look.line * 0.6);
        painter.setFont(look.font);
        painter.setPen(look.colors.inkSoft);
        painter.drawText(group.adjusted(look.line * 0.6, look.line * 0.2, 0, 0), Qt::AlignLeft | Qt::AlignTop,
                         hintTr("node %1").arg(i));
    }
}

// Writes the bandwidth and latency of the links between the two nodes.
void paintSlowLabel(QPainter& painter, const TopologyFacts& facts, const MachineMap& map, const PictureLook& look) {
    if (map.groups.size() != 2)
        return;
    const auto& links = facts.topology().links;
    for (std::uint32_t link = 0; link < links.size(); ++link) {
        if (facts.topology().nodes[links[link].from].group == facts.topology().nodes[links[link].to].group)
            continue;
        const QPointF top((map.groups[0].right() + map.groups[1].left()) / 2, map.groups[0].top());
        paintLabel(painter, top + QPointF(0, look.line * 0.7), formatBandwidth(links[link].bandwidth), look.colors.ink,
                   look);
        paintLabel(painter, top + QPointF(0, look.line * 1.9), formatTime(links[link].latency.ps, 2),
                   look.colors.inkSoft, look);
        return;
    }
}

void paintSwitches(QPainter& painter, const TopologyFacts& facts, const MachineMap& map, const PictureLook& look) {
    for (std::size_t i = 0; i < map.switches.size(); ++i) {
        const QRectF& box = map.switches[i];
        painter.setPen(QPen(look.colors.inkFaint, 1));
        painter.setBrush(look.colors.window);
        painter.drawRoundedRect(box, box.height() / 2, box.height() / 2);
        const QString name = QString::fromStdString(facts.topology().nodes[facts.topology().gpus + i].name);
        painter.setFont(look.font);
        painter.setPen(look.colors.ink);
        const bool fits = QFontMetricsF(look.font).horizontalAdvance(name) < box.width() - look.line * 0.4;
        painter.drawText(box, Qt::AlignCenter, fits ? name : QStringLiteral("s%1").arg(i));
    }
}

}  // namespace

QPainterPath pathAlong(const std::vector<QPointF>& points) {
    QPainterPath path;
    path.addPolygon(QPolygonF(QList<QPointF>(points.begin(), points.end())));
    return path;
}

void paintTopology(QPainter& painter, const TopologyFacts& facts, const MachineMap& map, const PictureLook& look) {
    painter.setRenderHint(QPainter::Antialiasing);
    paintGroups(painter, map, look);
    // Links of the ring are painted over the others, and links that several hops share over both.
    const std::vector<std::vector<std::uint32_t>>& hops = facts.hopsOver();
    for (std::size_t most = 0; most <= 2; ++most) {
        for (std::uint32_t link = 0; link < map.links.size(); ++link) {
            const std::size_t own = facts.usesRing() ? std::min<std::size_t>(hops[link].size(), 2) : 0;
            if (map.links[link].empty() || own != most)
                continue;
            const double width = widthOf(facts, link, look.line) * (most > 0 ? 1.5 : 0.8);
            painter.strokePath(pathAlong(map.links[link].points()),
                               penOf(facts, link, colorOf(facts, link, look.colors), width));
            if (most > 0 && map.links[link].length() > look.line * 0.9)
                paintArrow(painter, map.links[link], 0.72, colorOf(facts, link, look.colors), look.line * 0.26);
        }
    }
    for (std::uint32_t link = 0; link < map.links.size(); ++link) {
        if (facts.usesRing() && facts.isShared(link) && !map.links[link].empty())
            paintLabel(painter, map.links[link].at(0.4), hintTr("%1 hops").arg(hops[link].size()), look.colors.ink,
                       look);
    }
    paintSlowLabel(painter, facts, map, look);
    paintSwitches(painter, facts, map, look);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void paintPickedLink(QPainter& painter, const MachineMap& map, std::uint32_t link, const PictureLook& look) {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.strokePath(pathAlong(map.links[link].points()),
                       QPen(look.colors.accent, look.line * 0.42, Qt::SolidLine, Qt::FlatCap));
    painter.strokePath(pathAlong(map.links[link].points()),
                       QPen(look.colors.surface, look.line * 0.16, Qt::SolidLine, Qt::FlatCap));
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void paintBusyLink(QPainter& painter, const TopologyFacts& facts, const MachineMap& map, std::uint32_t link,
                   std::optional<std::uint32_t> chunk, Role collective, const PictureLook& look) {
    const Way& way = map.links[link];
    const QColor color = look.colors.of(collective);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.strokePath(pathAlong(way.points()),
                       QPen(color, widthOf(facts, link, look.line) * 1.8, Qt::SolidLine, Qt::FlatCap));
    if (chunk) {
        const QFontMetricsF metrics(look.font);
        const QString text = QString::number(*chunk);
        QRectF box(0, 0, std::max(look.line, metrics.horizontalAdvance(text) + look.line * 0.4), look.line);
        box.moveCenter(way.at(kTokenShare));
        painter.setPen(QPen(look.colors.surface, 1));
        painter.setBrush(color);
        painter.drawRoundedRect(box, box.height() / 2, box.height() / 2);
        painter.setFont(look.font);
        painter.setPen(Palette::inkOn(color));
        painter.drawText(box, Qt::AlignCenter, text);
    }
    painter.restore();
}

}  // namespace ui
