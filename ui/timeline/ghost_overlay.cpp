#include "ui/timeline/ghost_overlay.h"

#include "ui/look/format.h"
#include "ui/timeline/row_items.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

constexpr double kLeastWithSides = 3;
constexpr double kLeastStacked = 6;  // height of two lines, each 1 wide with 1 of background on both sides

/// Returns the outline of blocks side by side with the same bottom, such as the waves of a GEMM.
std::vector<QLineF> skylineOfBlocks(const std::vector<DrawItem>& items, double bottom, double pixel) {
    if (items.empty())
        return {};
    const double left = items.front().x;
    const auto columnOf = [&](double x) { return static_cast<std::size_t>(std::lround((x - left) / pixel)); };
    std::vector<double> heights(columnOf(items.back().x + items.back().width));
    for (const DrawItem& item : items)
        std::fill(heights.begin() + static_cast<std::ptrdiff_t>(columnOf(item.x)),
                  heights.begin() + static_cast<std::ptrdiff_t>(columnOf(item.x + item.width)), bottom - item.y);
    return skylineOf(heights, left, bottom, pixel);
}

/// Returns whether some of the stacked blocks are too low for outlines of their own, which would merge into one solid
/// block.
bool areTooLow(const std::vector<DrawItem>& items) {
    const auto isLow = [](const DrawItem& item) { return item.height < kLeastStacked; };
    const auto isBeside = [&](const DrawItem& item) { return item.y == items.front().y; };
    return std::any_of(items.begin(), items.end(), isLow) && !std::all_of(items.begin(), items.end(), isBeside);
}

/// Returns an outline whose height in each column is the part of the height of `box` that stacked blocks cover there,
/// as if the blocks had fallen to the bottom.
std::vector<QLineF> skylineOfStack(const std::vector<DrawItem>& items, const QRectF& box, double pixel) {
    const auto at = [pixel](double length) { return static_cast<std::ptrdiff_t>(std::lround(length / pixel)); };
    const std::ptrdiff_t columns = at(box.width()), rows = at(box.height());
    std::vector<char> covered(static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, columns * rows)));
    for (const DrawItem& item : items) {
        const std::ptrdiff_t left = std::clamp<std::ptrdiff_t>(at(item.x - box.left()), 0, columns);
        const std::ptrdiff_t right = std::clamp<std::ptrdiff_t>(at(item.x + item.width - box.left()), left, columns);
        const std::ptrdiff_t bottom = std::clamp<std::ptrdiff_t>(at(item.y + item.height - box.top()), 0, rows);
        for (std::ptrdiff_t row = std::max<std::ptrdiff_t>(0, at(item.y - box.top())); row < bottom; ++row)
            std::fill(covered.begin() + row * columns + left, covered.begin() + row * columns + right, 1);
    }
    std::vector<double> heights(static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, columns)));
    for (std::size_t i = 0; i < covered.size(); ++i)
        heights[i % heights.size()] += covered[i] * pixel;
    return skylineOf(heights, box.left(), box.bottom(), pixel);
}

/// Returns the outline of the uppermost of stacked areas.
std::vector<QLineF> skylineOfArea(const DrawArea& area, double pixel) {
    if (area.layers.empty())
        return {};
    std::vector<double> heights;
    heights.reserve(area.layers.back().tops.size());
    for (const std::uint16_t top : area.layers.back().tops)
        heights.push_back(top * pixel);
    return skylineOf(heights, static_cast<double>(area.firstColumn) * pixel, area.top + area.height, pixel);
}

void append(const std::vector<QLineF>& more, std::vector<QLineF>& lines) {
    lines.insert(lines.end(), more.begin(), more.end());
}

/// Draws lines that are parallel to the axes into the image's device pixels, within `clip`. Each is one unit wide and
/// extended by `wider` on all sides.
void plot(const std::vector<QLineF>& lines, const QRectF& clip, QPointF origin, double wider, QColor color,
          QImage& image) {
    const double pixels = image.devicePixelRatio();
    const QRgb value = qPremultiply(color.rgba());
    auto* first = reinterpret_cast<QRgb*>(image.bits());  // called once, because bits() may copy the image
    const auto stride = static_cast<std::ptrdiff_t>(image.bytesPerLine() / static_cast<qsizetype>(sizeof(QRgb)));
    const auto column = [&](double x) { return static_cast<int>((x - origin.x()) * pixels + 0.5); };
    const auto row = [&](double y) { return static_cast<int>((y - origin.y()) * pixels + 0.5); };
    const int width = image.width(), height = image.height();
    for (const QLineF& line : lines) {
        const int left = column(std::max(std::min(line.x1(), line.x2()) - wider, clip.left()));
        const int right = std::min(column(std::max(line.x1(), line.x2()) + 1 + wider), column(clip.right()));
        const int top = row(std::max(std::min(line.y1(), line.y2()) - wider, clip.top()));
        const int bottom = std::min(row(std::max(line.y1(), line.y2()) + 1 + wider), row(clip.bottom()));
        for (int y = top; y < std::min(bottom, height); ++y) {
            QRgb* scan = first + y * stride;
            for (int x = left; x < std::min(right, width); ++x)
                scan[x] = value;
        }
    }
}

bool alike(const TimelineGeometry& a, const TimelineGeometry& b) {
    return a.range == b.range && a.left == b.left && a.width == b.width && a.pixel == b.pixel;
}

bool alikeRows(const PicturedRow& a, const PicturedRow& b) {
    return a.row.key() == b.row.key() && a.row.pinned == b.row.pinned && a.box == b.box;
}

/// Returns the plate, moved up from the last row until it covers no label; where it was, if it would cover one
/// everywhere. The first row is left to other marks.
QRectF clearOfTexts(const QRectF& plate, const TimelinePicture& picture) {
    const double least = picture.clip.top() + plate.height();
    for (QRectF moved = plate; moved.top() >= least; moved.translate(0, -picture.line / 2)) {
        if (std::ranges::none_of(picture.texts, [&](const QRectF& text) { return text.intersects(moved); }))
            return moved;
    }
    return plate;
}

}  // namespace

void paintEndMark(QPainter& painter, const TimelinePicture& picture, const EndMark& mark) {
    const double x = std::floor(picture.geometry.xOf(mark.ps));
    const QRectF& clip = picture.clip;
    if (x < clip.left() || x > clip.right() + 1)
        return;
    QFont font = painter.font();  // its size is that of the text painted before
    font.setPixelSize(static_cast<int>(std::round(picture.line * 0.75)));
    painter.setFont(font);
    const double height = picture.line * 1.3;
    if (clip.height() < height)
        return;  // the rows have too little room for a plate
    const double top = mark.plate == EndMark::Plate::top ? clip.top() : clip.bottom() - height;
    QRectF plate;
    QString text;
    // The plate is to the right of the mark, or to its left if no text fits on the right.
    for (const QString& words : mark.words) {
        text = words;
        plate = {x, top, painter.fontMetrics().horizontalAdvance(text) + picture.line, height};
        if (plate.right() <= clip.right())
            break;
    }
    if (plate.right() > clip.right())
        plate.moveRight(x);
    if (mark.plate == EndMark::Plate::foot)
        plate = clearOfTexts(plate, picture);
    painter.setPen(QPen(mark.color, 2));
    painter.drawLine(QPointF(std::min(x, clip.right()), clip.top()), QPointF(std::min(x, clip.right()), clip.bottom()));
    painter.fillRect(plate, mark.color);
    painter.setPen(Palette::inkOn(mark.color));
    painter.drawText(plate, Qt::AlignCenter, text);
}

std::vector<QLineF> edgesOf(const std::vector<DrawItem>& items) {
    std::vector<QLineF> lines;
    lines.reserve(items.size() * 4);
    for (const DrawItem& item : items) {
        const QRectF box(item.x, item.y, item.width, item.height);
        lines.emplace_back(box.topLeft(), box.topRight());
        lines.emplace_back(box.bottomLeft(), box.bottomRight());
        // The sides of a narrow block would touch and make it solid.
        if (item.width < kLeastWithSides)
            continue;
        lines.emplace_back(box.topLeft(), box.bottomLeft());
        lines.emplace_back(box.topRight(), box.bottomRight());
    }
    return lines;
}

std::vector<QLineF> skylineOf(const std::vector<double>& heights, double left, double bottom, double pixel) {
    std::vector<QLineF> lines;
    double height = 0;
    std::size_t since = 0;
    for (std::size_t i = 0; i <= heights.size(); ++i) {
        const double next = i < heights.size() ? heights[i] : 0;
        if (next == height)
            continue;
        const double x = left + static_cast<double>(i) * pixel;
        if (height > 0)
            lines.emplace_back(left + static_cast<double>(since) * pixel, bottom - height, x, bottom - height);
        lines.emplace_back(x, bottom - height, x, bottom - next);
        height = next;
        since = i;
    }
    return lines;
}

void GhostOverlay::setPinned(std::shared_ptr<const data::ShownRun> run, const QString& name) {
    m_name = name;
    m_model = run ? TimelineModel(std::move(run)) : TimelineModel();
    m_stale = true;
}

bool GhostOverlay::isCurrent(const TimelinePicture& picture) const {
    return !m_stale && alike(m_geometry, picture.geometry) && m_clip == picture.clip &&
           m_theme == picture.palette.theme &&
           std::equal(m_rows.begin(), m_rows.end(), picture.rows.begin(), picture.rows.end(), alikeRows);
}

bool GhostOverlay::has(const Row& row) const {
    if (m_model.isBound() || isBound(row.kind))
        return m_model.isBound() && isBound(row.kind);
    if (row.gpu >= m_model.gpus())
        return false;
    return row.kind != RowKind::dramChannel || row.index < m_model.index()->gpu(row.gpu).dramChannels.tracks.size();
}

std::vector<QLineF> GhostOverlay::outlineOf(const PicturedRow& place, const PixelColumns& columns) const {
    DrawList list;
    appendRow(m_model, place.row, {place.box.top(), place.box.height()}, m_geometry, columns, list);
    std::vector<QLineF> lines = place.row.kind == RowKind::waves
                                    ? skylineOfBlocks(list.items, place.box.bottom(), m_geometry.pixel)
                                : areTooLow(list.items) ? skylineOfStack(list.items, place.box, m_geometry.pixel)
                                                        : edgesOf(list.items);
    for (const DrawArea& area : list.areas)
        append(skylineOfArea(area, m_geometry.pixel), lines);
    return lines;
}

void GhostOverlay::rebuild(const TimelinePicture& picture) const {
    m_geometry = picture.geometry;
    m_rows = picture.rows;
    m_clip = picture.clip;
    m_theme = picture.palette.theme;
    m_stale = false;
    const QPointF origin = m_clip.topLeft();
    m_image = QImage((m_clip.size() / m_geometry.pixel).toSize(), QImage::Format_ARGB32_Premultiplied);
    m_image.setDevicePixelRatio(1 / m_geometry.pixel);
    m_image.fill(Qt::transparent);
    // Scrolling rows are hidden behind the pinned ones.
    QRectF below = m_clip;
    for (const PicturedRow& place : m_rows) {
        if (place.row.pinned)
            below.setTop(std::max(below.top(), place.box.bottom()));
    }
    const PixelColumns columns(m_geometry, 0, m_model.end());
    for (const PicturedRow& place : m_rows) {
        const QRectF& clip = place.row.pinned ? m_clip : below;
        if (!has(place.row) || !place.box.intersects(clip))
            continue;
        // A line in the colour of text on a wider one in the background colour is visible on every fill and beside it.
        const std::vector<QLineF> lines = outlineOf(place, columns);
        plot(lines, clip, origin, 1, Palette::seeThrough(picture.palette.surface, 110), m_image);
        plot(lines, clip, origin, 0, Palette::seeThrough(picture.palette.ink, 210), m_image);
    }
}

void GhostOverlay::paint(QPainter& painter, const TimelinePicture& picture) const {
    if (!m_model.hasRun() || picture.clip.isEmpty())
        return;
    if (!isCurrent(picture))
        rebuild(picture);
    painter.drawImage(m_clip.topLeft(), m_image);
    paintEnd(painter, picture);
}

void GhostOverlay::paintEnd(QPainter& painter, const TimelinePicture& picture) const {
    const QString time = formatTime(m_model.end());
    const QStringList words = m_name.isEmpty()
                                  ? QStringList{tr("pinned run ends  %1").arg(time), tr("pinned  %1").arg(time)}
                                  : QStringList{tr("%1 ends  %2").arg(m_name, time), time};
    paintEndMark(painter, picture, {m_model.end(), words, picture.palette.ink, EndMark::Plate::top});
}

}  // namespace ui
