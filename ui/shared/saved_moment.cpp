#include "ui/shared/saved_moment.h"

#include "ui/shared/view_state.h"

#include <QJsonArray>
#include <QJsonObject>

#include <optional>

namespace ui {
namespace {

/// Returns a whole number from 0 to `most`, or an empty optional.
std::optional<std::int64_t> numberUpTo(std::int64_t most, const QJsonValue& value) {
    const std::int64_t number = value.toInteger(-1);
    return number >= 0 && number <= most ? std::optional(number) : std::nullopt;
}

}  // namespace

QJsonValue savedMoment(const ViewState& state) {
    QJsonObject kept;
    if (!state.showsAll())
        kept.insert(QStringLiteral("rangePs"),
                    QJsonArray{static_cast<qint64>(state.range().start), static_cast<qint64>(state.range().end)});
    if (state.cursor())
        kept.insert(QStringLiteral("cursorPs"), static_cast<qint64>(*state.cursor()));
    if (state.followedChunk())
        kept.insert(QStringLiteral("chunk"), static_cast<qint64>(*state.followedChunk()));
    return kept.isEmpty() ? QJsonValue() : kept;
}

bool restoreMoment(const QJsonValue& kept, ViewState& state, std::int64_t gpus) {
    const QJsonObject moment = kept.toObject();
    const QJsonArray range = moment.value(QStringLiteral("rangePs")).toArray();
    const std::int64_t end = state.runEnd();
    const auto from = numberUpTo(end, range.at(0)), to = numberUpTo(end, range.at(1));
    const auto cursor = numberUpTo(end, moment.value(QStringLiteral("cursorPs")));
    const auto chunk = numberUpTo(gpus - 1, moment.value(QStringLiteral("chunk")));
    if (!kept.isObject() || (moment.contains(QStringLiteral("rangePs")) && !(from && to && *from < *to)) ||
        (moment.contains(QStringLiteral("cursorPs")) && !cursor) ||
        (moment.contains(QStringLiteral("chunk")) && !chunk))
        return false;
    if (from && to)
        state.setRange({*from, *to});
    state.setCursor(cursor);
    state.setFollowedChunk(chunk ? std::optional(static_cast<std::uint32_t>(*chunk)) : std::nullopt);
    return true;
}

}  // namespace ui
