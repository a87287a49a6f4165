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

/// Shows what happens inside the focused GPU at the time of the cursor, as T3's block diagram: compute units, cache,
/// tracker, memory channels with both streams, DMA engines and links, and the data that move between them. The selected
/// part is the selection of all views. Follows ViewState and RingMoment; has no playback state of its own. Keys: the
/// arrows go from part to part; Enter goes into the units of a part, where the arrows go from unit to unit, and out
/// again; Page Up and Page Down choose the GPU.
class InsideView final : public QWidget {
    Q_OBJECT

public:
    /// Both must outlive the view.
    InsideView(ViewState& viewState, RingMoment& moment, QWidget* parent = nullptr);

    const InsideLayout& insideLayout() const { return m_layout; }
    std::uint32_t focusedGpu() const;
    QSize minimumSizeHint() const override;
    /// Returns the picture as shapes and text; an empty optional without a run. The view is not changed.
    std::optional<data::DrawingMark> drawing();
    /// Describes what the parts are doing, in a sentence for each.
    QString description() const;
    /// Describes a part: its name, its meaning and its numbers.
    QString textOf(data::GpuPartRef ref) const;

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    bool hasRun() const;
    QString emptyHint() const;  ///< why the view shows no parts; empty if it shows them
    void relayout();
    void follow();  ///< updates the view after a move of the cursor
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
    bool m_inShapes = false;  ///< true while painting for a figure
};

/// Returns a figure of the inside of one GPU at the cursor, or without a cursor at the most informative time
/// (ring_moment.h), in the colours of paper. An empty optional without a run, and for bounds, which have no states.
std::optional<FigureOffer> insideFigure(const ViewState& viewState, const RingMoment& moment);

}  // namespace ui
