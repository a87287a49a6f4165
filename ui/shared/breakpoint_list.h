#pragma once

#include "ui/shared/breakpoint_search.h"

#include <QJsonArray>
#include <QObject>

#include <memory>
#include <vector>

namespace ui {

/// The breakpoints of the window and where the shown run meets them. Searched anew when either changes, so that going
/// to the next one is a look-up.
class BreakpointList final : public QObject {
    Q_OBJECT

public:
    explicit BreakpointList(QObject* parent = nullptr) : QObject(parent) {}

    const std::vector<Breakpoint>& all() const { return m_breakpoints; }
    /// How often the shown run meets one; nothing while there is no log.
    std::optional<std::size_t> countOf(std::size_t breakpoint) const;

    /// One that is there already is only enabled.
    void add(const Breakpoint& breakpoint);
    void remove(std::size_t breakpoint);
    void setEnabled(std::size_t breakpoint, bool enabled);
    void setLog(std::shared_ptr<const data::RunLog> log);

    /// The first hit of an enabled breakpoint after `from` and not after `to`; the last before `from`. Null: none.
    const BreakpointHit* firstWithin(const data::Position& from, const data::Position& to) const;
    const BreakpointHit* nextAfter(const data::Position& from) const;
    const BreakpointHit* lastBefore(const data::Position& from) const;

    QJsonArray toJson() const;
    /// False, having changed nothing, for what is no list of breakpoints.
    bool restore(const QJsonArray& kept);

Q_SIGNALS:
    void changed();

private:
    void search();

    std::vector<Breakpoint> m_breakpoints;
    std::shared_ptr<const data::RunLog> m_log;
    std::vector<std::size_t> m_counts;  // by breakpoint
    std::vector<BreakpointHit> m_hits;  // of enabled ones, in order
};

}  // namespace ui
