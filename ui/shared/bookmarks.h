#pragma once

#include "data/replay/span_ref.h"

#include <QJsonValue>
#include <QObject>

#include <array>
#include <functional>
#include <optional>

namespace ui {

class ViewState;

/// A place in a run to come back to: what was in sight, where the cursor stood and what was selected.
struct Bookmark {
    data::TimeRange range;
    std::optional<std::int64_t> cursor;
    std::optional<data::SpanRef> span;
    std::optional<data::Area> area;
    /// Where its flag stands: the cursor or, without one, the middle of what was in sight.
    std::int64_t moment() const { return cursor.value_or(range.start + range.span() / 2); }
    bool operator==(const Bookmark&) const = default;
};

/// Nine of them, by the number on their key. They stay with the window while runs come and go.
class Bookmarks final : public QObject {
    Q_OBJECT

public:
    static constexpr int kLast = 9;

    explicit Bookmarks(QObject* parent = nullptr) : QObject(parent) {}

    /// `number`: 1 to kLast.
    const std::optional<Bookmark>& at(int number) const { return m_bookmarks[static_cast<std::size_t>(number - 1)]; }
    void set(int number, const Bookmark& bookmark);
    void clear();
    bool empty() const;
    /// The first that is not set; nothing when all are.
    std::optional<int> firstFree() const;

    /// Null when none is set.
    QJsonValue save() const;
    /// False, having changed nothing, where the value is not what `save` writes or does not fit into the run.
    bool restore(const QJsonValue& kept, std::int64_t runEnd);

Q_SIGNALS:
    void changed();

private:
    std::array<std::optional<Bookmark>, kLast> m_bookmarks;
};

Bookmark bookmarkOf(const ViewState& viewState);

/// `exists` says whether a span is in the run that is shown; one of another run is not selected.
void goTo(const Bookmark& bookmark, ViewState& viewState, const std::function<bool(data::SpanRef)>& exists);

}  // namespace ui
