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
    return {title,   quantity, percent.isEmpty() ? QString() : percent + QLatin1Char(' ') + of,
            percent, role,     there ? std::optional(static_cast<double>(part.ps)) : std::nullopt};
}

QString withSign(double value, const QString& magnitude) {
    return (value < 0 ? QStringLiteral("−") : QStringLiteral("+")) + magnitude;
}

QFont scaled(QFont font, double factor, QFont::Weight weight) {
    font.setPointSizeF(font.pointSizeF() * factor);
    font.setWeight(weight);
    return font;
}

constexpr double kKeyWidth = 13;  // of the colour's bar with what follows it
constexpr double kBesides = 4;

double marginOf(double cell, double line) { return cell < line * 8 ? 8 : 16; }

// Where a title finds no room: the field's own abbreviations.
QString briefTitleOf(const Headline& headline) {
    if (headline.role == Role::reduceScatter)
        return HeadlineStrip::tr("RS");
    if (headline.role == Role::allGather)
        return HeadlineStrip::tr("AG");
    return headline.title;
}

QFont differenceFont(const QFont& font) { return scaled(font, 0.95, QFont::DemiBold); }

}  // namespace

std::vector<Headline> headlinesOf(const engine::RunResult& result) {
    const auto tr = [](const char* text) { return HeadlineStrip::tr(text); };
    const engine::TimeResult& time = result.last.time;
    const bool exchanges = time.allToAll.ps > 0;
    const engine::Duration scatter = time.reduceScatter + time.allToAll;
    const engine::Duration communication = scatter + time.allGather;
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
            const engine::Duration sequential = result.isolated->gemm + result.isolated->reduceScatter +
                                                result.isolated->allGather + result.isolated->allToAll;
            against = tr("over sequential, %1").arg(formatTime(sequential.ps));
        }
    }
    const QString ofTotal = tr("of the total");
    std::vector<Headline> headlines{
        {tr("Total"), timeQuantity(time.total.ps), tr("one sub-layer, one GPU"), tr("one sub-layer"), std::nullopt,
         static_cast<double>(time.total.ps)},
        share(tr("GEMM"), time.gemm, time.total, ofTotal, computes, Role::gemm),
        share(exchanges ? tr("All-to-all") : tr("Reduce-scatter"), scatter, time.total, ofTotal, scatter.ps > 0,
              Role::reduceScatter),
        share(tr("All-gather"), time.allGather, time.total, ofTotal, time.allGather.ps > 0, Role::allGather),
        share(tr("Overlapped"), time.overlapped, gatherHid ? scatter : communication,
              gatherHid ? tr("of the RS") : tr("of communication"), computes, Role::overlapped),
        share(tr("Exposed"), time.exposedCommunication, time.total, ofTotal, computes, Role::exposed),
        {tr("Speed-up"), speedup, against, tr("over sequential"), std::nullopt, result.speedupOverSequential, true,
         true},
    };
    headlines[4].moreIsBetter = true;  // what overlaps costs nothing
    return headlines;
}

Difference differenceOf(const Headline& shown, const Headline& pinned) {
    if (!shown.number || !pinned.number)
        return {HeadlineStrip::tr("not in both runs"), QStringLiteral("–"), Difference::Verdict::none};
    const double more = *shown.number - *pinned.number;
    if (more == 0)
        return {HeadlineStrip::tr("no difference"), QStringLiteral("="), Difference::Verdict::none};
    const QString arrow = more > 0 ? QStringLiteral("▲ ") : QStringLiteral("▼ ");
    const QString amount = shown.isRatio ? QString::number(std::abs(more), 'f', 3) + QStringLiteral("×")
                                         : formatTime(std::llround(std::abs(more)), 3);
    Difference difference;
    if (*pinned.number > 0) {
        const double percent = 100 * std::abs(more) / *pinned.number;
        // Three digits are enough to tell and few enough to be read at a glance.
        const int decimals = percent < 1 ? 2 : percent < 100 ? 1 : 0;
        difference.brief = arrow + withSign(more, QString::number(percent, 'f', decimals)) + QStringLiteral("\u00a0%");
        difference.text = difference.brief + QStringLiteral("  ") + withSign(more, amount);
    } else {
        difference.text = difference.brief = arrow + withSign(more, amount);
    }
    difference.verdict = (more > 0) == shown.moreIsBetter ? Difference::Verdict::better : Difference::Verdict::worse;
    return difference;
}

HeadlineStrip::HeadlineStrip(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("headlines"));
    setAccessibleName(tr("Headline numbers"));
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
    QStringList spoken, lines;
    for (std::size_t i = 0; i < m_headlines.size(); ++i) {
        QString words = m_headlines[i].title + QLatin1Char(' ') + m_headlines[i].quantity.text();
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
    setToolTip(lines.join(QLatin1Char('\n')));
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
        if (*headline.role == Role::overlapped) {  // both colours that overlap
            painter.fillRect(QRectF(key.left(), key.center().y(), key.width(), key.height() / 2),
                             colors.of(Role::reduceScatter));
        }
    }
    const double text = headline.role ? left + kKeyWidth : left;
    const double textWidth = headline.role ? width - kKeyWidth : width;
    painter.setFont(font());
    painter.setPen(colors.inkSoft);
    const bool titleFits = QFontMetricsF(font()).horizontalAdvance(headline.title) <= textWidth;
    painter.drawText(QRectF(text, top - line * 0.15, textWidth, line), Qt::AlignLeft | Qt::AlignVCenter,
                     titleFits ? headline.title : briefTitleOf(headline));
    painter.setFont(big);
    painter.setPen(m_stale ? colors.inkFaint : colors.ink);
    const QRectF number(text, top + line * 0.8, textWidth, line * 2);
    painter.drawText(number, Qt::AlignLeft | Qt::AlignVCenter, headline.quantity.value);
    const double after = QFontMetricsF(big).horizontalAdvance(headline.quantity.value) + 5;
    painter.setFont(scaled(font(), 1.2, QFont::Normal));
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
    painter.setFont(scaled(font(), 0.9, QFont::Normal));
    painter.setPen(colors.inkFaint);
    const bool fits = QFontMetricsF(painter.font()).horizontalAdvance(m_headlines[i].remark) <= box.width();
    painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter, fits ? m_headlines[i].remark : m_headlines[i].brief);
}

}  // namespace ui
