#pragma once

#include "ui/model/operator_facts.h"

#include <QFont>
#include <QPolygonF>
#include <QRectF>

namespace ui {

/// The mark of an operator in a roofline plot.
struct RooflineMark {
    std::size_t row = 0;  ///< index into the facts
    QPointF centre;
    double radius = 0;  ///< the area is proportional to the operator's time; marks have a least size
};

struct RooflineLabel {
    std::size_t row = 0;
    QRectF box;
    QString words;
};

/// The layout of a roofline plot: flops per byte to the right, rate upwards, both logarithmic.
class RooflineLayout {
public:
    /// The decimal logarithms of an axis' ends.
    struct Decades {
        double from = 0, to = 1;
        double shareOf(double logarithm) const { return (logarithm - from) / (to - from); }
    };

    RooflineLayout() = default;
    /// `line`: height of a line of text.
    RooflineLayout(const OperatorFacts& facts, const QRectF& plot, double line);

    const QRectF& plot() const { return m_plot; }
    const Decades& across() const { return m_across; }
    const Decades& up() const { return m_up; }
    /// Returns the marks, the longest operators first, so that smaller marks are painted over larger ones. Marks that
    /// would hide each other completely are moved apart a little.
    const std::vector<RooflineMark>& marks() const { return m_marks; }
    const RooflineMark* markOf(std::size_t row) const;
    QPointF at(double intensity, double rate) const;
    /// Returns the roof from the left end of the plot over the ridge to its right end.
    QPolygonF roof() const;
    /// The position of a label along the slope: its start, its angle, and boxes that cover its area.
    struct Along {
        QPointF from;
        double degrees = 0;
        std::vector<QRectF> boxes;
    };
    /// Returns the position nearest to the middle of the slope at which a label of width `wide` covers no mark; an
    /// empty optional if there is none.
    std::optional<Along> alongSlope(double wide) const;
    /// Returns the row of the mark under a point (the smallest of several) or of the nearest mark within a line of
    /// text.
    std::optional<std::size_t> rowAt(QPointF point) const;
    /// Returns the labels of the longest operators as far as they fit beside their marks, `chosen` first. They avoid
    /// `taken`.
    std::vector<RooflineLabel> labels(const OperatorFacts& facts, std::optional<std::size_t> chosen, const QFont& font,
                                      std::vector<QRectF> taken) const;

private:
    void reach(const OperatorFacts& facts);
    void placeMarks(const OperatorFacts& facts);

    QRectF m_plot;
    double m_line = 1;
    Decades m_across, m_up;
    engine::Roofline m_roof;
    std::vector<RooflineMark> m_marks;
};

}  // namespace ui
