#pragma once

#include "data/figure/figure_drawing.h"
#include "ui/inside/inside_layout.h"
#include "ui/shared/figure_offer.h"

#include <QPixmap>
#include <QWidget>

#include <cstdint>
#include <optional>

namespace ui {

class RingMoment;
class ViewState;
struct InsideLook;

/// What happens inside the GPU in focus at the moment of the time cursor, as T3's block diagram: compute units, cache,
/// tracker, memory channels with both streams, DMA engines and links, and what moves between them. The part that is
/// selected here is selected everywhere. Follows ViewState and RingMoment; holds nothing that plays.
/// Keys: arrows go from part to part; Enter goes in to the units of a part, where arrows go from unit to unit, and out
/// again; Page Up and Page Down choose the GPU.
class InsideView final : public QWidget {
    Q_OBJECT

public:
    /// Both must outlive the view.
    InsideView(ViewState& viewState, RingMoment& moment, QWidget* parent = nullptr);

    const InsideLayout& insideLayout() const { return m_layout; }
    std::uint32_t focusedGpu() const;
    QSize minimumSizeHint() const override;
    /// The same picture as shapes and words; nothing without a run. The view stays as it is.
    std::optional<data::DrawingMark> drawing();
    /// What the parts are doing, a sentence each.
    QString description() const;
    /// Returns what the view says of a part: its name, what it is, and its numbers.
    QString textOf(data::GpuPartRef ref) const;

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    bool hasRun() const;
    void relayout();
    void follow();  ///< the moment has changed
    void buildBackground();
    void paintBackground(QPainter& painter) const;
    void paintMoment(QPainter& painter) const;
    void paintHeader(QPainter& painter) const;
    void paintFoot(QPainter& painter) const;
    InsideLook look() const;
    std::uint32_t chunks() const;
    void choosePart(int key);
    void chooseUnit(int key);
    void enterOrLeave();

    ViewState& m_viewState;
    RingMoment& m_moment;
    InsideLayout m_layout;
    QPixmap m_background;
    QRectF m_header, m_foot;
    double m_line = 16;
    bool m_inShapes = false;  ///< painted for a figure
};

/// Inside one GPU at the moment of the cursor, or where there is none at the moment that says most (ring_moment.h), as a
/// figure in the colours of paper. Nothing without a run, and for the bounds, which move nothing.
std::optional<FigureOffer> insideFigure(const ViewState& viewState, const RingMoment& moment);

}  // namespace ui
