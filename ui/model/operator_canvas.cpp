#include "ui/model/operator_canvas.h"

#include "ui/look/widget_events.h"
#include "ui/look/widget_parts.h"
#include "ui/model/model_parts.h"
#include "ui/model/operator_text.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>

#include <algorithm>

namespace ui {
namespace {

constexpr int kLeastColumn = 4;  // lines of text

bool isOwn(int key) { return isArrow(key) || isEnter(key) || key == Qt::Key_Home || key == Qt::Key_End; }

}  // namespace

OperatorCanvas::OperatorCanvas(QWidget* parent) : QWidget(parent) {
    setNames(*this, QStringLiteral("operatorGraph"), tr("Operators of a layer"));
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    onEvents(*this, {QEvent::Resize, QEvent::FontChange, QEvent::PaletteChange}, [this] { relayout(); });
    keepKeys(*this,
             [this](const QKeyEvent& key) { return isOwn(key.key()) && key.modifiers() == Qt::NoModifier && m_run; });
    tellAt(*this, [this](QPoint place) { return tipAt(place); });
}

QSize OperatorCanvas::minimumSizeHint() const {
    const int line = fontMetrics().height();
    return {line * 30, line * 8};
}

QSize OperatorCanvas::sizeHint() const {
    const int line = fontMetrics().height();
    return {std::max(30, m_layout.columns * kLeastColumn) * line, line * 24};
}

// The same operator stays selected where the new graph has it too.
void OperatorCanvas::showRun(std::shared_ptr<const data::ModelRun> run, std::size_t policy) {
    const std::string kept = m_selected && m_run ? m_run->graph.operators[*m_selected].id : std::string();
    m_run = std::move(run);
    m_policy = policy;
    m_selected.reset();
    if (m_run && !kept.empty()) {
        if (const engine::Operator* op = m_run->graph.find(kept))
            m_selected = static_cast<std::uint32_t>(op - m_run->graph.operators.data());
    }
    relayout();
    describe();
    Q_EMIT selectionChanged();
}

void OperatorCanvas::setColouring(OperatorColouring colouring) {
    m_colouring = colouring;
    relayout();
}

void OperatorCanvas::setStale(bool stale) {
    m_stale = stale;
    update();
}

void OperatorCanvas::select(std::optional<std::uint32_t> op) {
    if (m_selected == op)
        return;
    m_selected = op;
    describe();
    update();
    Q_EMIT selectionChanged();
}

// What a screen reader says is what the panel beneath shows.
void OperatorCanvas::describe() {
    if (!m_run)
        setAccessibleDescription({});
    else if (!m_selected)
        setAccessibleDescription(headlineOf(*m_run, policy()));
    else
        setAccessibleDescription(QString::fromStdString(m_run->graph.operators[*m_selected].title) +
                                 QStringLiteral(": ") +
                                 timeLines(*m_run, policy(), *m_selected).join(QStringLiteral("; ")));
}

double OperatorCanvas::shareOf(std::uint32_t op) const {
    const data::ModelTime& time = policy().operators[op].time;
    const engine::Duration counted = m_colouring == OperatorColouring::exposed ? time.exposed() : time.total();
    const auto total = static_cast<double>(policy().time.total().ps);
    const auto all = static_cast<double>(counted.ps) * static_cast<double>(m_run->graph.operators[op].count);
    return total > 0 ? all / total : 0;
}

void OperatorCanvas::relayout() {
    m_line = QFontMetricsF(font()).height();
    m_layout =
        m_run
            ? layoutOperators(m_run->graph,
                              QRectF(rect()).adjusted(m_line * 0.6, m_line * 1.6, -m_line * 0.6, -m_line * 0.3), m_line)
            : OperatorLayout{};
    m_most = 0;
    for (std::uint32_t op = 0; op < m_layout.boxes.size(); ++op)
        m_most = std::max(m_most, shareOf(op));
    update();
}

Tip OperatorCanvas::tipAt(QPoint place) const {
    const auto op = m_layout.at(place);
    if (!m_run || !op)
        return {};
    QStringList lines{QString::fromStdString(m_run->graph.operators[*op].title)};
    lines << timeLines(*m_run, policy(), *op) << QString::fromStdString(m_run->graph.operators[*op].formula);
    if (openedExperiment(*m_run, *op))
        lines << tr("Double click opens it in Explore.");
    lines.removeAll(QString());
    return {lines.join(QLatin1Char('\n')), m_layout.boxes[*op].toRect()};
}

void OperatorCanvas::walk(int key) {
    if (!m_selected) {
        select(0);
        return;
    }
    const int columns = key == Qt::Key_Left ? -1 : key == Qt::Key_Right ? 1 : 0;
    const int rows = key == Qt::Key_Up ? -1 : key == Qt::Key_Down ? 1 : 0;
    if (const auto next = m_layout.towards(*m_selected, columns, rows))
        select(next);
}

void OperatorCanvas::keyPressEvent(QKeyEvent* event) {
    if (!m_run || m_layout.boxes.empty() || !isOwn(event->key()) || event->modifiers() != Qt::NoModifier) {
        QWidget::keyPressEvent(event);
        return;
    }
    if (isArrow(event->key()))
        walk(event->key());
    else if (event->key() == Qt::Key_Home)
        select(0);
    else if (event->key() == Qt::Key_End)
        select(static_cast<std::uint32_t>(m_layout.boxes.size() - 1));
    else if (m_selected)
        Q_EMIT openRequested(*m_selected);
}

void OperatorCanvas::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton)
        select(m_layout.at(event->position()));
}

void OperatorCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
    const auto op = m_layout.at(event->position());
    if (event->button() == Qt::LeftButton && op)
        Q_EMIT openRequested(*op);
}

}  // namespace ui
