#pragma once

#include "ui/look/headlines.h"

#include <QWidget>

#include <vector>

namespace ui {

/// Shows the headlines of a run side by side, in numerals that can be read from the back of a lecture room, and the
/// differences from a pinned run.
class HeadlineStrip final : public QWidget {
    Q_OBJECT

public:
    explicit HeadlineStrip(QWidget* parent = nullptr);
    void showHeadlines(std::vector<Headline> headlines);
    /// Sets the headlines to compare with; empty: none.
    void compareWith(std::vector<Headline> pinned);
    /// Dims the headlines, because the shown run no longer belongs to the experiment.
    void setStale(bool stale);
    const std::vector<Headline>& headlines() const { return m_headlines; }
    /// Returns one difference for each headline while there is a run to compare with.
    const std::vector<Difference>& differences() const { return m_differences; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void compare();
    void paintHeadline(QPainter& painter, std::size_t i, const QRectF& box, const QFont& big, bool amounts) const;
    void paintRemark(QPainter& painter, std::size_t i, const QRectF& box, bool amounts) const;
    /// Returns whether cells of this width have room for amounts beside the percentages; either all differences show
    /// amounts or none.
    bool hasRoomForAmounts(double cell) const;

    std::vector<Headline> m_headlines;
    std::vector<Headline> m_pinned;
    std::vector<Difference> m_differences;
    bool m_stale = false;
};

}  // namespace ui
