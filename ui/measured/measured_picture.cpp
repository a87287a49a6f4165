#include "ui/measured/measured_picture.h"

#include "ui/look/fill_legend.h"
#include "ui/look/format.h"
#include "ui/look/widget_parts.h"
#include "ui/measured/measured_words.h"

#include <QFontMetricsF>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace ui {
namespace {

constexpr double kMeasuredAxisLines = 1.6, kMeasuredBottomLines = 0.4, kLabelLines = 1.6;
constexpr double kLeastRowLines = 0.9, kMostRowLines = 3.2, kDenseRowLines = 1.3;
constexpr double kLeastDenseRow = 3;      // pixels: rows in Compare do not scroll
constexpr double kLeastLabelLines = 0.7;  // a lower row has no room for its name
constexpr double kAround = 2;             // widths of a span on both sides of it after zooming to it
constexpr double kLeastTextured = 2;      // pixels; no texture can be told in a narrower span
constexpr double kLeastName = 3;          // lines of width that a name needs

/// Returns the fill of a span. Textures tell what colours tell.
Fill fillOf(const data::MeasuredSpan& span, const Palette& colors) {
    using data::KernelClass;
    const auto plain = [](const QColor& color) { return Fill{color, color, Texture::plain}; };
    const QColor gemm = colors.of(Role::gemm);
    switch (span.kernelClass) {
    case KernelClass::gemm: return plain(gemm);
    case KernelClass::communication: {
        const Role role = span.operation == data::MeasuredOperation::allGather ? Role::allGather : Role::reduceScatter;
        return {colors.of(role), Palette::mixed(colors.of(role), colors.surface, 0.6), Texture::rising};
    }
    case KernelClass::copy:
    case KernelClass::fill:
        return {colors.of(Role::dma), Palette::mixed(colors.of(Role::dma), colors.surface, 0.6), Texture::dots};
    default: {
        const QColor soft = Palette::mixed(gemm, colors.surface, 0.45);
        return {soft, Palette::mixed(soft, colors.surface, 0.6), Texture::rows};
    }
    }
}

Fill fillOf(StripPart part, const Palette& colors) {
    const QColor gemm = colors.of(Role::gemm), moved = colors.of(Role::reduceScatter), copied = colors.of(Role::dma);
    switch (part) {
    case StripPart::compute: return {gemm, gemm, Texture::plain};
    case StripPart::overlapped: return {gemm, moved, Texture::crossed};
    case StripPart::exposed: return {moved, Palette::mixed(moved, colors.surface, 0.6), Texture::rising};
    case StripPart::memory: return {copied, Palette::mixed(copied, colors.surface, 0.6), Texture::dots};
    }
    return {gemm, gemm, Texture::plain};
}

QString partWord(StripPart part) {
    switch (part) {
    case StripPart::compute: return MeasuredPicture::tr("compute alone");
    case StripPart::overlapped: return MeasuredPicture::tr("compute and communication at once");
    case StripPart::exposed: return MeasuredPicture::tr("exposed communication");
    case StripPart::memory: return MeasuredPicture::tr("copies alone");
    }
    return {};
}

std::vector<FillLegendEntry> legendOf(const Palette& colors) {
    const auto span = [&](data::KernelClass kernelClass, data::MeasuredOperation operation = {}) {
        data::MeasuredSpan shown;
        shown.kernelClass = kernelClass;
        shown.operation = operation;
        return fillOf(shown, colors);
    };
    using data::KernelClass;
    return {{MeasuredPicture::tr("GEMM"), span(KernelClass::gemm)},
            {MeasuredPicture::tr("other compute"), span(KernelClass::elementWise)},
            {MeasuredPicture::tr("communication"), span(KernelClass::communication)},
            {MeasuredPicture::tr("all-gather"), span(KernelClass::communication, data::MeasuredOperation::allGather)},
            {MeasuredPicture::tr("copy or fill"), span(KernelClass::copy)},
            {MeasuredPicture::tr("compute and communication at once"), fillOf(StripPart::overlapped, colors)}};
}

}  // namespace

MeasuredPicture::MeasuredPicture(bool dense, QWidget* parent)
    : RangePicture({.name = dense ? QStringLiteral("measuredRow") : QStringLiteral("measuredPicture"),
                    .spoken = tr("The measured trace over time"),
                    .least = dense ? QSize(20, 3) : QSize(30, 8)},
                   parent),
      m_dense(dense) {}

QSize MeasuredPicture::sizeHint() const {
    const int rows = m_set ? static_cast<int>(std::min<std::size_t>(m_set->rows.size(), 12)) : 6;
    const double lines = m_dense ? rows * kDenseRowLines + kMeasuredAxisLines + 1 : rows * 1.8 + 6;
    return QSize(60, 1) * fontMetrics().height() + QSize(0, static_cast<int>(lines * fontMetrics().height()));
}

QSize MeasuredPicture::minimumSizeHint() const {
    const double rows = m_set ? static_cast<double>(m_set->rows.size()) : 0;
    const double line = fontMetrics().height();
    const int needed = m_dense ? 0 : static_cast<int>(rows * leastRow(line) + line * (kMeasuredAxisLines + 4));
    return PartPicture::minimumSizeHint().expandedTo(QSize(0, needed));
}

QString MeasuredPicture::emptyText() const {
    return m_set ? QString()
                 : tr("Drop the traces of a profiler here: one file for each rank, as PyTorch's profiler writes them "
                      "(.json or .json.gz). Record CUDA activity, and input shapes with record_shapes=True.");
}

void MeasuredPicture::showSet(SharedMeasured set) {
    m_set = std::move(set);
    m_selected.reset();
    m_choice = {};
    setWhole(m_set ? m_set->end : 1);
    updateGeometry();
    relayout();
    Q_EMIT selectedChanged();
    Q_EMIT gutterChanged();
}

void MeasuredPicture::setOrigin(std::int64_t origin) {
    if (m_origin == origin)
        return;
    m_origin = origin;
    repaintAll();
}

void MeasuredPicture::showChoice(const data::MeasuredChoice& choice) {
    if (m_choice == choice)
        return;
    m_choice = choice;
    repaintAll();
}

void MeasuredPicture::select(std::optional<data::MeasuredPlace> place) {
    if (m_selected == place)
        return;
    m_selected = place;
    repaintAll();
    Q_EMIT selectedChanged();
}

TimelineGeometry MeasuredPicture::geometry() const {
    const double right = m_dense ? line() : line() * 0.8;  // as the timelines of runs beneath it
    return {range(), m_gutter, std::max(1.0, std::floor(width() - m_gutter - right)), pixel()};
}

double MeasuredPicture::ownGutter() const {
    const QFontMetricsF metrics(font());
    double widest = metrics.height();
    if (!m_set)
        return widest;
    for (const MeasuredRow& row : m_set->rows)
        widest = std::max(widest, metrics.horizontalAdvance(row.label) + metrics.height() * kLabelLines);
    return widest;
}

void MeasuredPicture::setLeastGutter(double least) {
    if (m_leastGutter == least)
        return;
    m_leastGutter = least;
    relayout();
}

void MeasuredPicture::layOut() {
    m_boxes.clear();
    m_gutter = std::max(ownGutter(), m_leastGutter);
    if (!m_set)
        return;
    const double legend = m_dense
                              ? 0
                              : paintFillLegend(nullptr, QRectF(line() * 0.5, line() * 0.3, width() - line(), height()),
                                                legendOf(colors()), font(), colors().ink) +
                                    line() * 0.5;
    m_axis = legend + line() * kMeasuredAxisLines;
    const double rows = static_cast<double>(std::max<std::size_t>(1, m_set->rows.size()));
    const double room = height() - m_axis - line() * kMeasuredBottomLines;
    const double each = std::clamp(room / rows, leastRow(line()), line() * kMostRowLines);
    double top = m_axis;
    for (std::size_t i = 0; i < m_set->rows.size(); ++i) {
        const double gap = std::min(2.0, each * 0.15);
        m_boxes.push_back({snapped(top), snapped(top + each - gap) - snapped(top)});
        top += each;
    }
}

double MeasuredPicture::leastRow(double line) const { return m_dense ? kLeastDenseRow : line * kLeastRowLines; }

std::int64_t MeasuredPicture::startOf(const MeasuredRow& row, std::size_t index) const {
    return m_set->startOf({row.trace, row.spans[index]});
}

std::int64_t MeasuredPicture::endOf(const MeasuredRow& row, std::size_t index) const {
    return m_set->endOf({row.trace, row.spans[index]});
}

std::optional<std::size_t> MeasuredPicture::rowAt(double y) const {
    for (std::size_t i = 0; i < m_boxes.size(); ++i) {
        if (y >= m_boxes[i].top && y <= m_boxes[i].top + m_boxes[i].height)
            return i;
    }
    return std::nullopt;
}

std::optional<data::MeasuredPlace> MeasuredPicture::placeAt(QPointF at) const {
    const auto row = m_set ? rowAt(at.y()) : std::nullopt;
    if (!row || at.x() < m_gutter || m_set->rows[*row].isStrip)
        return std::nullopt;
    const MeasuredRow& of = m_set->rows[*row];
    // A span of less than a pixel is found by the pixel that it is drawn in.
    const std::int64_t from = geometry().timeAt(at.x() - 1), to = geometry().timeAt(at.x() + 1);
    const auto first = std::ranges::lower_bound(of.spans, from, {}, [&](std::uint32_t span) {
        return m_set->endOf({of.trace, span});
    });
    if (first == of.spans.end() || m_set->startOf({of.trace, *first}) > to)
        return std::nullopt;
    return data::MeasuredPlace{of.trace, *first};
}

std::optional<std::pair<std::size_t, std::size_t>> MeasuredPicture::findSelected() const {
    if (!m_set || !m_selected)
        return std::nullopt;
    for (std::size_t i = 0; i < m_set->rows.size(); ++i) {
        const MeasuredRow& row = m_set->rows[i];
        if (row.isStrip || row.trace != m_selected->trace)
            continue;
        // Spans are in the order of their times, and of their indices.
        const auto found = std::ranges::lower_bound(row.spans, m_selected->span);
        if (found != row.spans.end() && *found == m_selected->span)
            return std::pair(i, static_cast<std::size_t>(found - row.spans.begin()));
    }
    return std::nullopt;
}

std::optional<double> MeasuredPicture::selectedY() const {
    const auto at = findSelected();
    if (!at || at->first >= m_boxes.size())
        return std::nullopt;
    return m_boxes[at->first].top + m_boxes[at->first].height / 2;
}

QString MeasuredPicture::tipAt(QPointF at) const {
    if (const auto place = placeAt(at))
        return spanLine(*m_set, *place);
    const auto row = m_set ? rowAt(at.y()) : std::nullopt;
    if (!row || at.x() < m_gutter || !m_set->rows[*row].isStrip)
        return {};
    const std::int64_t ps = geometry().timeAt(at.x());
    const auto& strip = m_set->rows[*row].strip;
    const auto piece = std::ranges::upper_bound(strip, ps, {}, &StripPiece::end);
    return piece == strip.end() || piece->start > ps
               ? tr("%1: idle").arg(m_set->rows[*row].label)
               : tr("%1: %2, %3 long")
                     .arg(m_set->rows[*row].label, partWord(piece->part), formatTime(piece->end - piece->start));
}

std::vector<Part> MeasuredPicture::parts() {
    return {{rect(), [this](QPointF at) { return tipAt(at); }, {}, {}, {}}};
}

void MeasuredPicture::selectNearest(std::size_t row, std::int64_t ps) {
    const MeasuredRow& of = m_set->rows[row];
    if (of.spans.empty())
        return;
    auto after = std::ranges::lower_bound(of.spans, ps, {}, [&](std::uint32_t span) {
        return m_set->startOf({of.trace, span});
    });
    if (after == of.spans.end() || (after != of.spans.begin() && m_set->endOf({of.trace, *(after - 1)}) > ps))
        --after;
    select(data::MeasuredPlace{of.trace, *after});
}

// Left and Right step along a row; Up and Down go to the span at the same time in the next row that has spans.
void MeasuredPicture::walk(int key) {
    if (!m_set)
        return;
    const auto at = findSelected();
    if (!at) {
        for (std::size_t row = 0; row < m_set->rows.size(); ++row) {
            if (!m_set->rows[row].spans.empty())
                return selectNearest(row, range().start);
        }
        return;
    }
    const MeasuredRow& row = m_set->rows[at->first];
    if (key == Qt::Key_Left || key == Qt::Key_Right) {
        const std::size_t next = key == Qt::Key_Right ? std::min(at->second + 1, row.spans.size() - 1)
                                                      : at->second - (at->second > 0 ? 1 : 0);
        return select(data::MeasuredPlace{row.trace, row.spans[next]});
    }
    const int step = key == Qt::Key_Down ? 1 : -1;
    for (auto next = static_cast<std::ptrdiff_t>(at->first) + step;
         next >= 0 && next < static_cast<std::ptrdiff_t>(m_set->rows.size()); next += step) {
        if (!m_set->rows[static_cast<std::size_t>(next)].spans.empty())
            return selectNearest(static_cast<std::size_t>(next), startOf(row, at->second));
    }
}

void MeasuredPicture::reveal() {
    if (!m_set || !m_selected)
        return;
    const std::int64_t start = m_set->startOf(*m_selected), end = m_set->endOf(*m_selected);
    if (end > range().start && start < range().end)
        return;
    const std::int64_t span = range().span(), middle = start + (end - start) / 2;
    const std::int64_t from =
        std::clamp<std::int64_t>(middle - span / 2, 0, std::max<std::int64_t>(0, m_set->end - span));
    setRange({from, from + span});
}

void MeasuredPicture::zoomIn() {
    if (!m_set || !m_selected)
        return;
    const std::int64_t start = m_set->startOf(*m_selected), end = m_set->endOf(*m_selected);
    const auto around =
        static_cast<std::int64_t>(kAround * static_cast<double>(std::max<std::int64_t>(1, end - start)));
    setRange({start - around, end + around});
}

std::function<void()> MeasuredPicture::actionOf(int key) {
    if (isArrow(key))
        return [this, key] {
            walk(key);
            reveal();
        };
    if (isEnter(key))
        return [this] { zoomIn(); };
    return rangeActionOf(key);
}

QString MeasuredPicture::spokenText() const {
    if (!m_set)
        return {};
    return m_selected ? spanLine(*m_set, *m_selected) : measuredHeadline(*m_set);
}

void MeasuredPicture::mouseDoubleClickEvent(QMouseEvent* event) {
    select(placeAt(event->position()));
    zoomIn();
}

double MeasuredPicture::spacing() const { return line() * 0.32; }

void MeasuredPicture::paintAxis(QPainter& painter) const {
    const TimelineGeometry geometry = this->geometry();
    const QFontMetricsF metrics(font());
    const double bottom = m_boxes.empty() ? height() : m_boxes.back().top + m_boxes.back().height;
    painter.setFont(font());
    const data::TimeRange shown{range().start - m_origin, range().end - m_origin};
    for (const Tick& tick : timeTicks(shown, std::max(2, static_cast<int>(geometry.width / (line() * 7))))) {
        const double x = snapped(geometry.xOf(tick.ps + m_origin));
        painter.setPen(QPen(colors().grid, pixel()));
        painter.drawLine(QPointF(x, m_axis - line() * 0.2), QPointF(x, bottom));
        const double width = metrics.horizontalAdvance(tick.label);
        const double left =
            std::clamp(x - width / 2, m_gutter, std::max(m_gutter, geometry.left + geometry.width - width));
        painter.setPen(colors().inkSoft);
        painter.drawText(QRectF(left, m_axis - line() * 1.4, width + 1, line()), Qt::AlignLeft | Qt::AlignVCenter,
                         tick.label);
    }
}

void MeasuredPicture::paintStrip(QPainter& painter, std::size_t row) const {
    const TimelineGeometry geometry = this->geometry();
    const std::vector<StripPiece>& strip = m_set->rows[row].strip;
    const Box& box = m_boxes[row];
    auto piece = std::ranges::upper_bound(strip, range().start, {}, &StripPiece::end);
    while (piece != strip.end() && piece->start < range().end) {
        const double left = std::max(geometry.left, geometry.columnOf(std::max(piece->start, range().start)));
        const double right =
            std::min(geometry.left + geometry.width, geometry.columnOf(std::min(piece->end, range().end)));
        const double wide = std::max(pixel(), right - left);
        paintFill(painter, QRectF(left, box.top, wide, box.height), fillOf(piece->part, colors()), spacing());
        // Of pieces within one pixel the first is drawn.
        const std::int64_t next = geometry.timeAt(left + wide);
        auto after = std::ranges::upper_bound(piece + 1, strip.end(), next, {}, &StripPiece::end);
        piece = right - left >= pixel() ? piece + 1 : std::max(piece + 1, after);
    }
}

void MeasuredPicture::paintRow(QPainter& painter, std::size_t row) const {
    const MeasuredRow& of = m_set->rows[row];
    const TimelineGeometry geometry = this->geometry();
    const data::MeasuredTrace& trace = m_set->traces[of.trace];
    const QFontMetricsF metrics(font());
    const Box& box = m_boxes[row];
    const auto endOfSpan = [&](std::uint32_t span) { return m_set->endOf({of.trace, span}); };
    auto span = std::ranges::upper_bound(of.spans, range().start, {}, endOfSpan);
    while (span != of.spans.end()) {
        const std::int64_t start = m_set->startOf({of.trace, *span}), end = endOfSpan(*span);
        if (start >= range().end)
            break;
        const double left = std::max(geometry.left, geometry.columnOf(std::max(start, range().start)));
        const double right = std::min(geometry.left + geometry.width, geometry.columnOf(std::min(end, range().end)));
        const double wide = std::max(pixel(), right - left - (right - left > 3 * pixel() ? pixel() : 0));
        const Fill fill = fillOf(trace.spans[*span], colors());
        const QRectF place(left, box.top, wide, box.height);
        if (wide > kLeastTextured * pixel())
            paintFill(painter, place, fill, spacing());
        else
            painter.fillRect(place, fill.color);
        if (wide > line() * kLeastName && box.height >= line() * 0.9) {
            const data::MeasuredSpan& shown = trace.spans[*span];
            const QString name = shown.isCommunication() && shown.operation != data::MeasuredOperation::unknown
                                     ? text(wordOf(shown.operation))
                                     : text(trace.nameOf(shown.name));
            const QString fitting = metrics.elidedText(name, Qt::ElideRight, wide - line() * 0.5);
            const double needed = metrics.horizontalAdvance(fitting) + line() * 0.4;
            if (fill.texture != Texture::plain)
                painter.fillRect(QRectF(left + line() * 0.15, box.top + (box.height - line()) / 2, needed, line()),
                                 fill.color);
            painter.setPen(Palette::inkOn(fill.color));
            painter.drawText(QRectF(left + line() * 0.3, box.top, wide, box.height), Qt::AlignLeft | Qt::AlignVCenter,
                             fitting);
        }
        if (right - left >= pixel()) {
            ++span;
            continue;
        }
        // Of spans within one pixel the first is drawn.
        const auto after =
            std::ranges::upper_bound(span + 1, of.spans.end(), geometry.timeAt(left + pixel()), {}, endOfSpan);
        span = std::max(span + 1, after);
    }
}

// Where rows are too low for their names, a rank has its name beside all of its rows.
void MeasuredPicture::paintLabel(QPainter& painter, std::size_t row) const {
    const MeasuredRow& of = m_set->rows[row];
    const double least = line() * kLeastLabelLines;
    Box box = m_boxes[row];
    for (std::size_t i = row + 1; of.isStrip && box.height < least && i < m_boxes.size() && !m_set->rows[i].isStrip;
         ++i)
        box.height = m_boxes[i].top + m_boxes[i].height - box.top;
    if (box.height < least)
        return;
    painter.setPen(of.isStrip ? colors().ink : colors().inkSoft);
    painter.setFont(of.isStrip ? strongFont(font()) : font());
    painter.drawText(QRectF(line() * 0.3, box.top, m_gutter - line() * 0.8, box.height),
                     Qt::AlignRight | Qt::AlignVCenter, of.label);
}

void MeasuredPicture::paintBackground(QPainter& painter) {
    if (!m_set)
        return;
    painter.setFont(font());
    if (!m_dense)
        paintFillLegend(&painter, QRectF(line() * 0.5, line() * 0.3, width() - line(), height()), legendOf(colors()),
                        font(), colors().ink);
    paintAxis(painter);
    for (std::size_t row = 0; row < m_set->rows.size() && row < m_boxes.size(); ++row) {
        const MeasuredRow& of = m_set->rows[row];
        const Box& box = m_boxes[row];
        if (box.top > height())
            break;
        paintLabel(painter, row);
        painter.setFont(font());
        if (of.isStrip)
            paintStrip(painter, row);
        else
            paintRow(painter, row);
    }
}

void MeasuredPicture::paintFrame(QPainter& painter, const data::MeasuredPlace& place, const QColor& color,
                                 double width) const {
    for (std::size_t i = 0; i < m_set->rows.size() && i < m_boxes.size(); ++i) {
        const MeasuredRow& row = m_set->rows[i];
        if (row.isStrip || row.trace != place.trace || !std::ranges::binary_search(row.spans, place.span))
            continue;
        const TimelineGeometry geometry = this->geometry();
        const double left = std::max(geometry.left, geometry.xOf(m_set->startOf(place)));
        const double right = std::min(geometry.left + geometry.width, geometry.xOf(m_set->endOf(place)));
        if (right < geometry.left || left > geometry.left + geometry.width)
            return;
        const QRectF box(left, m_boxes[i].top, std::max(2.0, right - left), m_boxes[i].height);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(colors().surface, width + 2));
        painter.drawRect(box);
        painter.setPen(QPen(color, width));
        painter.drawRect(box);
        return;
    }
}

void MeasuredPicture::paintMoment(QPainter& painter, const QRegion&) {
    if (!m_set)
        return;
    for (const auto& place : {m_choice.gemm, m_choice.collective}) {
        if (place)
            paintFrame(painter, *place, colors().accent, 2);
    }
    if (m_selected)
        paintFrame(painter, *m_selected, colors().ink, 2);
}

}  // namespace ui
