#pragma once

#include <QObject>

#include <cstdint>
#include <optional>

namespace ui {

/// How far the axis of time reaches, so that lengths of runs can be compared by eye: over the run that is shown and the
/// pinned one, or over all runs that are compared. All times in picoseconds.
class RunReach final : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    void setShown(std::int64_t end);
    void setPinned(std::int64_t end);  ///< 0: no run is pinned
    /// The longest of the compared runs while they are what the window shows; nothing else.
    void setCompared(std::optional<std::int64_t> end);

    /// Where playback ends.
    std::int64_t playEnd() const;
    /// Where the axis ends.
    std::int64_t axisEnd() const;

Q_SIGNALS:
    void changed();

private:
    std::int64_t m_shown = 0, m_pinned = 0;
    std::optional<std::int64_t> m_compared;
};

}  // namespace ui
