#include "ui/drawing/figure_canvas.h"

#include "data/figure/figure_table.h"
#include "ui/look/palette.h"
#include "ui/look/widget_parts.h"

#include <QEvent>
#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMetaMethod>
#include <QMouseEvent>
#include <QPaintEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace ui {
namespace {

constexpr double kNear = 1;           // lines: greatest distance between the pointer and the marker that it hits
constexpr double kFirst = 1e3;        // a marker under the pointer comes before those beside it
constexpr double kLeastPicture = 4;   // lines of text along a side
constexpr double kLeastRow = 1.25;    // lines of text
constexpr double kBesideRow = 0.4;    // lines: how far the band of a chosen row extends beyond its texts
constexpr double kMostCached = 8192;  // pixels of height
constexpr double kStale = 0.45;       // opacity

struct BoundsOf {
    QRectF operator()(const RectItem& item) const { return item.box; }
    QRectF operator()(const PolylineItem& item) const { return item.points.boundingRect(); }
    QRectF operator()(const PolygonItem& item) const { return item.points.boundingRect(); }
    QRectF operator()(const EllipseItem& item) const { return item.box; }
    QRectF operator()(const TextItem& item) const { return item.box(); }
    QRectF operator()(const ImageItem& item) const { return item.box; }
};

QRectF boundsOf(const DisplayItem& item) { return std::visit(BoundsOf(), item.shape); }

bool isValue(const DisplayItem& item) { return item.value && item.panel && item.part == FigurePart::mark; }

bool isMarker(const data::FigureSpec& figure, const DisplayItem& item) {
    return std::holds_alternative<data::LineMark>(figure.panels[*item.panel].marks[*item.mark]);
}

/// Returns the rows of the first mark's table in words.
QStringList tableWords(const data::FigureSpec& figure) {
    QStringList rows;
    const std::vector<data::FigureTable> tables = data::tablesOf(figure);
    for (std::size_t row = 0; !tables.empty() && row < tables.front().rows.size(); ++row) {
        QStringList cells;
        for (std::size_t i = 0; i < tables.front().columns.size(); ++i)
            cells << QString::fromStdString(tables.front().columns[i] + ": " + tables.front().rows[row][i]);
        rows << cells.join(QStringLiteral("; "));
    }
    return rows;
}

}  // namespace

FigureCanvas::FigureCanvas(const QString& name, const QString& spoken, QWidget* parent) : QWidget(parent) {
    setNames(*this, name, spoken);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setMouseTracking(true);
    keepKeys(*this, [this](const QKeyEvent& key) { return wants(key); });
    showTipAt(*this, [this](QPoint place) {
        const auto hit = hitAt(place);
        if (!hit)
            return Tip{};
        QString words = m_tipOf ? m_tipOf(*hit) : QString();
        if (const auto choice = choiceOf(*hit); words.isEmpty() && choice)
            words = QString(m_content.choices[qsizetype(*choice)]).replace(QStringLiteral("; "), QStringLiteral("\n"));
        const auto box = hit->series ? boxOf(hit->panel, hit->row, *hit->series) : std::nullopt;
        return Tip{words, box ? box->toAlignedRect() : QRect()};
    });
}

double FigureCanvas::line() const { return QFontMetricsF(font()).height(); }

void FigureCanvas::showContent(Content content) {
    if (content.choices.isEmpty())
        content.choices = tableWords(content.figure);
    if (content.choices.size() != m_content.choices.size())
        m_chosen.reset();
    m_content = std::move(content);
    m_pointed.reset();
    describe();
    updateGeometry();
    renew();
}

void FigureCanvas::setStale(bool stale) {
    if (stale == m_stale)
        return;
    m_stale = stale;
    update();
}

void FigureCanvas::setChoosing(Choosing choosing) {
    m_choosing = choosing;
    setFocusPolicy(choosing == Choosing::nothing ? Qt::NoFocus : Qt::StrongFocus);
}

bool FigureCanvas::wants(const QKeyEvent& key) const {
    return m_choosing != Choosing::nothing && isPlain(key) &&
           (isStepKey(key.key()) ||
            (isEnter(key.key()) && isSignalConnected(QMetaMethod::fromSignal(&FigureCanvas::opened))));
}

void FigureCanvas::choose(std::optional<std::size_t> choice) {
    if (choice && *choice >= static_cast<std::size_t>(m_content.choices.size()))
        choice.reset();
    if (choice == m_chosen)
        return;
    m_chosen = choice;
    describe();
    update();
    Q_EMIT chosenChanged();
}

// Gives screen readers the choice, or everything while nothing is chosen.
void FigureCanvas::describe() {
    setAccessibleDescription(m_chosen                      ? m_content.choices[qsizetype(*m_chosen)]
                             : m_content.summary.isEmpty() ? m_content.choices.join(QStringLiteral(". "))
                                                           : m_content.summary);
}

void FigureCanvas::renew() {
    m_laidOut.reset();
    m_picture = {};
    update();
}

const LaidOutFigure& FigureCanvas::laidOut() const {
    if (!m_laidOut) {
        const double pixels = font().pixelSize() > 0 ? font().pixelSize() : font().pointSizeF() * logicalDpiY() / 72;
        QSizeF room = size();
        if (m_content.square)
            room = QSizeF(std::min(room.width(), room.height()), std::min(room.width() * 1.1, room.height()));
        m_laidOut = layOut(m_content.figure, ScreenSheet{room, pixels, paletteOf(*this).theme, m_content.rows});
    }
    return *m_laidOut;
}

std::optional<QRectF> FigureCanvas::boxOf(std::size_t panel, std::size_t row, std::size_t series) const {
    QRectF box;
    for (const DisplayItem& item : laidOut().list.items) {
        if (isValue(item) && item.panel == panel && item.value == ItemValue{row, series})
            box = box.isNull() ? boundsOf(item) : box.united(boundsOf(item));
    }
    return box.isNull() ? std::nullopt : std::optional(box);
}

std::optional<FigureHit> FigureCanvas::hitAt(QPointF point) const {
    if (isTooSmall())
        return std::nullopt;
    std::optional<FigureHit> hit;
    double nearest = line() * kNear;
    for (const DisplayItem& item : laidOut().list.items) {
        if (!isValue(item))
            continue;
        const QRectF box = boundsOf(item);
        const QPointF away = box.center() - point;
        double distance = std::hypot(away.x(), away.y());
        if (!isMarker(m_content.figure, item))
            distance = box.contains(point) ? 0 : nearest + 1;
        else if (const double radius = box.width() / 2; distance <= radius)  // the smallest marker comes first
            distance = radius * 1e-3 + distance * 1e-6 - kFirst;
        if (distance > nearest)
            continue;
        nearest = distance;
        hit = FigureHit{*item.panel, item.value->row, item.value->series};
    }
    for (std::size_t panel = 0; !hit && panel < laidOut().panels.size(); ++panel) {
        const std::vector<QRectF>& rows = laidOut().panels[panel].rows;
        const auto found = std::ranges::find_if(rows, [&](const QRectF& row) { return row.contains(point); });
        if (found != rows.end())
            hit = FigureHit{panel, static_cast<std::size_t>(found - rows.begin()), std::nullopt};
    }
    return hit;
}

std::optional<std::size_t> FigureCanvas::choiceOf(const FigureHit& hit) const {
    std::size_t choice = hit.row;
    if (hit.panel < m_content.choiceOfRow.size() && !m_content.choiceOfRow[hit.panel].empty()) {
        if (hit.row >= m_content.choiceOfRow[hit.panel].size())
            return std::nullopt;
        choice = m_content.choiceOfRow[hit.panel][hit.row];
    }
    return choice < static_cast<std::size_t>(m_content.choices.size()) ? std::optional(choice) : std::nullopt;
}

bool FigureCanvas::isTooSmall() const {
    const double least = line() * kLeastPicture;
    return std::ranges::any_of(laidOut().panels, [&](const PanelPlace& panel) {
        return panel.rows.empty() && (panel.plot.width() < least || panel.plot.height() < least);
    });
}

QSize FigureCanvas::minimumSizeHint() const {
    double lines = 11;
    const std::vector<data::FigurePanel>& panels = m_content.figure.panels;
    // Panels with the same rows are side by side.
    if (m_content.rows && !panels.empty() && panels.front().categories == panels.back().categories) {
        const data::FigurePanel& panel = panels.front();
        const bool notes = !m_content.rows->heads.empty();
        const bool heads = notes || !panel.title.empty() || m_content.rows->columns.size() > 1;
        lines = 0.8 + (m_content.figure.legend == data::FigureLegend::none ? 0 : 2.4) + (heads ? 1.2 : 0) +
                (notes ? 1.6 : 0) + (panel.references.empty() ? 0 : 1.2) + (m_content.rows->axis ? 2.8 : 0) +
                kLeastRow * static_cast<double>(panel.categories.labels.size());
    }
    return {fontMetrics().height() * (m_content.rows ? 26 : m_content.leastWidth), static_cast<int>(lines * line())};
}

QSize FigureCanvas::sizeHint() const { return minimumSizeHint() * 1.15; }

void FigureCanvas::paintItems(QPainter& painter, const QRectF& within) const {
    DisplayList list;
    std::ranges::copy_if(laidOut().list.items, std::back_inserter(list.items), [&](const DisplayItem& item) {
        return item.part != FigurePart::background && boundsOf(item).adjusted(-1, -1, 1, 1).intersects(within);
    });
    ui::paint(painter, list);
}

// Thousands of rows in a scroll area are too large for a cached picture: only those are drawn that are visible.
void FigureCanvas::paintPicture(QPainter& painter, const QRectF& within) {
    const double scale = devicePixelRatioF();
    if (height() * scale > kMostCached)
        return paintItems(painter, within);
    if (m_picture.isNull() || m_picture.devicePixelRatio() != scale) {
        m_picture = QPixmap(size() * scale);
        m_picture.setDevicePixelRatio(scale);
        m_picture.fill(Qt::transparent);
        QPainter once(&m_picture);
        paintItems(once, rect());
    }
    painter.drawPixmap(0, 0, m_picture);
}

template <class Use>
void FigureCanvas::forEachBox(std::size_t choice, Use use) const {
    for (const DisplayItem& item : laidOut().list.items) {
        if (isValue(item) && isMarker(m_content.figure, item) &&
            choiceOf({*item.panel, item.value->row, item.value->series}) == choice)
            use(boundsOf(item), &item);
    }
    const double beside = line() * kBesideRow;
    for (std::size_t panel = 0; panel < laidOut().panels.size(); ++panel) {
        const std::vector<QRectF>& rows = laidOut().panels[panel].rows;
        for (std::size_t row = 0; row < rows.size(); ++row) {
            if (choiceOf({panel, row, std::nullopt}) == choice)
                use(rows[row].adjusted(-beside, 0, beside, 0), nullptr);
        }
    }
}

void FigureCanvas::paintEvent(QPaintEvent* event) {
    QPainter painter(this);
    const Palette& colors = paletteOf(*this);
    painter.fillRect(rect(), colors.surface);
    if (m_content.figure.panels.empty() || isTooSmall()) {
        painter.setPen(colors.inkSoft);
        painter.drawText(QRectF(rect()).adjusted(line(), 0, -line(), 0), Qt::AlignCenter | Qt::TextWordWrap,
                         m_content.figure.panels.empty()
                             ? m_emptyText
                             : tr("Too small for the picture. Enlarge the window; the table has all numbers."));
        return;
    }
    if (m_stale)
        painter.setOpacity(kStale);
    if (m_chosen) {
        forEachBox(*m_chosen, [&](const QRectF& box, const DisplayItem* marker) {
            if (marker)
                return;
            painter.fillRect(box, colors.stripe);
            painter.fillRect(QRectF(box.left(), box.top(), line() * 0.25, box.height()), colors.accent);
        });
    }
    paintPicture(painter, event->rect());
    painter.setRenderHint(QPainter::Antialiasing);
    paintChosen(painter);
    paintPointed(painter);
    if (m_overlay)
        m_overlay(painter);
}

void FigureCanvas::paintChosen(QPainter& painter) const {
    const Palette& colors = paletteOf(*this);
    bool framed = false;
    if (m_chosen) {
        forEachBox(*m_chosen, [&](const QRectF& box, const DisplayItem* marker) {
            if (!marker && hasFocus()) {
                paintFocusFrame(painter, box.adjusted(0.5, 0.5, -0.5, -0.5), colors.accent);
                framed = m_content.figure.panels.size() == 1;
            } else if (marker) {
                // The chosen marker is painted again, over those that cover it.
                const double radius = box.width() / 2 + line() * 0.35;
                painter.setPen(QPen(colors.accent, std::max(2.0, line() * 0.15)));
                painter.setBrush(colors.surface);
                painter.drawEllipse(box.center(), radius, radius);
                ui::paint(painter, {{}, {*marker}});
            }
        });
    }
    if (hasFocus() && !framed)
        paintFocusFrame(painter, QRectF(rect()).adjusted(1.5, 1.5, -1.5, -1.5), colors.accent);
}

void FigureCanvas::paintPointed(QPainter& painter) const {
    const auto box =
        m_pointed && m_pointed->series ? boxOf(m_pointed->panel, m_pointed->row, *m_pointed->series) : std::nullopt;
    if (!box)
        return;
    painter.setPen(QPen(paletteOf(*this).ink, std::max(1.0, line() * 0.07)));
    painter.setBrush(Qt::NoBrush);
    const QRectF ring = box->adjusted(-1, -1, 1, 1);
    if (m_laidOut->panels[m_pointed->panel].bars.empty())
        painter.drawEllipse(ring);
    else
        painter.drawRect(ring);
}

void FigureCanvas::point(std::optional<FigureHit> hit) {
    if (hit == m_pointed)
        return;
    m_pointed = hit;
    update();
}

void FigureCanvas::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange) {
        updateGeometry();
        renew();
    }
}

void FigureCanvas::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    renew();
}

// In rows, Down leads to the next choice; elsewhere, Right and Up do, as on axes.
void FigureCanvas::keyPressEvent(QKeyEvent* event) {
    const std::vector<std::size_t>& order = m_content.order;
    const std::size_t count = order.empty() ? static_cast<std::size_t>(m_content.choices.size()) : order.size();
    if (count == 0 || !wants(*event)) {
        QWidget::keyPressEvent(event);
        return;
    }
    if (isEnter(event->key())) {
        if (m_chosen)
            Q_EMIT opened(*m_chosen);
        return;
    }
    int key = event->key();
    const bool listed = m_content.downIsNext || (m_content.rows && m_content.figure.panels.size() == 1);
    if (listed && (key == Qt::Key_Up || key == Qt::Key_Down))
        key = key == Qt::Key_Up ? Qt::Key_Left : Qt::Key_Right;
    std::optional<std::size_t> at = m_chosen;
    if (m_chosen && !order.empty()) {
        const auto found = std::ranges::find(order, *m_chosen);
        at = static_cast<std::size_t>(found - order.begin());
        if (found == order.end()) {  // a choice without a mark: goes on at its place among the choices
            at = static_cast<std::size_t>(std::ranges::upper_bound(order, *m_chosen) - order.begin());
            if (key == Qt::Key_Right || (key == Qt::Key_Up && !listed))
                at = *at > 0 ? std::optional(*at - 1) : std::nullopt;
        }
    }
    const std::size_t to = steppedBy(key, at, count);
    choose(order.empty() ? to : order[to]);
}

void FigureCanvas::mousePressEvent(QMouseEvent* event) {
    const auto choice = choiceAt(*event);
    if (event->button() == Qt::LeftButton && m_choosing != Choosing::nothing &&
        (choice || m_choosing == Choosing::oneOrNone))
        choose(choice);
}

void FigureCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
    const auto choice = choiceAt(*event);
    if (event->button() == Qt::LeftButton && choice)
        Q_EMIT opened(*choice);
}

std::optional<std::size_t> FigureCanvas::choiceAt(const QMouseEvent& event) const {
    const auto hit = hitAt(event.position());
    return hit ? choiceOf(*hit) : std::nullopt;
}

void FigureCanvas::mouseMoveEvent(QMouseEvent* event) { point(hitAt(event->position())); }

void FigureCanvas::leaveEvent(QEvent* event) {
    QWidget::leaveEvent(event);
    point(std::nullopt);
}

}  // namespace ui
