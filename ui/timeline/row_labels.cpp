#include "ui/timeline/row_labels.h"

#include "ui/look/format.h"
#include "ui/look/run_words.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <utility>
#include <vector>

namespace ui {
namespace {

constexpr double kLeastName = 4;        // heights of a line: the full name of a wave is wider
constexpr double kWaveLabel = 1.3;      // height of a wave's label, in lines
constexpr double kPlateMargin = 6;      // width of a plate without its text
constexpr double kLeastCaption = 0.85;  // of a line's height: lower hatching has no caption
constexpr double kLeastLabel = 0.55;    // of a line's height: lower blocks have no label

QString labelTr(const char* text) { return QCoreApplication::translate("RowLabels", text); }

struct Labels {
    const TimelineModel& model;
    const Row& row;
    const RowBox& box;
    const TimelineGeometry& geometry;
    const QFontMetricsF& metrics;
    RowFirsts first;
    DrawList& list;

    bool place(const QRectF& where, const QString& text, Role role,
               std::optional<data::KernelNumber> kernel = {}) const {
        if (metrics.horizontalAdvance(text) + 6 > where.width())
            return false;
        list.labels.push_back({where, text, role, kernel});
        return true;
    }
    bool place(const QRectF& where, const QString& text, const DrawItem& on) const {
        return place(where, text, on.role, on.kernel);
    }
    /// Returns the left and right x coordinate of the visible part of a span.
    std::pair<double, double> visible(const engine::Span& span) const {
        return {std::max(geometry.left, geometry.xOf(span.start.ps)),
                std::min(geometry.left + geometry.width, geometry.xOf(span.end.ps))};
    }
};

void labelChunks(const Labels& labels, Role role) {
    const QFontMetricsF& metrics = labels.metrics;
    std::vector<const DrawItem*> blocks;
    int roomy = 0;
    int narrow = 0;
    for (std::size_t i = labels.first.item; i < labels.list.items.size(); ++i) {
        const DrawItem& item = labels.list.items[i];
        if (item.role != role || item.chunk == engine::kNone || item.height < kLeastLabel * metrics.height())
            continue;
        blocks.push_back(&item);
        roomy += metrics.horizontalAdvance(labelTr("chunk %1").arg(item.chunk)) + 6 <= item.width ? 1 : 0;
        narrow += metrics.horizontalAdvance(QString::number(item.chunk)) + 6 > item.width ? 1 : 0;
    }
    // Words are used if they fit most blocks of a kind in a row, else numbers. There are no labels if most blocks have
    // no room even for a number, because a few numbers among many blocks would only confuse.
    const auto count = static_cast<int>(blocks.size());
    if (narrow * 2 > count)
        return;
    const bool words = roomy * 5 >= count * 4;
    // The fills distinguish the companion's chunks from those of the run's own work.
    for (const DrawItem* item : blocks) {
        const QRectF where(item->x, item->y, item->width, item->height);
        const bool placed = words && labels.place(where, labelTr("chunk %1").arg(item->chunk), *item);
        if (!placed && !item->merged)
            labels.place(where, QString::number(item->chunk), *item);
    }
}

void labelBound(const Labels& labels) {
    const engine::Span span = labels.model.boundSpan(labels.row.kind);
    const auto [left, right] = labels.visible(span);
    labels.place({left, labels.box.top, right - left, labels.box.height}, formatTime((span.end - span.start).ps),
                 traitsOf(labels.row.kind).role);
}

/// A part of an area, by the x coordinates of its edges.
using Part = std::pair<double, double>;

/// Returns the widest part of `area` that none of `taken` overlaps.
Part widestFree(Part area, std::vector<Part> taken) {
    std::ranges::sort(taken);
    taken.emplace_back(area.second, area.second);
    Part widest{area.first, area.first};
    double left = area.first;
    for (const Part& part : taken) {
        const double right = std::min(part.first, area.second);
        if (right - left > widest.second - widest.first)
            widest = {left, right};
        left = std::max(left, part.second);
    }
    return widest;
}

// Returns the part of a wave's area that is high enough for text of this height and that no line at the end of a piece
// crosses. A GEMM's first wave becomes higher at its begin, the last wave lower towards its end.
QRectF roomOfWave(const Labels& labels, const engine::Span& wave, double height) {
    std::vector<Part> taken;
    for (std::size_t i = labels.first.item; i < labels.list.items.size(); ++i) {
        const DrawItem& item = labels.list.items[i];
        if (item.first == wave.first && item.height < height * 0.85)
            taken.emplace_back(item.x, item.x + item.width);
    }
    for (std::size_t i = labels.first.pieceEnd; i < labels.list.pieceEnds.size(); ++i)
        taken.emplace_back(labels.list.pieceEnds[i].x, labels.list.pieceEnds[i].x);
    const auto [left, right] = widestFree(labels.visible(wave), std::move(taken));
    return {left, labels.box.bottom() - height, right - left, height};
}

// Labels the waves in the longest form that most of them have room for, and a wave that lacks the room in a shorter
// form. Returns whether the last wave has a label.
bool labelWaves(const Labels& labels) {
    const double height = std::min(labels.box.height, labels.metrics.height() * kWaveLabel);
    const data::TraceIndex::Gpu& gpu = labels.model.index()->gpu(labels.row.gpu);
    const std::vector<engine::Span>& waves = labels.model.waves(labels.row.gpu).spans;
    std::vector<QRectF> rooms;
    std::int64_t whole = 0, inSight = 0;
    for (const engine::Span& wave : waves) {
        rooms.push_back(roomOfWave(labels, wave, height));
        const auto [left, right] = labels.visible(wave);
        const double width = rooms.back().width();
        // A wave of few workgroups gets no label.
        inSight += width > 0 && width * 2 > right - left ? 1 : 0;
        // With thousands of waves none has room, and the time to compose their names is saved.
        if (width > height * kLeastName)
            whole += labels.metrics.horizontalAdvance(waveName(gpu, wave)) + 6 <= width ? 1 : 0;
    }
    bool isLastNamed = false;
    for (std::size_t i = 0; i < waves.size(); ++i) {
        const std::uint32_t number = waves[i].first - gpu.firstWave + 1;
        const bool isNamed =
            (whole > 0 && whole * 5 >= inSight * 4 && labels.place(rooms[i], waveName(gpu, waves[i]), Role::gemm)) ||
            labels.place(rooms[i], labelTr("wave %1").arg(number), Role::gemm) ||
            labels.place(rooms[i], QString::number(number), Role::gemm);
        isLastNamed = isLastNamed || (isNamed && isLastWave(gpu, waves[i]));
    }
    return isLastNamed;
}

// Labels the lines at the ends of pieces to their left, above the names of the waves: all in the longest form for which
// each has room, or none.
void labelPieceEnds(const Labels& labels) {
    const double height = labels.metrics.height();
    const bool hasRoomAbove = labels.box.height >= kWaveLabel * height + height;
    const std::size_t count = labels.list.pieceEnds.size() - labels.first.pieceEnd;
    if (!hasRoomAbove || count == 0)
        return;
    const auto isInSight = [&](const data::GemmPiece& piece) {
        return piece.time.end >= labels.geometry.range.start && piece.time.end <= labels.geometry.range.end;
    };
    std::vector<std::pair<double, std::uint32_t>> ends;  // x coordinate, number
    for (const data::GemmPiece& piece : labels.model.pieces(labels.row.gpu)) {
        if (isInSight(piece))
            ends.emplace_back(labels.geometry.columnOf(piece.time.end), piece.number + 1);
    }
    std::ranges::sort(ends);
    for (const char* form : {QT_TR_NOOP("piece %1 ends"), QT_TR_NOOP("piece %1"), QT_TR_NOOP("%1")}) {
        std::vector<DrawLabel> placed;
        double left = labels.geometry.left;
        for (const auto& [x, number] : ends) {
            const QString text = labelTr(form).arg(number);
            const double width = labels.metrics.horizontalAdvance(text) + kPlateMargin;
            if (left + width + 2 > x)
                break;
            placed.push_back({{x - 2 - width, labels.box.top + 1, width, height}, text, Role::neutral});
            placed.back().onPlate = true;
            left = x + 1;
        }
        if (placed.size() == ends.size()) {
            labels.list.labels.insert(labels.list.labels.end(), placed.begin(), placed.end());
            return;
        }
    }
}

// Returns the area or, if the plate at the end of a piece covers a part of it, the areas below and to the left of the
// plate, as far as they are high enough for text.
std::vector<QRectF> roomsBesidePlates(const Labels& labels, const QRectF& area) {
    const auto plate = std::ranges::find_if(
        labels.list.labels, [&](const DrawLabel& label) { return label.onPlate && label.box.intersects(area); });
    if (plate == labels.list.labels.end())
        return {area};
    const QRectF below(area.left(), plate->box.bottom(), area.width(), area.bottom() - plate->box.bottom());
    const QRectF beside(area.left(), area.top(), plate->box.left() - area.left(), area.height());
    if (below.height() < labels.metrics.height() * kLeastCaption)
        return {beside};
    return {below, beside};
}

// Appends one caption for a row's hatching, on its largest part. The caption also names the last wave if the wave has
// no room for its own label.
void labelGaps(const Labels& labels, bool isLastNamed) {
    const std::vector<DrawGap>& gaps = labels.list.gaps;
    const DrawGap* largest = nullptr;
    for (std::size_t i = labels.first.gap; i < gaps.size(); ++i) {
        if (largest == nullptr || gaps[i].width * gaps[i].height > largest->width * largest->height)
            largest = &gaps[i];
    }
    if (largest == nullptr || largest->height < labels.metrics.height() * kLeastCaption)
        return;
    const data::LastWave& last = labels.model.lastWave(labels.row.gpu);
    QStringList texts{emptySlotsText(last), labelTr("%1 of %2 empty").arg(last.empty.size()).arg(last.slots)};
    if (!isLastNamed) {
        const QString name =
            waveName(labels.model.index()->gpu(labels.row.gpu), labels.model.waves(labels.row.gpu).spans.back());
        texts = QStringList{name + QStringLiteral(", ") + texts[0], name + QStringLiteral(", ") + texts[1]} + texts;
    }
    for (const QString& text : texts) {
        for (const QRectF& room : roomsBesidePlates(labels, largest->box())) {
            if (!labels.place(room, text, Role::neutral))
                continue;
            labels.list.labels.back().onGap = true;
            return;
        }
    }
}

// Labels the waves of copies with their numbers, and steps and transfers with their chunks.
void labelCompanion(const Labels& labels) {
    labelChunks(labels, Role::neutral);
    for (const CompanionTrack& track : labels.model.companion(labels.row.gpu)) {
        const data::SpanList& spans = track.spans;
        if (spans[0].kind != engine::SpanKind::companionWave)
            continue;
        for (std::size_t i = labels.first.item; i < labels.list.items.size(); ++i) {
            const DrawItem& item = labels.list.items[i];
            if (item.kernel != data::kernelNumberOf(spans[0]) || item.merged ||
                item.height < kLeastLabel * labels.metrics.height())
                continue;
            const std::uint32_t number = item.first - spans[0].first + 1;
            const QRectF where(item.x, item.y, item.width, item.height);
            if (!labels.place(where, labelTr("wave %1").arg(number), item))
                labels.place(where, QString::number(number), item);
        }
    }
}

}  // namespace

void appendRowLabels(const TimelineModel& model, const Row& row, const RowBox& box, const TimelineGeometry& geometry,
                     const QFontMetricsF& metrics, RowFirsts first, DrawList& list) {
    const Labels labels{model, row, box, geometry, metrics, first, list};
    if (model.isBound())
        return labelBound(labels);
    if (row.kind == RowKind::reduceScatter || row.kind == RowKind::collective)
        labelChunks(labels, Role::reduceScatter);
    if (row.kind == RowKind::allGather || row.kind == RowKind::collective)
        labelChunks(labels, Role::allGather);
    if (row.kind == RowKind::link || row.kind == RowKind::linkIn)
        labelChunks(labels, Role::link);
    if (row.kind == RowKind::companion)
        labelCompanion(labels);
    if (row.kind != RowKind::waves || row.compact)
        return;
    const bool isLastNamed = !model.inCompany() && labelWaves(labels);
    labelPieceEnds(labels);
    if (!model.inCompany())
        labelGaps(labels, isLastNamed);
}

}  // namespace ui
