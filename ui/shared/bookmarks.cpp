#include "ui/shared/bookmarks.h"

#include "ui/shared/view_state.h"

#include <QJsonArray>
#include <QJsonObject>

#include <algorithm>

namespace ui {
namespace {

const QString kNumber = QStringLiteral("number");
const QString kRange = QStringLiteral("rangePs");
const QString kCursor = QStringLiteral("cursorPs");
const QString kSpan = QStringLiteral("span");
const QString kArea = QStringLiteral("area");

/// Returns `n` integers of at least 0, or an empty optional if the value has any other form.
template <std::size_t n>
std::optional<std::array<std::int64_t, n>> numbers(const QJsonValue& value) {
    const QJsonArray list = value.toArray();
    std::array<std::int64_t, n> read{};
    if (list.size() != static_cast<qsizetype>(n))
        return std::nullopt;
    for (std::size_t i = 0; i < n; ++i) {
        read[i] = list.at(static_cast<qsizetype>(i)).toInteger(-1);
        if (read[i] < 0)
            return std::nullopt;
    }
    return read;
}

std::optional<data::TimeRange> rangeWithin(std::int64_t runEnd, std::int64_t start, std::int64_t end) {
    return start < end && end <= runEnd ? std::optional(data::TimeRange{start, end}) : std::nullopt;
}

QJsonObject written(int number, const Bookmark& bookmark) {
    QJsonObject kept{{kNumber, number}, {kRange, QJsonArray{qint64{bookmark.range.start}, qint64{bookmark.range.end}}}};
    if (bookmark.cursor)
        kept.insert(kCursor, qint64{*bookmark.cursor});
    if (bookmark.span)
        kept.insert(kSpan,
                    QJsonArray{qint64{bookmark.span->gpu}, qint64{bookmark.span->lane}, qint64{bookmark.span->span}});
    if (bookmark.area)
        kept.insert(kArea, QJsonArray{qint64{bookmark.area->range.start}, qint64{bookmark.area->range.end},
                                      qint64{bookmark.area->firstGpu}, qint64{bookmark.area->lastGpu}});
    return kept;
}

std::optional<Bookmark> readBookmark(const QJsonObject& kept, std::int64_t runEnd) {
    const auto ends = numbers<2>(kept.value(kRange));
    const auto range = ends ? rangeWithin(runEnd, ends->at(0), ends->at(1)) : std::nullopt;
    if (!range)
        return std::nullopt;
    Bookmark bookmark{*range, std::nullopt, std::nullopt, std::nullopt};
    if (kept.contains(kCursor)) {
        bookmark.cursor = kept.value(kCursor).toInteger(-1);
        if (*bookmark.cursor < 0 || *bookmark.cursor > runEnd)
            return std::nullopt;
    }
    constexpr std::int64_t kMost = 0xffffffff;
    if (kept.contains(kSpan)) {
        const auto place = numbers<3>(kept.value(kSpan));
        if (!place || *std::max_element(place->begin(), place->end()) > kMost)
            return std::nullopt;
        bookmark.span =
            data::SpanRef{static_cast<std::uint32_t>(place->at(0)), static_cast<std::uint32_t>(place->at(1)),
                          static_cast<std::uint32_t>(place->at(2))};
    }
    if (kept.contains(kArea)) {
        const auto place = numbers<4>(kept.value(kArea));
        const auto stretch = place ? rangeWithin(runEnd, place->at(0), place->at(1)) : std::nullopt;
        if (!stretch || place->at(2) > place->at(3) || place->at(3) > kMost)
            return std::nullopt;
        bookmark.area =
            data::Area{*stretch, static_cast<std::uint32_t>(place->at(2)), static_cast<std::uint32_t>(place->at(3))};
    }
    return bookmark;
}

}  // namespace

void Bookmarks::set(int number, const Bookmark& bookmark) {
    std::optional<Bookmark>& place = m_bookmarks[static_cast<std::size_t>(number - 1)];
    if (place == bookmark)
        return;
    place = bookmark;
    Q_EMIT changed();
}

void Bookmarks::clear() {
    if (empty())
        return;
    m_bookmarks.fill(std::nullopt);
    Q_EMIT changed();
}

bool Bookmarks::empty() const {
    return std::ranges::none_of(m_bookmarks, [](const auto& place) { return place.has_value(); });
}

std::optional<int> Bookmarks::firstFree() const {
    const auto free = std::ranges::find_if(m_bookmarks, [](const auto& place) { return !place; });
    return free == m_bookmarks.end() ? std::nullopt : std::optional(static_cast<int>(free - m_bookmarks.begin()) + 1);
}

QJsonValue Bookmarks::save() const {
    QJsonArray kept;
    for (int number = 1; number <= kLast; ++number) {
        if (at(number))
            kept << written(number, *at(number));
    }
    return kept.isEmpty() ? QJsonValue() : kept;
}

bool Bookmarks::restore(const QJsonValue& kept, std::int64_t runEnd) {
    if (!kept.isArray())
        return false;
    std::array<std::optional<Bookmark>, kLast> read;
    for (const QJsonValue& value : kept.toArray()) {
        const std::int64_t number = value[kNumber].toInteger(-1);
        const auto bookmark = readBookmark(value.toObject(), runEnd);
        if (number < 1 || number > kLast || !bookmark)
            return false;
        read[static_cast<std::size_t>(number - 1)] = bookmark;
    }
    if (read == m_bookmarks)
        return true;
    m_bookmarks = read;
    Q_EMIT changed();
    return true;
}

Bookmark bookmarkOf(const ViewState& viewState) {
    return {viewState.range(), viewState.cursor(), viewState.selectedSpan(), viewState.selectedArea()};
}

void goTo(const Bookmark& bookmark, ViewState& viewState, const std::function<bool(data::SpanRef)>& exists) {
    viewState.setRange(bookmark.range);
    viewState.setCursor(bookmark.cursor);
    if (bookmark.span && exists(*bookmark.span))
        viewState.selectSpan(*bookmark.span);
    else if (bookmark.area)
        viewState.selectArea(*bookmark.area);
    else
        viewState.clearSelection();
}

}  // namespace ui
