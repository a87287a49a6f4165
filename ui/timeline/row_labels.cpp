#include "ui/timeline/row_labels.h"

#include "ui/look/format.h"
#include "ui/timeline/row_items.h"

#include <QCoreApplication>

#include <algorithm>
#include <utility>

namespace ui {
namespace {

constexpr double kLeastLabel = 0.55;  // of a line: smaller blocks carry no words

QString labelTr(const char* text) { return QCoreApplication::translate("RowLabels", text); }

struct Labels {
    const TimelineModel& model;
    const Row& row;
    const RowBox& box;
    const TimelineGeometry& geometry;
    const QFontMetricsF& metrics;
    std::size_t firstItem;
    DrawList& list;

    bool place(const QRectF& where, const QString& text, Role role) const {
        if (metrics.horizontalAdvance(text) + 6 > where.width())
            return false;
        list.labels.push_back({where, text, role});
        return true;
    }
    /// x extent within the picture
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
    for (std::size_t i = labels.firstItem; i < labels.list.items.size(); ++i) {
        const DrawItem& item = labels.list.items[i];
        if (item.role != role || item.chunk == engine::kNone || item.height < kLeastLabel * metrics.height())
            continue;
        blocks.push_back(&item);
        roomy += metrics.horizontalAdvance(labelTr("chunk %1").arg(item.chunk)) + 6 <= item.width ? 1 : 0;
        narrow += metrics.horizontalAdvance(QString::number(item.chunk)) + 6 > item.width ? 1 : 0;
    }
    // One form for all of a kind in a row, and none where most would miss theirs: a few numbers among many blocks only confuse.
    const auto count = static_cast<int>(blocks.size());
    if (narrow * 2 > count)
        return;
    const bool words = roomy * 5 >= count * 4;
    for (const DrawItem* item : blocks) {
        const QRectF where(item->x, item->y, item->width, item->height);
        const bool placed = words && labels.place(where, labelTr("chunk %1").arg(item->chunk), item->role);
        if (!placed && !item->merged)
            labels.place(where, QString::number(item->chunk), item->role);
    }
}

void labelBound(const Labels& labels) {
    const engine::Span span = labels.model.boundSpan(labels.row.kind);
    const auto [left, right] = labels.visible(span);
    labels.place({left, labels.box.top, right - left, labels.box.height}, formatTime((span.end - span.start).ps),
                 roleOf(labels.row.kind));
}

void labelWaves(const Labels& labels) {
    const RowBox& box = labels.box;
    const double height = std::min(box.height, labels.metrics.height() * 1.3);
    const std::uint32_t firstWave = labels.model.index()->gpu(labels.row.gpu).firstWave;
    for (const engine::Span& wave : labels.model.waves(labels.row.gpu).spans) {
        auto [left, right] = labels.visible(wave);
        // Only as far as the area carries the words: a GEMM's last wave runs out slowly.
        for (std::size_t i = labels.firstItem; i < labels.list.items.size(); ++i) {
            const DrawItem& item = labels.list.items[i];
            if (item.first == wave.first && item.height < height * 0.85)
                right = std::min(right, item.x);
        }
        const QRectF where(left, box.bottom() - height, right - left, height);
        const std::uint32_t number = wave.first - firstWave + 1;
        if (!labels.place(where, labelTr("wave %1").arg(number), Role::gemm))
            labels.place(where, QString::number(number), Role::gemm);
    }
}

}  // namespace

void appendRowLabels(const TimelineModel& model, const Row& row, const RowBox& box, const TimelineGeometry& geometry,
                     const QFontMetricsF& metrics, std::size_t firstItem, DrawList& list) {
    const Labels labels{model, row, box, geometry, metrics, firstItem, list};
    if (model.isBound())
        return labelBound(labels);
    if (row.kind == RowKind::reduceScatter || row.kind == RowKind::collective)
        labelChunks(labels, Role::reduceScatter);
    if (row.kind == RowKind::allGather || row.kind == RowKind::collective)
        labelChunks(labels, Role::allGather);
    if (row.kind == RowKind::link || row.kind == RowKind::linkIn)
        labelChunks(labels, Role::link);
    if (row.kind == RowKind::waves && !row.compact)
        labelWaves(labels);
}

}  // namespace ui
