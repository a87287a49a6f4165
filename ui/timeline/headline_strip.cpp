#include "ui/timeline/headline_strip.h"

#include "engine/api/results.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

QString percentOf(engine::Duration part, engine::Duration whole) {
    if (whole.ps <= 0 || part.ps <= 0)
        return {};
    return formatPercent(static_cast<double>(part.ps) / static_cast<double>(whole.ps));
}

// A part of the run; `of` names the whole.
Headline share(const QString& title, engine::Duration part, engine::Duration whole, const QString& of, bool there,
               Role role) {
    const QString percent = there ? percentOf(part, whole) : QString();
    const Quantity quantity = there ? timeQuantity(part.ps) : Quantity{QStringLiteral("–"), {}};
    return {title, quantity, percent.isEmpty() ? QString() : percent + QLatin1Char(' ') + of, percent, role};
}

QFont scaled(QFont font, double factor, QFont::Weight weight) {
    font.setPointSizeF(font.pointSizeF() * factor);
    font.setWeight(weight);
    return font;
}

}  // namespace

std::vector<Headline> headlinesOf(const engine::RunResult& result) {
    const auto tr = [](const char* text) { return HeadlineStrip::tr(text); };
    const engine::TimeResult& time = result.last.time;
    const engine::Duration communication = time.reduceScatter + time.allGather;
    const bool computes = time.gemm.ps > 0;
    // All communication is the measure of what hid behind the GEMM. Under a CU split the all-gather hides as well, and
    // `overlapped` still counts the reduce-scatter alone; then that is the measure.
    const bool gatherHid = (time.overlapped + time.exposedCommunication).ps < communication.ps - time.allGather.ps / 2;
    Quantity speedup{QStringLiteral("–"), {}};
    QString against = tr("no sequential run to compare");
    if (result.speedupOverSequential) {
        speedup = {QString::number(*result.speedupOverSequential, 'f', 3), QStringLiteral("×")};
        against = tr("over sequential");
        if (result.isolated) {
            const engine::Duration sequential =
                result.isolated->gemm + result.isolated->reduceScatter + result.isolated->allGather;
            against = tr("over sequential, %1").arg(formatTime(sequential.ps));
        }
    }
    const QString ofTotal = tr("of the total");
    return {
        {tr("Total"), timeQuantity(time.total.ps), tr("one sub-layer, one GPU"), tr("one sub-layer"), std::nullopt},
        share(tr("GEMM"), time.gemm, time.total, ofTotal, computes, Role::gemm),
        share(tr("Reduce-scatter"), time.reduceScatter, time.total, ofTotal, time.reduceScatter.ps > 0,
              Role::reduceScatter),
        share(tr("All-gather"), time.allGather, time.total, ofTotal, time.allGather.ps > 0, Role::allGather),
        share(tr("Overlapped"), time.overlapped, gatherHid ? time.reduceScatter : communication,
              gatherHid ? tr("of the RS") : tr("of communication"), computes, Role::overlapped),
        share(tr("Exposed"), time.exposedCommunication, time.total, ofTotal, computes, Role::exposed),
        {tr("Speed-up"), speedup, against, tr("over sequential"), std::nullopt},
    };
}

HeadlineStrip::HeadlineStrip(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("headlines"));
    setAccessibleName(tr("Headline numbers"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void HeadlineStrip::showHeadlines(std::vector<Headline> headlines) {
    m_headlines = std::move(headlines);
    QStringList spoken;
    for (const Headline& headline : m_headlines)
        spoken << headline.title + QLatin1Char(' ') + headline.quantity.text();
    setAccessibleDescription(spoken.join(QStringLiteral(", ")));
    update();
}

QSize HeadlineStrip::sizeHint() const {
    return {900, static_cast<int>(std::ceil(QFontMetricsF(font()).height() * 5.1))};
}

QSize HeadlineStrip::minimumSizeHint() const { return {300, sizeHint().height()}; }

void HeadlineStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Palette& colors = paletteOf(*this);
    painter.fillRect(rect(), colors.surface);
    painter.fillRect(QRect(0, 0, width(), 1), colors.line);
    if (m_headlines.empty())
        return;
    const double cell = static_cast<double>(width()) / static_cast<double>(m_headlines.size());
    // One size for all: the largest at which the longest number fits its cell.
    QFont big = scaled(font(), 2.3, QFont::DemiBold);
    double longest = 1;
    for (const Headline& headline : m_headlines) {
        const double unit = QFontMetricsF(scaled(font(), 1.2, QFont::Normal)).horizontalAdvance(headline.quantity.unit);
        longest = std::max(longest, QFontMetricsF(big).horizontalAdvance(headline.quantity.value) + unit + 6);
    }
    const double room = cell - 34;
    if (longest > room)
        big = scaled(font(), std::max(1.1, 2.3 * room / longest), QFont::DemiBold);
    for (std::size_t i = 0; i < m_headlines.size(); ++i) {
        paintHeadline(painter, m_headlines[i], QRectF(cell * static_cast<double>(i), 0, cell, height()), big);
    }
}

void HeadlineStrip::paintHeadline(QPainter& painter, const Headline& headline, const QRectF& box,
                                  const QFont& big) const {
    const Palette& colors = paletteOf(*this);
    const double line = QFontMetricsF(font()).height();
    const double margin = box.width() < line * 8 ? 8 : 16;
    const double left = box.left() + margin;
    const double width = box.width() - margin - 4;
    const double top = box.top() + line * 0.7;
    if (headline.role) {
        const QRectF key(left, top + 2, 5, line * 3.6);
        painter.fillRect(key, colors.of(*headline.role));
        if (*headline.role == Role::overlapped) {  // both colours that overlap
            painter.fillRect(QRectF(key.left(), key.center().y(), key.width(), key.height() / 2),
                             colors.of(Role::reduceScatter));
        }
    }
    const double text = headline.role ? left + 13 : left;
    const double textWidth = headline.role ? width - 13 : width;
    painter.setFont(font());
    painter.setPen(colors.inkSoft);
    painter.drawText(QRectF(text, top - line * 0.15, textWidth, line), Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(headline.title, Qt::ElideRight, static_cast<int>(textWidth)));
    painter.setFont(big);
    painter.setPen(colors.ink);
    const QRectF number(text, top + line * 0.8, textWidth, line * 2);
    painter.drawText(number, Qt::AlignLeft | Qt::AlignVCenter, headline.quantity.value);
    const double after = QFontMetricsF(big).horizontalAdvance(headline.quantity.value) + 5;
    painter.setFont(scaled(font(), 1.2, QFont::Normal));
    painter.setPen(colors.inkSoft);
    const double baseline = number.center().y() + QFontMetricsF(big).capHeight() / 2;
    painter.drawText(QPointF(text + after, baseline), headline.quantity.unit);
    painter.setFont(scaled(font(), 0.9, QFont::Normal));
    painter.setPen(colors.inkFaint);
    const bool fits = painter.fontMetrics().horizontalAdvance(headline.remark) <= textWidth;
    const QString remark = painter.fontMetrics().elidedText(fits ? headline.remark : headline.brief, Qt::ElideRight,
                                                            static_cast<int>(textWidth));
    painter.drawText(QRectF(text, top + line * 2.85, textWidth, line), Qt::AlignLeft | Qt::AlignVCenter, remark);
}

}  // namespace ui
