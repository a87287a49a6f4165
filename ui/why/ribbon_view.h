#pragma once

#include "ui/look/fill_legend.h"
#include "ui/look/ribbon_columns.h"
#include "ui/why/reason_chain.h"

#include <QImage>
#include <QStringList>
#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

namespace ui {

class ViewState;

/// The ribbon: the critical path of the run over the same time axis as the lanes below. Every pixel column shows for
/// which share of its time the run waited for each cause, and labels name causes that last long enough. A legend below
/// the band names the colours. The band is drawn into an image when the visible range changes; painting copies the
/// image. The wheel zooms and pans as in the timeline; the arrow keys go from link to link; a click or Enter asks for
/// the cause chain.
class RibbonView final : public QWidget {
    Q_OBJECT

public:
    /// `viewState` must outlive the ribbon.
    explicit RibbonView(ViewState& viewState, QWidget* parent = nullptr);

    /// Sets the run; null before the first one.
    void showRun(std::shared_ptr<const ReasonChain> chain);
    /// Aligns the ribbon with the lanes.
    void setExtent(double left, double width);
    /// Outlines the link that is selected in the cause chain.
    void setMarked(std::optional<data::TimeRange> marked);
    std::optional<data::TimeRange> marked() const { return m_marked; }
    const RibbonColumns& columns();
    const std::vector<RibbonStretch>& stretches();
    /// Returns the causes that the legend below the band names.
    QStringList legendNames();
    /// Returns why the ribbon is empty and what can be done about it; empty if it shows a critical path.
    QString emptyReason() const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    /// The user asked for the cause chain from this time backwards.
    void chainRequested(qint64 ps);
    /// The user moved the cursor to this time with the keys.
    void cursorRequested(qint64 ps);
    /// The user clicked the name beside the ribbon or the legend below it, to learn what the colours mean.
    void legendRequested();

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    TimelineGeometry geometry() const;
    QRectF band() const;
    QRectF legendRow() const;
    bool hasCauses() const { return m_chain && !m_chain->empty(); }
    QString summary() const;
    QString legend() const;
    void refresh();
    void build();
    void buildLegend();
    void step(int by);
    void goTo(std::int64_t ps);
    void speak(std::size_t link);
    void paintWords(QPainter& painter, const QRect& part) const;
    QRectF cursorBox() const;
    void paintCursor(QPainter& painter) const;
    void paintMarked(QPainter& painter) const;
    void paintEmpty(QPainter& painter) const;

    ViewState& m_viewState;
    std::shared_ptr<const ReasonChain> m_chain;
    double m_left = 0;
    double m_width = 1;
    std::optional<data::TimeRange> m_marked;
    bool m_stale = true;  // columns and image are older than run, range, size or theme
    RibbonColumns m_columns;
    std::vector<RibbonStretch> m_stretches;
    std::vector<FillLegendEntry> m_legend;
    QImage m_image;
    QRectF m_paintedCursor;
};

}  // namespace ui
