#pragma once

#include "data/replay/time_range.h"

#include <QObject>

#include <optional>
#include <vector>

namespace ui {

/// Rulers laid on the time axis: one that can be moved, and those that were kept.
class Measures final : public QObject {
    Q_OBJECT

public:
    explicit Measures(QObject* parent = nullptr) : QObject(parent) {}

    const std::optional<data::TimeRange>& current() const { return m_current; }
    const std::vector<data::TimeRange>& kept() const { return m_kept; }
    bool empty() const { return !m_current && m_kept.empty(); }

    /// Lays the ruler there; where it lies already it is taken away. An empty stretch is none.
    void mark(data::TimeRange range);
    /// Moves an end of the current one; ends that cross change their parts.
    void moveTo(data::TimeRange range);
    /// Leaves the current one where it is and frees the hand for another. Without a current one takes the last back.
    void keep();
    void clear();

Q_SIGNALS:
    void changed();

private:
    std::optional<data::TimeRange> m_current;
    std::vector<data::TimeRange> m_kept;
};

}  // namespace ui
