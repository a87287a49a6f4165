#pragma once

#include "ui/shared/breakpoint_search.h"

#include <QJsonArray>
#include <QObject>

#include <memory>
#include <vector>

namespace ui {

/// The breakpoints of the window and their hits in the shown run. The hits are searched again when the breakpoints or
/// the run change, so that going to the next hit is a look-up.
class BreakpointList final : public QObject {
    Q_OBJECT

public:
    explicit BreakpointList(QObject* parent = nullptr) : QObject(parent) {}

    const std::vector<Breakpoint>& all() const { return m_breakpoints; }
    /// Returns the number of hits of a breakpoint in the shown run, or an empty optional while the run has no log.
    std::optional<std::size_t> countOf(std::size_t breakpoint) const;

    /// Adds a breakpoint, or enables it if the list already has it.
    void add(const Breakpoint& breakpoint);
    void remove(std::size_t breakpoint);
    void setEnabled(std::size_t breakpoint, bool enabled);
    void setLog(std::shared_ptr<const data::RunLog> log);

    /// Return a hit of an enabled breakpoint, or null if there is none: firstWithin() the first one after `from` and
    /// not after `to`, nextAfter() the first one after `from`, lastBefore() the last one before `from`.
    const BreakpointHit* firstWithin(const data::Position& from, const data::Position& to) const;
    const BreakpointHit* nextAfter(const data::Position& from) const;
    const BreakpointHit* lastBefore(const data::Position& from) const;

    QJsonArray toJson() const;
    /// Restores saved breakpoints. Returns false and changes nothing if `kept` is not a list of breakpoints.
    bool restore(const QJsonArray& kept);

Q_SIGNALS:
    void changed();

private:
    void search();

    std::vector<Breakpoint> m_breakpoints;
    std::shared_ptr<const data::RunLog> m_log;
    std::vector<std::size_t> m_counts;  // by breakpoint
    std::vector<BreakpointHit> m_hits;  // hits of the enabled breakpoints, in order
};

}  // namespace ui
