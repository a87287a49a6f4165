#pragma once

#include "data/replay/span_ref.h"

#include <QJsonValue>
#include <QObject>

#include <array>
#include <functional>
#include <optional>

namespace ui {

class ViewState;

/// A place in a run to return to: visible range, cursor and selection.
struct Bookmark {
    data::TimeRange range;
    std::optional<std::int64_t> cursor;
    std::optional<data::SpanRef> span;
    std::optional<data::Area> area;
    /// Returns the time at which the bookmark's flag is drawn: the cursor, or the middle of the visible range if there
    /// is no cursor.
    std::int64_t moment() const { return cursor.value_or(range.start + range.span() / 2); }
    bool operator==(const Bookmark&) const = default;
};

/// Nine bookmarks, numbered by the keys that set them. They belong to the window and stay when another run is shown.
class Bookmarks final : public QObject {
    Q_OBJECT

public:
    static constexpr int kLast = 9;

    explicit Bookmarks(QObject* parent = nullptr) : QObject(parent) {}

    /// Returns the bookmark `number`, from 1 to kLast, or an empty optional if it is not set.
    const std::optional<Bookmark>& at(int number) const { return m_bookmarks[static_cast<std::size_t>(number - 1)]; }
    void set(int number, const Bookmark& bookmark);
    void clear();
    bool empty() const;
    /// Returns the lowest number that is not set, or an empty optional if all are set.
    std::optional<int> firstFree() const;

    /// Returns the bookmarks as JSON, or null if none is set.
    QJsonValue save() const;
    /// Restores what save() returned. Returns false and changes nothing if the value has another format or does not fit
    /// into the run.
    bool restore(const QJsonValue& kept, std::int64_t runEnd);

Q_SIGNALS:
    void changed();

private:
    std::array<std::optional<Bookmark>, kLast> m_bookmarks;
};

Bookmark bookmarkOf(const ViewState& viewState);

/// Restores the view of a bookmark. `exists` returns whether the shown run has a span; the bookmark's span is selected
/// only then.
void goTo(const Bookmark& bookmark, ViewState& viewState, const std::function<bool(data::SpanRef)>& exists);

}  // namespace ui
