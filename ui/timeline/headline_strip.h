#pragma once

#include "ui/shared/format.h"
#include "ui/shared/palette.h"

#include <QWidget>

#include <optional>
#include <vector>

namespace engine {
struct RunResult;
}

namespace ui {

/// One number of the strip.
struct Headline {
    QString title;
    Quantity quantity;
    QString remark;            ///< what the number is a part of
    QString brief;             ///< the same where there is little room
    std::optional<Role> role;  ///< the colour that stands for it in the timeline
};

/// Total, GEMM, reduce-scatter, all-gather, overlapped, exposed, speed-up: what people take home from a run.
std::vector<Headline> headlinesOf(const engine::RunResult& result);

/// Shows headlines side by side in numerals that can be read from the last row.
class HeadlineStrip final : public QWidget {
    Q_OBJECT

public:
    explicit HeadlineStrip(QWidget* parent = nullptr);
    void showHeadlines(std::vector<Headline> headlines);
    const std::vector<Headline>& headlines() const { return m_headlines; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void paintHeadline(QPainter& painter, const Headline& headline, const QRectF& box, const QFont& big) const;

    std::vector<Headline> m_headlines;
};

}  // namespace ui
