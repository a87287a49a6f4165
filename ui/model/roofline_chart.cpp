#include "ui/model/roofline_chart.h"

#include "ui/look/widget_parts.h"

#include <QEvent>
#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>

#include <algorithm>

namespace ui {
namespace {}  // namespace

RooflineChart::RooflineChart(QWidget* parent) : QWidget(parent) {
    setNames(*this, QStringLiteral("rooflineChart"), tr("Operators under the machine's roofline"));
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    keepKeys(*this, [](const QKeyEvent& key) { return isStepKey(key.key()) && isPlain(key); });
    showTipAt(*this, [this](QPoint place) { return tipAt(place); });
}

double RooflineChart::line() const { return QFontMetricsF(font()).height(); }

QSize RooflineChart::minimumSizeHint() const { return QSize(26, 14) * fontMetrics().height(); }

QSize RooflineChart::sizeHint() const { return QSize(44, 24) * fontMetrics().height(); }

void RooflineChart::showFacts(std::shared_ptr<const OperatorFacts> facts) {
    const std::string kept = m_facts && m_chosen ? m_facts->at(*m_chosen).id : std::string();
    m_facts = std::move(facts);
    m_chosen = m_facts && !kept.empty() ? m_facts->rowOf(kept) : std::nullopt;
    relayout();
    describe();
    Q_EMIT chosenChanged();
}

void RooflineChart::setStale(bool stale) {
    if (stale == m_stale)
        return;
    m_stale = stale;
    update();
}

void RooflineChart::choose(std::optional<std::size_t> row) {
    if (row && (!m_facts || *row >= m_facts->points.size()))
        row.reset();
    if (row == m_chosen)
        return;
    m_chosen = row;
    describe();
    update();
    Q_EMIT chosenChanged();
}

// Gives screen readers the chosen operator, or the whole phase if none is chosen.
void RooflineChart::describe() {
    if (!m_facts)
        setAccessibleDescription({});
    else if (!m_chosen)
        setAccessibleDescription(headlineOf(*m_facts));
    else
        setAccessibleDescription(operatorRow(*m_facts, *m_chosen).spoken);
}

void RooflineChart::relayout() {
    const double unit = line();
    const double top = paintLegend(nullptr, paletteOf(*this)) + unit * 0.6;
    const QRectF plot(unit * 4.6, top, std::max(1.0, width() - unit * 5.4), std::max(1.0, height() - top - unit * 3));
    m_layout = m_facts ? RooflineLayout(*m_facts, plot, unit) : RooflineLayout();
    update();
}

void RooflineChart::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    relayout();
}

void RooflineChart::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        relayout();
}

Tip RooflineChart::tipAt(QPoint place) const {
    const auto row = m_facts ? m_layout.rowAt(place) : std::nullopt;
    return row ? Tip{operatorRow(*m_facts, *row).spoken.replace(QStringLiteral("; "), QStringLiteral("\n")), {}}
               : Tip{};
}

// The order is longest first: Right and Down go to shorter operators. If the chosen operator has no mark, the keys
// continue from its place in the order.
void RooflineChart::keyPressEvent(QKeyEvent* event) {
    const std::vector<RooflineMark>& marks = m_layout.marks();
    if (marks.empty() || !isStepKey(event->key()) || !isPlain(*event)) {
        QWidget::keyPressEvent(event);
        return;
    }
    const bool back = event->key() == Qt::Key_Left || event->key() == Qt::Key_Up;
    auto to = marks.begin();
    if (event->key() == Qt::Key_End) {
        to = marks.end() - 1;
    } else if (event->key() != Qt::Key_Home && m_chosen) {
        to = back ? std::ranges::lower_bound(marks, *m_chosen, {}, &RooflineMark::row)
                  : std::ranges::upper_bound(marks, *m_chosen, {}, &RooflineMark::row);
        if (back ? to != marks.begin() : to == marks.end())
            --to;
    }
    choose(to->row);
}

void RooflineChart::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton)
        choose(m_layout.rowAt(event->position()));
}

}  // namespace ui
