#pragma once

#include "data/evaluations/measured_answer.h"
#include "engine/api/parameters.h"

#include <QPolygonF>
#include <QString>
#include <QWidget>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace ui {

struct Palette;
struct Tip;

/// What a CorrelationChart shows.
struct CorrelationFacts {
    std::vector<data::MeasuredPair> pairs;  ///< `row` is the position of the row in the table
    std::vector<QString> texts;             ///< one for each pair: what a tool tip and a screen reader say
    std::string metric;                     ///< path of the metric, for the texts of axes
    QString empty{};                        ///< what is shown without pairs
};

/// Our numbers over the measured ones, both logarithmic: a mark for each row, with shape and colour by machine, the
/// line where both are equal, and a band of 10 % around it. A click or the arrow keys choose a mark; a double click or
/// Enter opens its run.
class CorrelationChart final : public QWidget {
    Q_OBJECT

public:
    explicit CorrelationChart(QWidget* parent = nullptr);

    /// Shows other facts. The chosen row stays chosen if it has a mark.
    void showFacts(CorrelationFacts facts);
    const CorrelationFacts& facts() const { return m_facts; }
    /// Returns the row of the chosen mark.
    std::optional<std::size_t> chosen() const { return m_chosen; }
    /// Chooses the mark of a row; none if the row has no mark.
    void choose(std::optional<std::size_t> row);
    /// Returns the position of a row's mark; an empty optional if it has none.
    std::optional<QPointF> markOf(std::size_t row) const;
    /// Returns the outline of the band within 10 % of equal numbers.
    QPolygonF band() const;
    QSize minimumSizeHint() const override;
    QSize sizeHint() const override;

Q_SIGNALS:
    /// The user chose another mark, or none.
    void chosenChanged();
    void openRequested(std::size_t row);

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;

private:
    double line() const;
    QRectF plot() const;
    bool hasRoom(const QRectF& room) const;
    double placeOf(double value, double from, double length) const;
    QPointF pointOf(const QRectF& room, double measured, double ours) const;
    std::optional<std::size_t> pairAt(QPointF point) const;
    std::vector<std::size_t> order() const;
    void chooseByHand(std::optional<std::size_t> row);
    void describe();
    Tip tipAt(QPoint place) const;
    void paintAxes(QPainter& painter, const QRectF& room, const Palette& colors) const;
    void paintMark(QPainter& painter, QPointF centre, std::size_t machine, const Palette& colors, double size) const;
    std::size_t legendRows() const;
    std::vector<double> ticks(double length) const;
    void paintLegend(QPainter& painter, const Palette& colors) const;

    CorrelationFacts m_facts;
    std::vector<std::string> m_machines;   // in the order of their first rows
    std::vector<std::size_t> m_machineOf;  // by pair: its place in m_machines
    double m_from = 1, m_to = 10;          // the ends of both axes, in base units
    std::optional<std::size_t> m_chosen;
};

}  // namespace ui
