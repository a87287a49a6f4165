#include "ui/drawing/part_picture.h"

#include "ui/look/drawing_recorder.h"
#include "ui/look/partial_paint.h"
#include "ui/look/widget_parts.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPaintEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <utility>

namespace ui {
namespace {

constexpr int kEdge = 2;  // within a box that grows or shrinks: an edge that moves and a line on it change
// Beyond this, everything is repainted: the time to build a region grows with the square of its rectangles, from 0.7 ms
// for 512 to 25 ms for 4096.
constexpr int kManyRects = 512;

}  // namespace

PartPicture::PartPicture(PartPictureConfig config, QWidget* parent) : QWidget(parent), m_config(std::move(config)) {
    setNames(*this, m_config.name, m_config.spoken);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(m_config.tipsAtOnce);
    setAttribute(Qt::WA_OpaquePaintEvent);
    onEvents(*this, {QEvent::Resize, QEvent::FontChange, QEvent::PaletteChange}, [this] { relayout(); });
    onEvents(*this, {QEvent::Show}, [this] { m_stale ? relayout() : follow(); });
    keepKeys(*this, [this](const QKeyEvent& key) { return wantedBy(key) != nullptr; });
    showTipAt(*this, [this](QPoint at) -> Tip {
        const auto part = partAt(at);
        return part && part->tip ? Tip{part->tip(at), part->box.toAlignedRect()} : Tip{};
    });
}

QSize PartPicture::minimumSizeHint() const { return m_config.least * fontMetrics().height(); }

std::function<void()> PartPicture::actionOf(int) { return {}; }

double PartPicture::snapped(double value) const { return std::round(value * ratio()) / ratio(); }

void PartPicture::relayout() {
    m_stale = true;
    repaintAll();
}

void PartPicture::repaintAll() {
    m_background = {};
    m_now.reset();
    m_painted.reset();
    if (isVisible())
        follow();
}

void PartPicture::layOutNow() {
    m_stale = false;
    m_line = QFontMetricsF(font()).height();
    layOut();
}

void PartPicture::follow() {
    m_now.reset();
    if (!isVisible())
        return;
    if (m_stale)
        layOutNow();
    const bool empty = isEmpty();
    setAccessibleDescription(empty ? QString() : spokenText());
    if (!empty)
        m_now = states();
    if (empty || !m_painted || m_now->empty())
        update();
    else
        update(changesTo(*m_now));
}

QRegion PartPicture::changesTo(const std::vector<PartState>& now) const {
    QRegion changes;
    const std::vector<PartState>& before = *m_painted;
    for (std::size_t i = 0; i < std::max(before.size(), now.size()); ++i) {
        const PartState was = i < before.size() ? before[i] : PartState{};
        const PartState is = i < now.size() ? now[i] : PartState{};
        if (was == is)
            continue;
        QRegion damage = QRegion(damageOf(was.box)) + damageOf(is.box);
        if (was.state == is.state) {
            const auto inwards = [](double a, double b) { return a == b ? -kEdge : kEdge; };
            damage -=
                (was.box & is.box)
                    .toAlignedRect()
                    .adjusted(inwards(was.box.left(), is.box.left()), inwards(was.box.top(), is.box.top()),
                              -inwards(was.box.right(), is.box.right()), -inwards(was.box.bottom(), is.box.bottom()));
        }
        changes += damage;
        if (changes.rectCount() > kManyRects)
            return rect();
    }
    return changes;
}

std::optional<Part> PartPicture::partAt(QPointF at) {
    if (isEmpty())
        return std::nullopt;
    std::vector<Part> all = parts();
    const auto found = std::ranges::find_if(all, [at](const Part& part) { return part.box.contains(at); });
    return found == all.end() ? std::nullopt : std::optional(std::move(*found));
}

void PartPicture::paintEvent(QPaintEvent* event) {
    if (m_stale)
        layOutNow();
    QPainter painter(this);
    if (isEmpty()) {
        painter.fillRect(rect(), colors().surface);
        painter.setPen(colors().inkSoft);
        painter.drawText(QRectF(rect()).adjusted(m_line, 0, -m_line, 0), Qt::AlignCenter | Qt::TextWordWrap,
                         emptyText());
        return;
    }
    if (m_background.size() != size() * devicePixelRatioF())
        buildBackground();
    for (const QRect& part : event->region())
        copyPixels(painter, {}, m_background, pixelsOf(part, devicePixelRatioF()));
    if (!m_now)
        m_now = states();
    m_painted = m_now;
    paintMoment(painter, event->region());
}

void PartPicture::buildBackground() {
    m_background = QImage(size() * devicePixelRatioF(), QImage::Format_RGB32);
    m_background.setDevicePixelRatio(devicePixelRatioF());
    m_background.fill(colors().surface);
    QPainter painter(&m_background);
    painter.setFont(font());
    paintBackground(painter);
}

std::optional<data::DrawingMark> PartPicture::drawing() {
    m_inShapes = true;
    layOutNow();
    std::optional<data::DrawingMark> drawing;
    if (!isEmpty()) {
        states();
        drawing = recordedDrawing(size(), font(), [this](QPainter& painter) {
            paintBackground(painter);
            paintMoment(painter, rect());
        });
    }
    m_inShapes = false;
    relayout();
    return drawing;
}

std::function<void()> PartPicture::wantedBy(const QKeyEvent& key) {
    return isPlain(key) && !isEmpty() ? actionOf(key.key()) : std::function<void()>();
}

void PartPicture::keyPressEvent(QKeyEvent* event) {
    if (const auto action = wantedBy(*event))
        action();
    else
        QWidget::keyPressEvent(event);
}

void PartPicture::mousePressEvent(QMouseEvent* event) {
    m_pressed = event->button() == Qt::LeftButton ? partAt(event->position()) : std::nullopt;
    if (!m_pressed)
        return QWidget::mousePressEvent(event);
    if (m_pressed->press)
        m_pressed->press(event->position());
}

void PartPicture::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons().testFlag(Qt::LeftButton)) {
        if (m_pressed && m_pressed->drag)
            m_pressed->drag(event->position());
    } else if (m_config.tipsAtOnce) {
        const auto part = partAt(event->position());
        QToolTip::showText(event->globalPosition().toPoint(),
                           part && part->tip ? part->tip(event->position()) : QString(), this);
    }
}

void PartPicture::mouseDoubleClickEvent(QMouseEvent* event) {
    const auto part = event->button() == Qt::LeftButton ? partAt(event->position()) : std::nullopt;
    if (part && part->open)
        part->open();
    else
        QWidget::mouseDoubleClickEvent(event);
}

}  // namespace ui
