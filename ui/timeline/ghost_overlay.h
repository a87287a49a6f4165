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

/// A line through all rows at the end of a run, and a plate on it with the first of `words` that fits.
struct EndMark {
    enum class Plate : std::uint8_t { top, foot };
    std::int64_t ps = 0;
    QStringList words;
    QColor color;
    /// In the first row, which is mostly empty at the end of a run, or so near to the foot that it covers no label.
    Plate plate{};
};
void paintEndMark(QPainter& painter, const TimelinePicture& picture, const EndMark& mark);

/// Returns the outlines of blocks: four lines each, or two for blocks too narrow to have sides.
std::vector<QLineF> edgesOf(const std::vector<DrawItem>& items);
/// Returns the outline of a profile that stands on `bottom` and begins at `left`, with one height for each `pixel`.
/// Where the height is 0 there is no line.
std::vector<QLineF> skylineOf(const std::vector<double>& heights, double left, double bottom, double pixel);

/// Draws the pinned run as outlines over the rows of the shown one, each row over the row of the same GPU and kind, and
/// a mark at its end. The outlines are drawn into an image when zoom or layout change, and the image is copied
/// otherwise. They are written pixel by pixel, because drawing thousands of lines with QPainter takes the time of three
/// frames.
class GhostOverlay final : public TimelineOverlay {
    Q_DECLARE_TR_FUNCTIONS(GhostOverlay)

public:
    /// Sets the pinned run; null: none. `name` is used for the mark at its end; empty: "the pinned run".
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
    // Cached by paint for the next call.
    mutable TimelineGeometry m_geometry;
    mutable std::vector<PicturedRow> m_rows;
    mutable QRectF m_clip;
    mutable Theme m_theme{};
    mutable QImage m_image;
    mutable bool m_stale = true;
};

}  // namespace ui
