#pragma once

#include "engine/record/cause_graph.h"

#include <vector>

namespace engine {

/// Turns the edges of a walk, from the run's end backwards, into steps: says what the time between two moments went into,
/// and joins neighbours that say the same.
/// A wait for DRAM is split by what the channel did meanwhile: its own service and latency, those of its own stream in
/// front of it, and what it did for the other stream or for other kernels. Within one wait what others took comes first,
/// whatever the order was: hundreds of changes within a microsecond would be no help to anybody.
/// Promise: steps join without a gap or an overlap, whatever the edges say.
class PathWriter {
public:
    explicit PathWriter(const CauseGraph& graph) : m_graph(graph), m_cursor(graph.end().at) {}

    void add(const Enabling& edge);
    /// The steps in the order of time. Whatever is left before the last edge nobody knows anything about.
    std::vector<PathStep> take();

private:
    // What a stretch went into, and where it shows.
    struct Told {
        Cause cause{};
        PathAct act{};
        SpanPlace place;
        std::int64_t bytes = 0;
    };

    void stretch(const Moment& of, TimePoint from, Told told);
    void throughMemory(const Enabling& edge);
    void behindOthers(const Enabling& edge, TimePoint asked, const Told& own);
    void beforeMemory(const Enabling& edge);
    void direct(const Enabling& edge);
    void pacedIssue(const Moment& of, const Moment& step, TimePoint from);
    Told tell(Cause cause, PathAct act, SpanPlace place, bool withBytes = false) const;
    Told unknown() const { return {Cause::dependency, PathAct::waits, {}, 0}; }
    bool joins(const PathStep& step, const Moment& of, const Told& told) const;

    const CauseGraph& m_graph;
    TimePoint m_cursor;             // everything from here on is told
    std::vector<PathStep> m_steps;  // from the end backwards
};

}  // namespace engine
