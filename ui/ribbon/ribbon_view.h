#pragma once

#include "ui/look/ribbon_columns.h"
#include "ui/ribbon/reason_chain.h"

#include <QImage>
#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

namespace ui {

class ViewState;

/// Why the run's end did not come sooner, over the same time as the lanes beneath: every pixel of the width shows by
/// which share of its time each cause held the run up, and words stand where one cause lasts. Drawn into an image when
/// what is in sight changes; painting copies it.
/// The wheel and the arrows move as they do in the timeline; a click or Enter asks for the chain of reasons.
class RibbonView final : public QWidget {
    Q_OBJECT

public:
    /// `viewState` must outlive the ribbon.
    explicit RibbonView(ViewState& viewState, QWidget* parent = nullptr);

    /// Null: no run yet.
    void showRun(std::shared_ptr<const ReasonChain> chain);
    /// Lines it up with the lanes.
    void setExtent(double left, double width);
    /// Outlines what the chain's reader looks at.
    void setMarked(std::optional<data::TimeRange> marked);
    std::optional<data::TimeRange> marked() const { return m_marked; }
    const RibbonColumns& columns();
    const std::vector<RibbonStretch>& stretches();
    /// Why it is empty and what can be done; empty while it shows something.
    QString emptyReason() const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    /// Somebody wants to know why, from this moment backwards.
    void chainRequested(qint64 ps);
    /// The keys went to this moment.
    void cursorRequested(qint64 ps);
    /// The name beside the ribbon was clicked: what do its colours mean?
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
    bool hasCauses() const { return m_chain && !m_chain->empty(); }
    QString summary() const;
    QString legend() const;
    void refresh();
    void build();
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
    QImage m_image;
    QRectF m_paintedCursor;
};

}  // namespace ui
