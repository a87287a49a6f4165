#pragma once

#include "data/replay/time_range.h"

#include <QObject>

#include <optional>
#include <vector>

namespace ui {

/// Rulers on the time axis: the current one, which can be moved, and the kept ones.
class Measures final : public QObject {
    Q_OBJECT

public:
    explicit Measures(QObject* parent = nullptr) : QObject(parent) {}

    const std::optional<data::TimeRange>& current() const { return m_current; }
    const std::vector<data::TimeRange>& kept() const { return m_kept; }
    bool empty() const { return !m_current && m_kept.empty(); }

    /// Places the current ruler at `range`, or removes it if it is already there. An empty range is ignored.
    void mark(data::TimeRange range);
    /// Moves the ends of the current ruler. If the ends cross, they swap their roles.
    void moveTo(data::TimeRange range);
    /// Keeps the current ruler where it is, so that another can be placed. Without a current ruler, makes the last kept
    /// one current again.
    void keep();
    void clear();

Q_SIGNALS:
    void changed();

private:
    std::optional<data::TimeRange> m_current;
    std::vector<data::TimeRange> m_kept;
};

}  // namespace ui
