#pragma once

#include "data/sweep/sweep_document.h"

#include <QObject>
#include <QString>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ui {

/// A sweep and the file that it was read from; empty: none.
struct OpenedSweep {
    data::Sweep sweep;
    QString file;
};

/// What form, charts and table of a sweep have in common: its points, which one the mouse is at, which ones are
/// brushed, and which numbers are looked at. Emits on change only. Points are positions in SweepTable::rows.
class SweepState final : public QObject {
    Q_OBJECT

public:
    explicit SweepState(QObject* parent = nullptr) : QObject(parent) {}

    /// Null before there is a sweep. Never changed once it is here: news come as another table.
    const std::shared_ptr<const data::SweepTable>& table() const { return m_table; }
    /// Of the same sweep (by id) with other points done, or of another one; then hover and brush are let go.
    void setTable(std::shared_ptr<const data::SweepTable> table);

    std::optional<std::size_t> hovered() const { return m_hovered; }
    void setHovered(std::optional<std::size_t> point);

    /// In rising order; empty when nothing is brushed, which means that all count.
    const std::vector<std::size_t>& brushed() const { return m_brushed; }
    void setBrushed(std::vector<std::size_t> points);

    /// Position in SweepTable::metrics.
    std::size_t metric() const { return m_metric; }
    void setMetric(std::size_t metric);

    /// Asks for a sweep to become the window's; `name` is that of the undo step.
    void requestSweep(const data::Sweep& sweep, const QString& name) { Q_EMIT sweepRequested(sweep, name); }
    /// Asks for a parameter to be varied, or to be varied no more.
    void requestVary(const std::string& path) { Q_EMIT varyRequested(path); }
    /// Asks whoever can for the timeline of a point.
    void open(std::size_t point) { Q_EMIT openRequested(point); }

Q_SIGNALS:
    void sweepRequested(const data::Sweep& sweep, const QString& name);
    void varyRequested(const std::string& path);
    void tableChanged();
    void hoveredChanged();
    void brushedChanged();
    void metricChanged();
    void openRequested(std::size_t point);

private:
    std::shared_ptr<const data::SweepTable> m_table;
    std::optional<std::size_t> m_hovered;
    std::vector<std::size_t> m_brushed;
    std::size_t m_metric = 0;
};

}  // namespace ui
