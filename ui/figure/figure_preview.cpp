#include "ui/figure/figure_preview.h"

#include "ui/drawing/figure_style.h"
#include "ui/look/palette.h"
#include "ui/look/widget_parts.h"

#include <QEvent>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPainter>
#include <QResizeEvent>
#include <QScreen>

#include <algorithm>
#include <cmath>
#include <utility>

namespace ui {
namespace {

constexpr double kBeside = 24;  // points of paper at each side of the column
constexpr double kAbove = 20;   // and above and below
constexpr double kToCaption = 6;
constexpr double kCaption = 8;        // text size in points
constexpr double kAround = 16;        // widget coordinates around the sheet
constexpr int kLargestCached = 8192;  // largest cached picture in pixels; a larger one is painted each time

QFont captionFont(double scale, double dots) {
    QFont font(QStringLiteral("Ringside Sans"));
    font.setPointSizeF(std::max(1.0, kCaption * scale * 72 / dots));
    return font;
}

/// A field over a text of the figure. Escape leaves it, and the text stays as it was.
class InPlaceField final : public QLineEdit {
public:
    using QLineEdit::QLineEdit;

protected:
    void keyPressEvent(QKeyEvent* event) override {
        if (event->key() == Qt::Key_Escape)
            clearFocus();
        else
            QLineEdit::keyPressEvent(event);
    }
};

}  // namespace

PreviewPlaces previewPlaces(QSizeF page, double captionHeight, bool slide, FigureZoom zoom, double dots, QSizeF room) {
    PreviewPlaces places;
    const double beside = slide ? 0 : kBeside;
    const double above = slide ? 0 : kAbove;
    const double caption = slide || captionHeight <= 0 ? 0 : kToCaption + captionHeight;
    const QSizeF sheet(page.width() + beside * 2, page.height() + caption + above * 2);
    const double natural = dots / 72 * (zoom == FigureZoom::twice ? 2 : 1);
    const QSizeF inside(std::max(1.0, room.width() - kAround * 2), std::max(1.0, room.height() - kAround * 2));
    const double fitting = std::min(inside.width() / sheet.width(), inside.height() / sheet.height());
    places.scale = zoom == FigureZoom::fit ? std::max(0.1, fitting) : natural;
    const QSizeF size = sheet * places.scale;
    places.sheet = QRectF(QPointF(std::max(kAround, std::floor((room.width() - size.width()) / 2)),
                                  std::max(kAround, std::floor((room.height() - size.height()) / 2))),
                          size);
    places.figure = QRectF(places.sheet.topLeft() + QPointF(beside, above) * places.scale, page * places.scale);
    if (caption > 0)
        places.caption = QRectF(places.figure.bottomLeft() + QPointF(0, kToCaption * places.scale),
                                QSizeF(places.figure.width(), captionHeight * places.scale));
    return places;
}

/// The scrolled widget.
class FigurePreview::Sheet final : public QWidget {
public:
    explicit Sheet(FigurePreview& preview) : m_preview(preview) {
        setObjectName(QStringLiteral("figureSheet"));
        setAttribute(Qt::WA_OpaquePaintEvent);
        setMouseTracking(true);
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        m_preview.paintSheet(painter);
    }
    void mousePressEvent(QMouseEvent* event) override {
        if (event->button() == Qt::LeftButton)
            m_preview.press(event->position());
    }
    void mouseMoveEvent(QMouseEvent* event) override {
        if (event->buttons().testFlag(Qt::LeftButton))
            m_preview.drag(event->position());
        else
            m_preview.showCursor(event->position());
    }
    void mouseReleaseEvent(QMouseEvent* event) override {
        if (event->button() == Qt::LeftButton)
            m_preview.release(event->position());
    }
    void mouseDoubleClickEvent(QMouseEvent* event) override {
        if (event->button() == Qt::LeftButton)
            m_preview.doubleClick(event->position());
    }

private:
    FigurePreview& m_preview;
};

FigurePreview::FigurePreview(QWidget* parent) : QScrollArea(parent), m_sheet(new Sheet(*this)) {
    setNames(*this, QStringLiteral("figurePreview"), tr("Preview of the figure"));
    setFrameShape(QFrame::NoFrame);
    setWidget(m_sheet);
    onEvents(*this, {QEvent::PaletteChange, QEvent::FontChange}, [this] { m_sheet->update(); });
}

void FigurePreview::showFigure(std::shared_ptr<const ReadyFigure> figure) {
    endDrag();
    if (!figure)
        endPlacing();
    m_figure = std::move(figure);
    setAccessibleDescription(m_figure ? QString::fromStdString(m_figure->spec.alternative) : QString());
    place();
}

void FigurePreview::setZoom(FigureZoom zoom) {
    if (zoom == m_zoom)
        return;
    m_zoom = zoom;
    place();
    Q_EMIT zoomChanged();
}

QString FigurePreview::caption() const {
    if (!m_figure || m_figure->spec.size == data::FigureSize::slide || m_figure->spec.caption.empty())
        return {};
    return tr("Figure 1: %1").arg(QString::fromStdString(m_figure->spec.caption));
}

void FigurePreview::place() {
    m_picture = {};
    const QSizeF room = viewport()->size();
    const QSizeF page = m_figure ? m_figure->laidOut.list.page : QSizeF(240, 150);
    const double dots = screen() != nullptr ? screen()->logicalDotsPerInch() : 96;
    double height = 0;
    if (!caption().isEmpty()) {
        const QFontMetricsF metrics(captionFont(4, dots));  // large, so that rounding does not matter
        height =
            metrics.boundingRect(QRectF(0, 0, page.width() * 4, 1e6), Qt::TextWordWrap, caption()).height() / 4 + 1;
    }
    const bool slide = m_figure && m_figure->spec.size == data::FigureSize::slide;
    m_places = previewPlaces(page, height, slide, m_zoom, dots, room);
    const QSizeF whole(std::max(room.width(), m_places.sheet.right() + kAround),
                       std::max(room.height(), m_places.sheet.bottom() + kAround));
    m_sheet->resize(whole.toSize());
    m_sheet->update();
}

void FigurePreview::paintSheet(QPainter& painter) {
    const Palette& colours = paletteOf(*this);
    painter.fillRect(m_sheet->rect(), Palette::mixed(colours.window, colours.ink, 0.12));
    if (!m_figure)
        return;
    const ThemeStyle& style = styleOf(m_figure->spec.theme);
    const bool slide = m_figure->spec.size == data::FigureSize::slide;
    const QRectF& sheet = m_places.sheet;
    painter.fillRect(sheet.translated(2, 2), Palette::mixed(colours.window, QColor(Qt::black), 0.35));
    painter.fillRect(sheet, style.background);
    if (!slide) {
        // The edges of the column.
        painter.setPen(QPen(Palette::mixed(style.background, colours.accent, 0.45), 0, Qt::DashLine));
        for (const double x : {m_places.figure.left(), m_places.figure.right()})
            painter.drawLine(QPointF(x, sheet.top()), QPointF(x, m_places.figure.bottom()));
    }
    const double ratio = devicePixelRatioF();
    const QSize pixels = (m_places.figure.size() * ratio).toSize() + QSize(1, 1);
    const auto draw = [&](QPainter& onto) {
        onto.scale(m_places.scale, m_places.scale);
        onto.setRenderHint(QPainter::Antialiasing);
        paint(onto, m_figure->laidOut.list);
    };
    if (m_picture.isNull() && std::max(pixels.width(), pixels.height()) <= kLargestCached) {
        m_picture = QPixmap(pixels);
        m_picture.setDevicePixelRatio(ratio);
        m_picture.fill(style.background);
        QPainter onto(&m_picture);
        draw(onto);
    }
    if (!m_picture.isNull()) {
        painter.drawPixmap(m_places.figure.topLeft(), m_picture);
    } else {
        painter.save();
        painter.translate(m_places.figure.topLeft());
        draw(painter);
        painter.restore();
    }
    paintDrag(painter);
    if (m_places.caption.isEmpty())
        return;
    painter.setFont(captionFont(m_places.scale, screen()->logicalDotsPerInch()));
    painter.setPen(style.inkSoft);
    painter.drawText(m_places.caption.adjusted(0, 0, 1, 40), Qt::TextWordWrap, caption());
}

QRectF FigurePreview::onSheet(const QRectF& page) const {
    return {m_places.figure.topLeft() + page.topLeft() * m_places.scale, page.size() * m_places.scale};
}

void FigurePreview::placeNote(data::FigureAnnotation::Kind kind) {
    if (!m_figure)
        return;
    m_placing = kind;
    setFocus();
    m_sheet->setCursor(Qt::CrossCursor);
    Q_EMIT placingChanged();
}

void FigurePreview::endPlacing() {
    if (!m_placing)
        return;
    m_placing.reset();
    m_sheet->unsetCursor();
    Q_EMIT placingChanged();
}

void FigurePreview::endDrag() {
    m_moved.reset();
    m_pressed.reset();
    m_held.reset();
    m_sheet->update();
}

void FigurePreview::press(const QPointF& at) {
    setFocus();
    if (!m_figure)
        return;
    const QPointF page = onPage(at);
    m_moved = m_placing ? std::nullopt : noteAt(*m_figure, page);
    if ((m_placing && panelPointAt(*m_figure, page)) || m_moved)
        m_pressed = m_held = page;
}

void FigurePreview::drag(const QPointF& at) {
    if (!m_pressed)
        return;
    m_held = onPage(at);
    m_sheet->update();
}

void FigurePreview::release(const QPointF& at) {
    if (!m_pressed || !m_figure)
        return;
    const std::optional<PanelPoint> from = panelPointAt(*m_figure, *m_pressed);
    const std::optional<PanelPoint> to = panelPointAt(*m_figure, onPage(at));
    const std::optional<NotePlace> moved = m_moved;
    const auto placing = m_placing;
    const bool inPlace = QLineF(*m_pressed, onPage(at)).length() < 1;
    endDrag();
    if (!from || !to || from->panel != to->panel)
        return;
    if (moved && !inPlace) {
        Q_EMIT noteMoved(*moved, to->x - from->x, to->y - from->y);
    } else if (placing) {
        endPlacing();
        Q_EMIT notePlaced(*placing, *from, *to);
    }
}

void FigurePreview::doubleClick(const QPointF& at) {
    if (!m_figure || m_placing)
        return;
    if (const auto text = editableAt(*m_figure, onPage(at)))
        editText(*text);
}

void FigurePreview::showCursor(const QPointF& at) {
    if (m_placing || !m_figure)
        return;
    const QPointF page = onPage(at);
    if (noteAt(*m_figure, page))
        m_sheet->setCursor(Qt::SizeAllCursor);
    else if (editableAt(*m_figure, page))
        m_sheet->setCursor(Qt::IBeamCursor);
    else
        m_sheet->unsetCursor();
}

void FigurePreview::editText(const EditableText& text) {
    auto* field = new InPlaceField(text.text, m_sheet);
    setNames(*field, QStringLiteral("figureText"), text.what);
    const QRectF box = onSheet(text.box);
    const QSize size(std::max(static_cast<int>(box.width()) + 60, fontMetrics().averageCharWidth() * 24),
                     field->sizeHint().height());
    QRect place(QPoint(), size);
    place.moveCenter(box.center().toPoint());
    place.moveLeft(std::clamp(place.left(), 0, std::max(0, m_sheet->width() - size.width())));
    field->setGeometry(place);
    field->selectAll();
    field->show();
    field->setFocus();
    const auto end = [field] {
        field->disconnect();
        field->deleteLater();
    };
    connect(field, &QLineEdit::returnPressed, this, [this, field, text, end] {
        const QString value = field->text();
        end();
        setFocus();
        if (value != text.text)
            Q_EMIT textEdited(text, value);
    });
    connect(field, &QLineEdit::editingFinished, field, end);  // the focus is elsewhere: nothing changes
    keepKeys(*field, [](const QKeyEvent& key) { return key.key() == Qt::Key_Escape; });
}

void FigurePreview::paintDrag(QPainter& painter) const {
    if (!m_pressed || !m_held)
        return;
    painter.setPen(QPen(paletteOf(*this).accent, 1, Qt::DashLine));
    const QPointF from = m_places.figure.topLeft() + *m_pressed * m_places.scale;
    const QPointF to = m_places.figure.topLeft() + *m_held * m_places.scale;
    if (m_placing == data::FigureAnnotation::Kind::span)
        painter.drawRect(QRectF(QPointF(from.x(), m_places.figure.top()), QPointF(to.x(), m_places.figure.bottom())));
    else
        painter.drawLine(from, to);
}

void FigurePreview::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && (m_placing || m_pressed)) {
        endDrag();
        endPlacing();
        return;
    }
    QScrollArea::keyPressEvent(event);
}

void FigurePreview::resizeEvent(QResizeEvent* event) {
    QScrollArea::resizeEvent(event);
    place();
}

}  // namespace ui
