#pragma once

#include "data/experiment/gpu_part.h"
#include "ui/shared/part_description.h"

#include <QObject>
#include <QString>

#include <functional>
#include <string>
#include <vector>

namespace ui {

class InsideView;
class RingMoment;
class ViewState;
class Workbench;

/// Adds the view Inside One GPU and the panel with the numbers of its parts to the window, and marks the selected part
/// in the form and the timeline.
class InsideFeature final : public QObject {
    Q_OBJECT

public:
    struct Hooks {
        /// Marks the fields of these parameters in the form; an empty list marks none.
        std::function<void(const std::vector<std::string>& paths)> markFields;
        /// Marks the rows of the timeline for a lane's name; an empty name marks none.
        std::function<void(const QString& lane)> markLane;
        /// Shows the banks of a memory channel over time.
        std::function<void(std::uint32_t channel)> openBanks;
    };
    /// All must outlive the feature.
    InsideFeature(Workbench& workbench, ViewState& viewState, RingMoment& moment, Hooks hooks);

    InsideView& view() { return *m_view; }
    /// Returns the facts about a part at the cursor for the inspector; empty without a run.
    PartDescription describe(data::GpuPartRef ref) const;
    /// Returns another InsideView, to be placed in another view.
    InsideView* newView(QWidget* parent);

private:
    QWidget* showPart(const QString& text);
    void followSelection();

    Workbench& m_workbench;
    ViewState& m_viewState;
    RingMoment& m_moment;
    Hooks m_hooks;
    InsideView* m_view;
    bool m_marked = false;
};

}  // namespace ui
