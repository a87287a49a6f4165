#pragma once

#include "ui/drawing/range_picture.h"
#include "ui/look/texture.h"
#include "ui/measured/measured_set.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace ui {

/// A measured trace over time: for each rank a strip of compute, overlap and communication, and a row for each stream
/// with its kernels and copies. Where they are narrower than a pixel, a column shows one of them.
class MeasuredPicture final : public RangePicture {
    Q_OBJECT

public:
    /// `dense`: without a legend, as a row of the view Compare.
    explicit MeasuredPicture(bool dense, QWidget* parent = nullptr);

    void showSet(SharedMeasured set);
    const SharedMeasured& set() const { return m_set; }
    /// Sets the time at which the axis has its 0, in ps of the set.
    void setOrigin(std::int64_t origin);
    /// The spans that are to be simulated, which stand out.
    void showChoice(const data::MeasuredChoice& choice);
    const std::optional<data::MeasuredPlace>& selected() const { return m_selected; }
    void select(std::optional<data::MeasuredPlace> place);
    /// Returns the middle of the selected span's row; an empty optional if none is selected.
    std::optional<double> selectedY() const;
    TimelineGeometry geometry() const override;
    double ownGutter() const;
    void setLeastGutter(double least);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void selectedChanged();
    void gutterChanged();

protected:
    QString emptyText() const override;
    void layOut() override;
    std::vector<Part> parts() override;
    void paintBackground(QPainter& painter) override;
    void paintMoment(QPainter& painter, const QRegion& region) override;
    std::function<void()> actionOf(int key) override;
    QString spokenText() const override;
    /// The row of the view Compare follows the runs beneath it, which may last longer.
    bool isBounded() const override { return !m_dense; }
    void press(QPointF at) override { select(placeAt(at)); }
    void mouseDoubleClickEvent(QMouseEvent* event) override;

private:
    struct Box {
        double top = 0, height = 0;
    };

    std::int64_t startOf(const MeasuredRow& row, std::size_t index) const;
    std::int64_t endOf(const MeasuredRow& row, std::size_t index) const;
    double leastRow(double line) const;
    std::optional<std::size_t> rowAt(double y) const;
    std::optional<data::MeasuredPlace> placeAt(QPointF at) const;
    std::optional<std::pair<std::size_t, std::size_t>> findSelected() const;  ///< row, and index in it
    QString tipAt(QPointF at) const;
    void selectNearest(std::size_t row, std::int64_t ps);
    void walk(int key);
    void reveal();
    void zoomIn();
    void paintLabel(QPainter& painter, std::size_t row) const;
    void paintRow(QPainter& painter, std::size_t row) const;
    void paintStrip(QPainter& painter, std::size_t row) const;
    void paintAxis(QPainter& painter) const;
    void paintFrame(QPainter& painter, const data::MeasuredPlace& place, const QColor& color, double width) const;
    double spacing() const;

    bool m_dense;
    SharedMeasured m_set;
    std::vector<Box> m_boxes;
    double m_gutter = 0, m_leastGutter = 0, m_axis = 0;
    std::int64_t m_origin = 0;
    std::optional<data::MeasuredPlace> m_selected;
    data::MeasuredChoice m_choice;
};

}  // namespace ui
