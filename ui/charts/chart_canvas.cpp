#include "ui/charts/chart_canvas.h"

#include "ui/look/format.h"
#include "ui/look/palette.h"
#include "ui/look/plain_tip.h"
#include "ui/look/widget_parts.h"
#include "ui/shared/sweep_state.h"

#include <QApplication>
#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <utility>

namespace ui {
namespace {

constexpr double kReach = 0.7;    // lines of text: maximum distance between the mouse and a point under it
constexpr double kDimmed = 0.74;  // opacity of the overlay that dims points which are not brushed
constexpr double kMargin = 0.7;

}  // namespace

ChartCanvas::~ChartCanvas() = default;

ChartCanvas::ChartCanvas(SweepState& state, QWidget* parent) : QWidget(parent), m_state(state) {
    setNames(*this, QStringLiteral("chart-canvas"), tr("Chart of the sweep"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    connect(&m_state, &SweepState::tableChanged, this, &ChartCanvas::showTable);
    connect(&m_state, &SweepState::metricChanged, this, &ChartCanvas::forgetDrawing);
    connect(&m_state, &SweepState::brushedChanged, this, &ChartCanvas::forgetPicture);
    connect(&m_state, &SweepState::hoveredChanged, this, qOverload<>(&QWidget::update));
    onEvents(*this, {QEvent::Resize, QEvent::FontChange, QEvent::PaletteChange}, [this] { forgetDrawing(); });
    keepKeys(*this, [this](const QKeyEvent& key) {
        const bool clears = key.key() == Qt::Key_Escape && !m_state.brushed().empty();
        return drawing() != nullptr && isPlain(key) && (isArrow(key.key()) || isEnter(key.key()) || clears);
    });
    showTable();
}

QSize ChartCanvas::minimumSizeHint() const {
    const int line = fontMetrics().height();
    return {line * 18, line * 11};
}

void ChartCanvas::setSettings(const ChartSettings& settings) {
    if (settings == m_settings)
        return;
    m_settings = settings;
    forgetDrawing();
}

void ChartCanvas::showTable() {
    forgetDrawing();
    m_points = m_state.table() ? std::make_shared<const SweepPoints>(m_state.table()) : nullptr;
    describe();
}

void ChartCanvas::forgetDrawing() {
    m_drawing.reset();
    m_index = {};
    m_pointed.reset();
    forgetPicture();
}

void ChartCanvas::forgetPicture() {
    m_picture = {};
    update();
}

QString ChartCanvas::emptyText() const {
    if (!m_points)
        return tr("There is no sweep yet.\nPress the wave button beside a field of the experiment to vary its "
                  "parameter, or open a sweep; then run the sweep.");
    if (m_points->isEmpty())
        return tr("This sweep has no points.\nGive each axis at least one value.");
    const auto& rows = m_points->table().rows;
    const bool nothingRun = std::all_of(
        rows.begin(), rows.end(), [](const data::SweepRow& row) { return row.state == data::PointState::missing; });
    if (!nothingRun)
        return {};
    return (rows.size() == 1
                ? tr("The one point has not run yet.")
                : tr("None of the %1 points has run yet.").arg(formatCount(static_cast<qint64>(rows.size())))) +
           u'\n' + tr("Start the sweep; points appear here as they finish.");
}

std::optional<ChartInput> ChartCanvas::input() const {
    if (!emptyText().isEmpty() || m_points->table().metrics.empty())
        return std::nullopt;
    const std::size_t metric = std::min(m_state.metric(), m_points->table().metrics.size() - 1);
    return ChartInput{m_points, planChart(m_settings, m_points->table(), metric), metric, m_settings.scale,
                      m_settings.published};
}

std::optional<FigureOffer> ChartCanvas::figure() const {
    const std::optional<ChartInput> shown = input();
    return shown ? chartFigure(*shown) : std::nullopt;
}

const ChartDrawing* ChartCanvas::drawing() {
    if (!m_drawing)
        buildDrawing();
    return m_drawing.get();
}

void ChartCanvas::buildDrawing() {
    const std::optional<ChartInput> shown = input();
    if (!shown)
        return;
    m_style = {&paletteOf(*this), font(), QFontMetricsF(font()).height(), devicePixelRatioF()};
    m_drawing = makeDrawing(*shown, m_style);
    const double margin = m_style.line * kMargin;
    QRectF room = QRectF(rect()).adjusted(margin, margin, -margin, -margin * 0.6);
    m_legendRoom = room;
    m_legendRoom.setHeight(legendHeight(m_drawing->legend(), room.width(), m_style));
    room.setTop(m_legendRoom.bottom() + m_style.line * 0.4);
    room.setBottom(room.bottom() - notesHeight());
    m_drawing->layOut(room);
    // A layout may add notes, which need room; with less room it may add another one.
    for (int pass = 0; pass < 2 && notesRoom(notesHeight()).top() < room.bottom(); ++pass) {
        room.setBottom(notesRoom(notesHeight()).top());
        m_drawing->layOut(room);
    }
    m_index = TargetIndex(m_drawing->targets(), m_style.line * kReach);
    m_targetsByRow.clear();
    for (std::size_t target = 0; target < m_drawing->targets().size(); ++target)
        m_targetsByRow.emplace_back(m_drawing->targets()[target].row, target);
    std::sort(m_targetsByRow.begin(), m_targetsByRow.end());
}

double ChartCanvas::notesHeight() const {
    if (m_drawing->notes().isEmpty())
        return 0;
    const double margin = m_style.line * kMargin;
    const QRectF wide(0, 0, width() - margin * 2, 1e6);
    return QFontMetricsF(font()).boundingRect(wide, Qt::TextWordWrap, m_drawing->notes().join(u' ')).height() +
           m_style.line * 0.4;
}

QRectF ChartCanvas::notesRoom(double height) const {
    const double margin = m_style.line * kMargin;
    const double bottom = QRectF(rect()).bottom() - margin * 0.6;
    return {margin, bottom - height, width() - margin * 2, height};
}

void ChartCanvas::buildPicture() {
    m_picture = QPixmap(size() * devicePixelRatioF());
    m_picture.setDevicePixelRatio(devicePixelRatioF());
    m_picture.fill(paletteOf(*this).surface);
    if (m_picture.isNull())
        return;
    QPainter painter(&m_picture);
    painter.setFont(font());
    if (drawing() == nullptr) {
        paintEmpty(painter);
        return;
    }
    m_drawing->paint(painter);
    if (!m_state.brushed().empty())
        paintBrushed(painter);
    paintLegend(painter, m_legendRoom, m_drawing->legend(), m_style);
    paintNotes(painter);
}

void ChartCanvas::paintNotes(QPainter& painter) const {
    painter.setFont(font());
    painter.setPen(paletteOf(*this).inkSoft);
    painter.drawText(notesRoom(notesHeight()), Qt::TextWordWrap | Qt::AlignBottom, m_drawing->notes().join(u' '));
}

// Dims the plots and paints the brushed points again over them.
void ChartCanvas::paintBrushed(QPainter& painter) const {
    QColor dimming = paletteOf(*this).surface;
    dimming.setAlphaF(static_cast<float>(kDimmed));
    for (const QRectF& plot : m_drawing->plots())
        painter.fillRect(plot, dimming);
    painter.setRenderHint(QPainter::Antialiasing);
    for (const std::size_t row : m_state.brushed()) {
        for (const std::size_t target : targetsOf(row))
            m_drawing->paintTarget(painter, target, false);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
    m_drawing->paintAbove(painter);
}

void ChartCanvas::paintEmpty(QPainter& painter) const {
    const QString text = emptyText();
    const Palette& colors = paletteOf(*this);
    const double line = QFontMetricsF(font()).height();
    const QRectF room = QRectF(rect()).adjusted(line, line, -line, -line);
    const QRectF above(room.left(), room.top(), room.width(), room.height() / 2 - line * 0.3);
    painter.setFont(scaledFont(font(), 1.2, QFont::DemiBold));
    painter.setPen(colors.ink);
    painter.drawText(above, Qt::AlignHCenter | Qt::AlignBottom | Qt::TextWordWrap, text.section(u'\n', 0, 0));
    painter.setFont(font());
    painter.setPen(colors.inkSoft);
    painter.drawText(QRectF(room.left(), above.bottom() + line * 0.6, room.width(), room.height() / 2),
                     Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap, text.section(u'\n', 1));
}

void ChartCanvas::paintEvent(QPaintEvent*) {
    if (m_picture.size() != size() * devicePixelRatioF())
        buildPicture();
    QPainter painter(this);
    painter.drawPixmap(0, 0, m_picture);
    if (!m_drawing)
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    if (m_state.hovered()) {
        for (const std::size_t target : targetsOf(*m_state.hovered()))
            m_drawing->paintTarget(painter, target, true);
    }
    if (!m_band.isNull()) {
        QColor fill = m_style.colors->accent;
        painter.setPen(QPen(fill, 1));
        fill.setAlphaF(0.16F);
        painter.setBrush(fill);
        painter.drawRect(m_band);
    }
}

std::vector<std::size_t> ChartCanvas::targetsOf(std::size_t row) const {
    std::vector<std::size_t> targets;
    auto entry = std::lower_bound(m_targetsByRow.begin(), m_targetsByRow.end(), std::pair{row, std::size_t{0}});
    for (; entry != m_targetsByRow.end() && entry->first == row; ++entry)
        targets.push_back(entry->second);
    return targets;
}

std::optional<std::size_t> ChartCanvas::targetAt(QPointF position) {
    return drawing() == nullptr ? std::nullopt : m_index.at(position);
}

void ChartCanvas::pointAt(std::optional<std::size_t> target, QPoint global) {
    m_pointed = target;
    if (!target) {
        QToolTip::hideText();
        m_state.setHovered(std::nullopt);
        return;
    }
    const std::size_t row = m_drawing->targets()[*target].row;
    m_state.setHovered(row);
    QToolTip::showText(global, plainTip(m_points->describe(row)), this);
}

void ChartCanvas::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && drawing() != nullptr)
        m_pressed = event->position();
}

void ChartCanvas::mouseMoveEvent(QMouseEvent* event) {
    if (m_pressed) {
        const QPointF moved = event->position() - *m_pressed;
        if (moved.manhattanLength() >= QApplication::startDragDistance())
            m_band = QRectF(*m_pressed, event->position()).normalized();
        update();
        return;
    }
    pointAt(targetAt(event->position()), event->globalPosition().toPoint());
}

void ChartCanvas::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !m_pressed)
        return;
    std::vector<std::size_t> rows;
    drawing();  // rebuilds the chart if results have arrived since the button was pressed
    if (!m_band.isNull())
        rows = m_index.rowsWithin(m_band);
    else if (const auto target = targetAt(event->position()))
        rows.push_back(m_drawing->targets()[*target].row);
    if (event->modifiers().testFlag(Qt::ShiftModifier))
        rows.insert(rows.end(), m_state.brushed().begin(), m_state.brushed().end());
    m_pressed.reset();
    m_band = {};
    m_state.setBrushed(std::move(rows));
    update();
}

void ChartCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
    if (const auto target = targetAt(event->position()); target && event->button() == Qt::LeftButton)
        m_state.open(m_drawing->targets()[*target].row);
}

void ChartCanvas::leaveEvent(QEvent* event) {
    pointAt(std::nullopt, {});
    QWidget::leaveEvent(event);
}

void ChartCanvas::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Left: return step({-1, 0});
    case Qt::Key_Right: return step({1, 0});
    case Qt::Key_Up: return step({0, -1});
    case Qt::Key_Down: return step({0, 1});
    case Qt::Key_Escape:
        if (!m_state.brushed().empty())
            return m_state.setBrushed({});
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_state.hovered())
            return m_state.open(*m_state.hovered());
        break;
    default: break;
    }
    QWidget::keyPressEvent(event);
}

// Moves from the point of the mouse or of the last step to its neighbour; the first step goes to the first point.
void ChartCanvas::step(QPointF direction) {
    if (drawing() == nullptr || m_drawing->targets().empty())
        return;
    if (!m_pointed && m_state.hovered()) {
        const std::vector<std::size_t> targets = targetsOf(*m_state.hovered());
        if (!targets.empty())
            m_pointed = targets.front();
    }
    const auto next = m_pointed ? m_index.neighbour(*m_pointed, direction) : std::optional<std::size_t>(0);
    if (next)
        pointAt(next, mapToGlobal(m_drawing->targets()[*next].at.toPoint()));
}

void ChartCanvas::describe() {
    if (!m_points || m_points->isEmpty()) {
        setAccessibleDescription(emptyText());
        return;
    }
    std::size_t done = 0;
    std::size_t failed = 0;
    for (const data::SweepRow& row : m_points->table().rows) {
        done += row.state == data::PointState::done ? 1 : 0;
        failed += row.state == data::PointState::failed ? 1 : 0;
    }
    setAccessibleDescription(
        tr("%1 of %2 points are done, %3 failed. Arrow keys go from point to point, Enter opens one.")
            .arg(done)
            .arg(m_points->table().rows.size())
            .arg(failed));
}

}  // namespace ui
