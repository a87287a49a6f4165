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

/// A sweep and the file that it was read from; an empty file name: none.
struct OpenedSweep {
    data::Sweep sweep;
    QString file;
};

/// The state that the form, the charts and the table of a sweep share: its points, the point under the mouse, the
/// brushed points, and the chosen metric. Emits only on change. Points are indices into SweepTable::rows.
class SweepState final : public QObject {
    Q_OBJECT

public:
    explicit SweepState(QObject* parent = nullptr) : QObject(parent) {}

    /// Returns the table, or null before there is a sweep. A table never changes: new results arrive as another table.
    const std::shared_ptr<const data::SweepTable>& table() const { return m_table; }
    /// Sets the table: of the same sweep (by id) with other points done, or of another sweep, which clears hover and
    /// brush.
    void setTable(std::shared_ptr<const data::SweepTable> table);

    std::optional<std::size_t> hovered() const { return m_hovered; }
    void setHovered(std::optional<std::size_t> point);

    /// Returns the brushed points in rising order; empty if none is brushed, which means that all points count.
    const std::vector<std::size_t>& brushed() const { return m_brushed; }
    void setBrushed(std::vector<std::size_t> points);

    /// Returns the chosen metric, an index into SweepTable::metrics.
    std::size_t metric() const { return m_metric; }
    void setMetric(std::size_t metric);

    /// Asks for a sweep to become the window's; `name` is the text of the undo step.
    void requestSweep(const data::Sweep& sweep, const QString& name) { Q_EMIT sweepRequested(sweep, name); }
    /// Asks to vary a parameter, or to stop varying it.
    void requestVary(const std::string& path) { Q_EMIT varyRequested(path); }
    /// Asks for the timeline of a point.
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
