#pragma once

#include "data/replay/flow.h"
#include "data/replay/span_matches.h"
#include "ui/shared/view_state.h"

#include <QObject>

#include <memory>
#include <optional>

namespace ui {

/// The selection in the shown run: the selected span with the spans that lead to it and follow from it, and the matches
/// of a search.
class RunSelection final : public QObject {
    Q_OBJECT

public:
    /// `viewState` must outlive it.
    explicit RunSelection(ViewState& viewState, QObject* parent = nullptr);

    /// Takes a run; null before the first one. Keeps the selection if the new run has the same span in the same place.
    void showRun(std::shared_ptr<const data::ShownRun> run);
    /// Returns the dependencies between the spans of the shown run; null before the first run.
    const std::shared_ptr<const data::Flow>& flow() const { return m_flow; }
    /// Returns the selected range of time, or that of the selected span.
    std::optional<data::TimeRange> range() const;
    /// Selects a span, follows its chunk and scrolls it into view. Does nothing if the run has no such span.
    void selectAndReveal(data::SpanRef ref);
    /// Asks the pictures to scroll to a span.
    void reveal(data::SpanRef ref) { Q_EMIT revealed(ref); }
    void showMatches(std::shared_ptr<const data::SpanMatches> matches) { Q_EMIT matchesChanged(std::move(matches)); }

Q_SIGNALS:
    void flowChanged(std::shared_ptr<const data::Flow> flow);
    void revealed(data::SpanRef ref);
    void matchesChanged(std::shared_ptr<const data::SpanMatches> matches);

private:
    ViewState& m_viewState;
    std::shared_ptr<const data::Flow> m_flow;
};

}  // namespace ui
