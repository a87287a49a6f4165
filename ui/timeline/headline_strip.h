#pragma once

#include "ui/look/headlines.h"

#include <QWidget>

#include <vector>

namespace ui {

/// Shows headlines side by side in numerals that can be read from the last row; beside those of a pinned run, what
/// differs.
class HeadlineStrip final : public QWidget {
    Q_OBJECT

public:
    explicit HeadlineStrip(QWidget* parent = nullptr);
    void showHeadlines(std::vector<Headline> headlines);
    /// None: there is nothing to compare with.
    void compareWith(std::vector<Headline> pinned);
    /// What is shown is no longer what is asked for: it stays, but faint.
    void setStale(bool stale);
    const std::vector<Headline>& headlines() const { return m_headlines; }
    /// One for each headline while there is something to compare with.
    const std::vector<Difference>& differences() const { return m_differences; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void compare();
    void paintHeadline(QPainter& painter, std::size_t i, const QRectF& box, const QFont& big, bool amounts) const;
    void paintRemark(QPainter& painter, std::size_t i, const QRectF& box, bool amounts) const;
    /// Of differences as well as percent: of all of them, or of none.
    bool hasRoomForAmounts(double cell) const;

    std::vector<Headline> m_headlines;
    std::vector<Headline> m_pinned;
    std::vector<Difference> m_differences;
    bool m_stale = false;
};

}  // namespace ui
