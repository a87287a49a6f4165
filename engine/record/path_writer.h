#pragma once

#include "engine/record/cause_graph.h"

#include <vector>

namespace engine {

/// Turns the edges of a walk, from the run's end backwards, into steps: names the cause of the time between two
/// vertices, and joins neighbours with the same description.
///
/// A wait for DRAM is split by the work of the channel meanwhile: the request's own service, the latency, earlier
/// requests of its own stream, and service of the other stream or of other kernels. A wait for loads counts only while
/// the pipe of the CU idles: the time in which it computes other K-steps is compute. Within one wait the time of others
/// comes first, whatever the order was, because a sequence of hundreds of changes within a microsecond would not help
/// the reader.
///
/// Promise: steps join without a gap or an overlap, whatever the edges are.
class PathWriter {
public:
    explicit PathWriter(const CauseGraph& graph) : m_graph(graph), m_cursor(graph.end().at) {}

    void add(const Enabling& edge);
    /// Returns the steps in the order of time. The time before the last edge gets one step of unknown cause.
    std::vector<PathStep> take();
    /// Returns the mean time of the loads for which the path waits while their CU idles; 0 if there are none.
    Duration meanLoad() const { return m_loads == 0 ? Duration{} : Duration{m_loadTime.ps / m_loads}; }

private:
    // The cause of a part of the path, and the place in the trace that shows it.
    struct StepCause {
        Cause cause{};
        PathAct act{};
        SpanPlace place;
        std::int64_t bytes = 0;
    };

    void stretch(const CauseVertex& of, TimePoint from, StepCause part);
    void add(const CauseVertex& of, TimePoint from, StepCause part);
    void throughMemory(const Enabling& edge);
    void behindOthers(const Enabling& edge, TimePoint asked, const StepCause& own);
    void beforeMemory(const Enabling& edge);
    void direct(const Enabling& edge);
    void sinceProduced(const CauseVertex& of, TimePoint landed);
    void pacedIssue(const CauseVertex& of, const CauseVertex& step, TimePoint from);
    StepCause stepCause(Cause cause, PathAct act, SpanPlace place, bool withBytes = false) const;
    StepCause unknown() const { return {Cause::dependency, PathAct::waits, {}, 0}; }
    bool joins(const PathStep& step, const CauseVertex& of, const StepCause& part) const;

    const CauseGraph& m_graph;
    TimePoint m_cursor;             // all time from here on is in m_steps
    std::vector<PathStep> m_steps;  // from the end backwards
    std::vector<Busy> m_computing;  // of the CU that waits for a load, during the present edge
    SpanPlace m_computedBy;         // the workgroup that waits
    Duration m_loadTime;            // of loads for which the path waits
    std::int64_t m_loads = 0;
};

}  // namespace engine
