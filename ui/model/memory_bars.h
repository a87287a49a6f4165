#pragma once

#include "ui/look/fill_legend.h"
#include "ui/model/memory_facts.h"

#include <QWidget>

#include <cstddef>
#include <optional>

namespace ui {

struct Tip;

/// The bars of the page Memory, one in each row: the bytes of the holders (weights, gradients, ...) are stacked and
/// differ in colour and texture, the total and the verdict follow at the end, and a line shows the capacity of a GPU. A
/// click or the arrow keys choose a bar.
class MemoryBars final : public QWidget {
    Q_OBJECT

public:
    explicit MemoryBars(QWidget* parent = nullptr);

    /// Shows other facts. The chosen bar stays chosen if there are as many bars of the same kind.
    void showFacts(MemoryFacts facts);
    const MemoryFacts& facts() const { return m_facts; }
    std::optional<std::size_t> chosen() const { return m_chosen; }
    void choose(std::optional<std::size_t> bar);
    /// Returns the rectangle of a holder in a bar, in the widget's coordinates; its width is 0 if the holder has no
    /// bytes.
    QRectF segment(std::size_t bar, std::size_t holder) const;
    /// Returns the x coordinate of the capacity's line; an empty optional if the capacity is unlimited or beyond the
    /// visible part.
    std::optional<double> capacityX() const;
    QSize minimumSizeHint() const override;
    QSize sizeHint() const override;

Q_SIGNALS:
    void chosenChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    /// Positions and sizes in pixels.
    struct Places {
        double line, top, row;  ///< heights of a line of text, of the part above the rows, of a row
        double names, left, right, totals,
            verdicts;  ///< x: of names; ends of the bars; right ends of totals and verdicts
        double bytes;  ///< number of bytes that fill the width of the bars
    };

    Places places() const;
    double legendHeight(double line) const;
    std::vector<FillLegendEntry> legend() const;
    double xOf(const Places& at, double bytes) const;
    std::optional<std::size_t> barAt(QPointF point) const;
    std::optional<std::size_t> holderAt(std::size_t bar, QPointF point) const;
    Tip tipAt(QPoint place) const;
    void describe();
    void paintAxis(QPainter& painter, const Places& at) const;
    void paintCapacity(QPainter& painter, const Places& at) const;
    void paintRow(QPainter& painter, std::size_t bar, const Places& at) const;
    void paintValues(QPainter& painter, std::size_t bar, const Places& at) const;
    void paintProblem(QPainter& painter, std::size_t bar, const Places& at) const;

    MemoryFacts m_facts;
    std::optional<std::size_t> m_chosen;
};

}  // namespace ui
