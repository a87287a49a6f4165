#pragma once

#include "ui/look/palette.h"
#include "ui/look/timeline_geometry.h"

#include <QRectF>
#include <QString>

#include <cstdint>
#include <vector>

class QPainter;

namespace ui {

class TimelineLayout;

/// Draws what belongs to time and to no row: the ticks and the phases above the rows, the lines of the markers through
/// them, the cursor. Keeps the ticks and the words that fit until they are built again.
class TimelineAxis {
public:
    /// Measures ticks, phases and markers for the range and the size of `layout`.
    void build(const TimelineLayout& layout);
    const std::vector<Tick>& ticks() const { return m_ticks; }

    void paint(QPainter& painter, const TimelineLayout& layout, const Palette& colors) const;
    void paintMarkers(QPainter& painter, const TimelineLayout& layout, const Palette& colors) const;

private:
    struct PhaseItem {
        QRectF box;
        Role role;
        QString text;
    };
    struct Tag {
        double x;
        QRectF box;
        Role role;
        QString text;
    };

    void buildPhases(const TimelineLayout& layout);
    void buildTags(const TimelineLayout& layout);

    std::vector<Tick> m_ticks;
    std::vector<PhaseItem> m_phases;
    std::vector<Tag> m_tags;
};

/// Makes everything after the moment `ps` faint, because it has not happened yet. Where the moment itself is out of
/// sight to the left, the reader is looking around, and everything stays bright.
void paintFuture(QPainter& painter, const TimelineLayout& layout, const Palette& colors, std::int64_t ps);

/// Draws the cursor at the moment `ps` with its time in a bubble.
void paintCursor(QPainter& painter, const TimelineLayout& layout, const Palette& colors, std::int64_t ps,
                 std::int64_t runEnd);

}  // namespace ui
