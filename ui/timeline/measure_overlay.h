#pragma once

#include "ui/shared/measures.h"
#include "ui/timeline/timeline_overlay.h"

#include <QObject>

#include <cstdint>

class QMouseEvent;

namespace ui {

class TimelineView;

/// Draws the rulers and lets a hand move the ends of the current one, which snap to where spans begin and end.
class MeasureOverlay final : public QObject, public TimelineOverlay {
    Q_OBJECT

public:
    /// Both must outlive the overlay.
    MeasureOverlay(Measures& measures, TimelineView& view);

    void paint(QPainter& painter, const TimelinePicture& picture) const override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    enum class End : std::uint8_t { none, start, end };
    End endAt(QPointF position) const;
    bool press(const QMouseEvent& event);
    bool move(const QMouseEvent& event);
    void paintRuler(QPainter& painter, const TimelinePicture& picture, data::TimeRange range, bool current) const;

    Measures& m_measures;
    TimelineView& m_view;
    End m_dragged = End::none;
    std::int64_t m_other = 0;  // the end that stays while the dragged one moves
};

}  // namespace ui
