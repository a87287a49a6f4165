#pragma once

#include "data/replay/shown_run.h"
#include "ui/timeline/draw_list.h"
#include "ui/timeline/timeline_overlay.h"

#include <QColor>
#include <QCoreApplication>
#include <QImage>
#include <QLineF>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <memory>
#include <vector>

namespace ui {

/// A line through all rows where a run ends, and on it a plate with the first of `words` that there is room for.
struct EndMark {
    enum class Plate : std::uint8_t { top, foot };
    std::int64_t ps = 0;
    QStringList words;
    QColor color;
    Plate plate{};  ///< in the first row, which is mostly free where a run ends, or in the last
};
void paintEndMark(QPainter& painter, const TimelinePicture& picture, const EndMark& mark);

/// The edges of blocks, four lines each; two where they are too narrow to have sides.
std::vector<QLineF> edgesOf(const std::vector<DrawItem>& items);
/// The upper edge of what stands on `bottom` from `left` on, with one height for each `pixel`; the ground has none.
std::vector<QLineF> skylineOf(const std::vector<double>& heights, double left, double bottom, double pixel);

/// The pinned run as outlines over the rows of the shown one, row by row of the same GPU and kind, and a mark where it
/// ends. They are made into an image when zoom or layout change, written pixel by pixel (thousands of lines under a pen
/// take three frames), and copied otherwise.
class GhostOverlay final : public TimelineOverlay {
    Q_DECLARE_TR_FUNCTIONS(GhostOverlay)

public:
    /// Nothing: no ghost. `name`: what the mark at its end calls it; empty: the pinned run.
    void setPinned(std::shared_ptr<const data::ShownRun> run, const QString& name = {});
    bool hasPinned() const { return m_model.hasRun(); }
    std::int64_t end() const { return m_model.hasRun() ? m_model.end() : 0; }
    void paint(QPainter& painter, const TimelinePicture& picture) const override;

private:
    bool isCurrent(const TimelinePicture& picture) const;
    void rebuild(const TimelinePicture& picture) const;
    bool has(const Row& row) const;
    std::vector<QLineF> outlineOf(const PicturedRow& place, const PixelColumns& columns) const;
    void paintEnd(QPainter& painter, const TimelinePicture& picture) const;

    TimelineModel m_model;
    QString m_name;
    // What paint found out and may use again.
    mutable TimelineGeometry m_geometry;
    mutable std::vector<PicturedRow> m_rows;
    mutable QRectF m_clip;
    mutable Theme m_theme{};
    mutable QImage m_image;
    mutable bool m_stale = true;
};

}  // namespace ui
