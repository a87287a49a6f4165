#pragma once

#include "ui/model/roofline_layout.h"

#include <QWidget>

namespace ui {

struct Tip;

/// The roofline plot of the page Operators: a mark for each operator that has flops, with an area by time and shape and
/// colour by class, under the machine's roof. A click or the arrow keys select a mark; Home and End select the longest
/// and the shortest operator, Escape (of the page) clears the selection.
class RooflineChart final : public QWidget {
    Q_OBJECT

public:
    explicit RooflineChart(QWidget* parent = nullptr);

    /// Shows facts of the page, or an empty chart if they are null. The selected operator stays selected if it still
    /// exists.
    void showFacts(std::shared_ptr<const OperatorFacts> facts);
    void setStale(bool stale);
    /// Returns the row of the selected operator, which may have no mark.
    std::optional<std::size_t> chosen() const { return m_chosen; }
    void choose(std::optional<std::size_t> row);
    const RooflineLayout& rooflineLayout() const { return m_layout; }
    QSize minimumSizeHint() const override;
    QSize sizeHint() const override;

Q_SIGNALS:
    void chosenChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    double line() const;
    void relayout();
    void describe();
    Tip tipAt(QPoint place) const;
    /// Paints the legend, or only measures it without a painter; returns its height.
    double paintLegend(QPainter* painter, const Palette& colors) const;
    void paintAxes(QPainter& painter, const Palette& colors) const;
    /// Paints the roof and returns the boxes of its labels.
    std::vector<QRectF> paintRoof(QPainter& painter, const Palette& colors) const;
    void paintMark(QPainter& painter, const RooflineMark& mark, const Palette& colors) const;
    void paintLabels(QPainter& painter, std::vector<QRectF> taken, const Palette& colors) const;

    std::shared_ptr<const OperatorFacts> m_facts;
    std::optional<std::size_t> m_chosen;
    RooflineLayout m_layout;
    bool m_stale = false;
};

}  // namespace ui
