#include "ui/model/class_bars.h"

#include "ui/look/format.h"
#include "ui/look/palette.h"
#include "ui/look/widget_parts.h"
#include "ui/model/model_parts.h"

#include <QFontMetricsF>
#include <QPaintEvent>
#include <QPainter>

#include <algorithm>

namespace ui {
namespace {

constexpr double kTop = 1.8;  // lines over the first bar, for the heading
constexpr double kSideMargin = 0.6;
constexpr double kNumbers = 7.4;  // lines to the right of the bars, for share and time
constexpr double kShareColumn = 3.1;

}  // namespace

ClassBars::ClassBars(QWidget* parent) : QWidget(parent) {
    setNames(*this, QStringLiteral("classBars"), tr("Time by class of operators"));
    setFocusPolicy(Qt::NoFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    showTipAt(*this, [this](QPoint place) {
        for (std::size_t i = 0; m_facts && i < m_facts->classes.size(); ++i) {
            if (std::abs(barOf(i).center().y() - place.y()) <= rowHeight() / 2)
                return Tip{spokenOf(m_facts->classes[i]).replace(QStringLiteral("; "), QStringLiteral("\n")), {}};
        }
        return Tip{};
    });
}

double ClassBars::line() const { return QFontMetricsF(font()).height(); }

QSize ClassBars::minimumSizeHint() const {
    const auto rows = m_facts ? static_cast<double>(m_facts->classes.size()) : 5.0;
    return {fontMetrics().height() * 26, static_cast<int>((kTop + rows * 1.3 + 0.4) * line())};
}

QSize ClassBars::sizeHint() const { return minimumSizeHint() * 1.15; }

void ClassBars::showFacts(std::shared_ptr<const OperatorFacts> facts) {
    const bool sameRows = m_facts && facts && m_facts->classes.size() == facts->classes.size();
    m_facts = std::move(facts);
    m_chosen.reset();
    QStringList rows;
    for (std::size_t i = 0; m_facts && i < m_facts->classes.size(); ++i)
        rows << spokenOf(m_facts->classes[i]);
    setAccessibleDescription(rows.join(QStringLiteral(". ")));
    if (!sameRows)
        updateGeometry();
    update();
}

void ClassBars::setStale(bool stale) {
    if (stale == m_stale)
        return;
    m_stale = stale;
    update();
}

void ClassBars::choose(std::optional<std::size_t> row) {
    m_chosen = row;
    update();
}

double ClassBars::rowHeight() const {
    const auto rows = static_cast<double>(std::max<std::size_t>(1, m_facts ? m_facts->classes.size() : 1));
    return std::clamp((height() - line() * (kTop + 0.4)) / rows, line() * 1.2, line() * 2.2);
}

double ClassBars::nameWidth() const {
    double widest = 0;
    for (const data::ClassTime& time : m_facts->classes)
        widest = std::max(widest, QFontMetricsF(strongFont(font())).horizontalAdvance(titleOf(time.operatorClass)));
    return widest + line() * 1.8;
}

QRectF ClassBars::barOf(std::size_t index) const {
    double longest = 0;
    for (const data::ClassTime& time : m_facts->classes)
        longest = std::max(longest, time.share);
    const double left = line() * kSideMargin + nameWidth();
    const double room = std::max(line(), width() - line() * (kNumbers + kSideMargin) - left);
    const double share = longest > 0 ? m_facts->classes[index].share / longest : 0;
    return {left, line() * kTop + rowHeight() * (static_cast<double>(index) + 0.15), room * share, rowHeight() * 0.7};
}

void ClassBars::paintEvent(QPaintEvent* event) {
    QPainter painter(this);
    const Palette& colors = paletteOf(*this);
    painter.fillRect(event->rect(), colors.surface);
    if (!m_facts)
        return;
    if (m_stale)
        painter.setOpacity(0.45);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(strongFont(font()));
    painter.setPen(colors.ink);
    painter.drawText(QRectF(line() * kSideMargin, line() * 0.3, width(), line() * 1.2),
                     Qt::AlignLeft | Qt::AlignVCenter, tr("Time by class of operators"));
    for (std::size_t index = 0; index < m_facts->classes.size(); ++index)
        paintRow(painter, index, colors);
}

void ClassBars::paintRow(QPainter& painter, std::size_t index, const Palette& colors) const {
    const data::ClassTime& time = m_facts->classes[index];
    const double unit = line();
    const QRectF bar = barOf(index);
    const QRectF row(0, bar.center().y() - rowHeight() / 2, width(), rowHeight());
    const bool holds = m_chosen && m_facts->at(*m_chosen).operatorClass == time.operatorClass;
    const Fill fill = fillOf(time.operatorClass, colors);
    painter.setPen(QPen(colors.ink, std::max(1.0, unit * 0.07)));
    painter.setBrush(fill.color);
    painter.drawPath(markPath(shapeOf(time.operatorClass), {unit * (kSideMargin + 0.5), bar.center().y()}, unit * 0.4));
    painter.setFont(holds ? strongFont(font()) : font());
    painter.setPen(colors.ink);
    painter.drawText(QRectF(unit * (kSideMargin + 1.2), row.top(), nameWidth(), row.height()),
                     Qt::AlignLeft | Qt::AlignVCenter, titleOf(time.operatorClass));
    paintFill(painter, bar, fill, unit * 0.5);
    if (holds && m_facts->points[*m_chosen].share > 0) {
        QRectF part = bar;
        part.setWidth(bar.width() * m_facts->points[*m_chosen].share / time.share);
        painter.setPen(QPen(colors.ink, std::max(2.0, unit * 0.15)));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(part);
    }
    painter.setPen(colors.ink);
    const double right = width() - unit * kSideMargin;
    painter.drawText(QRectF(right - unit * kNumbers, row.top(), unit * kShareColumn, row.height()),
                     Qt::AlignRight | Qt::AlignVCenter, formatShare(time.share));
    painter.drawText(
        QRectF(right - unit * (kNumbers - kShareColumn), row.top(), unit * (kNumbers - kShareColumn), row.height()),
        Qt::AlignRight | Qt::AlignVCenter, formatTime(time.work.time.ps));
}

}  // namespace ui
