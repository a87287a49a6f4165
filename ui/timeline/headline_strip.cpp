#include "ui/timeline/headline_strip.h"

#include "ui/look/plain_tip.h"
#include "ui/look/widget_parts.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

constexpr double kKeyWidth = 13;  // of the coloured bar and the space after it
constexpr double kBesides = 4;
constexpr double kBeforeUnit = 5;
constexpr double kLargestNumber = 2.3;  // relative to the usual size of text, as are the next five
constexpr double kLargestUnit = 1.2;
constexpr double kLeastUnit = 0.85;
constexpr double kRemark = 0.9, kLeastRemark = 0.7, kRemarkStep = 0.04;  // sizes of the remark below a number

double advance(const QFont& font, const QString& text) { return QFontMetricsF(font).horizontalAdvance(text); }

double marginOf(double cell, double line) { return cell < line * 6 ? 4 : cell < line * 8 ? 8 : 16; }

QFont differenceFont(const QFont& font) { return scaledFont(font, 0.95, QFont::DemiBold); }

}  // namespace

HeadlineStrip::HeadlineStrip(QWidget* parent) : QWidget(parent) {
    setNames(*this, QStringLiteral("headlines"), tr("Headline numbers"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void HeadlineStrip::showHeadlines(std::vector<Headline> headlines) {
    m_headlines = std::move(headlines);
    compare();
}

void HeadlineStrip::compareWith(std::vector<Headline> pinned) {
    m_pinned = std::move(pinned);
    compare();
}

void HeadlineStrip::setStale(bool stale) {
    if (m_stale == stale)
        return;
    m_stale = stale;
    update();
}

void HeadlineStrip::compare() {
    m_differences.clear();
    QStringList spoken, tips, lines;
    for (std::size_t i = 0; i < m_headlines.size(); ++i) {
        QString words = m_headlines[i].shownTitle() + QLatin1Char(' ') + m_headlines[i].quantity.text();
        if (!m_headlines[i].tip.isEmpty())
            tips << m_headlines[i].tip;
        if (i < m_pinned.size()) {
            m_differences.push_back(differenceOf(m_headlines[i], m_pinned[i]));
            const Difference& difference = m_differences.back();
            const QString verdict = difference.verdict == Difference::Verdict::better  ? tr(", better")
                                    : difference.verdict == Difference::Verdict::worse ? tr(", worse")
                                                                                       : QString();
            words += QStringLiteral(": ") + difference.text + verdict;
            lines << tr("%1, pinned %2: %3%4")
                         .arg(words.section(QStringLiteral(": "), 0, 0), m_pinned[i].quantity.text(), difference.text,
                              verdict);
        }
        spoken << words;
    }
    setAccessibleDescription(spoken.join(QStringLiteral(", ")));
    setToolTip(plainTip((lines + tips).join(QLatin1Char('\n'))));
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
    // All numbers have the same size, the largest at which the longest number fits its cell.
    double value = 1, unit = 0;
    for (const Headline& headline : m_headlines) {
        value = std::max(value, advance(scaledFont(font(), kLargestNumber, QFont::DemiBold), headline.quantity.value));
        unit = std::max(unit, advance(scaledFont(font(), kLargestUnit, QFont::Normal), headline.quantity.unit));
    }
    const double room = cell - marginOf(cell, QFontMetricsF(font()).height()) - kBesides - kKeyWidth - kBeforeUnit;
    const double least = kLeastUnit / kLargestUnit;
    const double together = std::min(1.0, room / (value + unit));
    const double share = together >= least ? together : std::max(0.3, (room - unit * least) / value);
    const QFont big = scaledFont(font(), kLargestNumber * share, QFont::DemiBold);
    const bool amounts = hasRoomForAmounts(cell);
    for (std::size_t i = 0; i < m_headlines.size(); ++i) {
        paintHeadline(painter, i, QRectF(cell * static_cast<double>(i), 0, cell, height()), big, amounts);
    }
}

void HeadlineStrip::paintHeadline(QPainter& painter, std::size_t i, const QRectF& box, const QFont& big,
                                  bool amounts) const {
    const Headline& headline = m_headlines[i];
    const Palette& colors = paletteOf(*this);
    const double line = QFontMetricsF(font()).height();
    const double margin = marginOf(box.width(), line);
    const double left = box.left() + margin;
    const double width = box.width() - margin - kBesides;
    const double top = box.top() + line * 0.7;
    if (headline.role) {
        const QRectF key(left, top + 2, 5, line * 3.6);
        painter.fillRect(key, colors.of(*headline.role));
    }
    const double text = headline.role ? left + kKeyWidth : left;
    const double textWidth = headline.role ? width - kKeyWidth : width;
    painter.setFont(font());
    painter.setPen(colors.inkSoft);
    const bool titleFits = QFontMetricsF(font()).horizontalAdvance(headline.shownTitle()) <= textWidth;
    painter.drawText(QRectF(text, top - line * 0.15, textWidth, line), Qt::AlignLeft | Qt::AlignVCenter,
                     titleFits ? headline.shownTitle() : headline.briefTitle());
    painter.setFont(big);
    painter.setPen(m_stale ? colors.inkFaint : colors.ink);
    const QRectF number(text, top + line * 0.8, textWidth, line * 2);
    painter.drawText(number, Qt::AlignLeft | Qt::AlignVCenter, headline.quantity.value);
    const double after = QFontMetricsF(big).horizontalAdvance(headline.quantity.value) + kBeforeUnit;
    const double share = big.pointSizeF() / (font().pointSizeF() * kLargestNumber);
    painter.setFont(scaledFont(font(), std::max(kLeastUnit, kLargestUnit * share), QFont::Normal));
    painter.setPen(colors.inkSoft);
    const double baseline = number.center().y() + QFontMetricsF(big).capHeight() / 2;
    painter.drawText(QPointF(text + after, baseline), headline.quantity.unit);
    paintRemark(painter, i, QRectF(text, top + line * 2.85, textWidth, line), amounts);
}

bool HeadlineStrip::hasRoomForAmounts(double cell) const {
    const double line = QFontMetricsF(font()).height();
    const QFontMetricsF metrics(differenceFont(font()));
    return std::all_of(m_differences.begin(), m_differences.end(), [&](const Difference& difference) {
        return metrics.horizontalAdvance(difference.text) <= cell - marginOf(cell, line) - kBesides - kKeyWidth;
    });
}

void HeadlineStrip::paintRemark(QPainter& painter, std::size_t i, const QRectF& box, bool amounts) const {
    const Palette& colors = paletteOf(*this);
    if (i < m_differences.size()) {
        const Difference& difference = m_differences[i];
        painter.setFont(differenceFont(font()));
        painter.setPen(m_stale || difference.verdict == Difference::Verdict::none ? colors.inkFaint
                       : difference.verdict == Difference::Verdict::better        ? colors.better
                                                                                  : colors.error);
        painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter, amounts ? difference.text : difference.brief);
        return;
    }
    painter.setFont(scaledFont(font(), kRemark, QFont::Normal));
    painter.setPen(colors.inkFaint);
    const auto widthOf = [&](const QString& text) { return QFontMetricsF(painter.font()).horizontalAdvance(text); };
    const QString remark = widthOf(m_headlines[i].remark) <= box.width() ? m_headlines[i].remark : m_headlines[i].brief;
    // Tries smaller fonts before the remark is cut off, because it names the base of a percentage. Goes in steps,
    // because fonts come in whole pixels.
    for (double size = kRemark - kRemarkStep; widthOf(remark) > box.width() && size >= kLeastRemark;
         size -= kRemarkStep)
        painter.setFont(scaledFont(font(), size, QFont::Normal));
    const QFontMetricsF metrics(painter.font());
    painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(remark, Qt::ElideRight, box.width()));
}

}  // namespace ui
