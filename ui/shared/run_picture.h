#pragma once

#include "data/replay/shown_run.h"
#include "ui/look/palette.h"
#include "ui/look/timeline_geometry.h"

#include <QString>

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

class QWidget;

namespace ui {

class ViewState;

/// A moment of a run that has its like in the runs beside it: "3", the third chunk.
struct RunMark {
    std::int64_t ps = 0;
    QString text;
    Role role = Role::neutral;
};

/// A picture of one run over time, made by whoever has one: features do not know each other's.
class RunPicture {
public:
    RunPicture() = default;
    RunPicture(const RunPicture&) = delete;
    RunPicture& operator=(const RunPicture&) = delete;
    virtual ~RunPicture() = default;

    virtual QWidget& widget() = 0;
    /// `name` stands at its end.
    virtual void showRun(std::shared_ptr<const data::ShownRun> run, const QString& name) = 0;
    /// Another run in outlines behind it; null: none.
    virtual void showGhost(std::shared_ptr<const data::ShownRun> run, const QString& name) = 0;
    /// Sorted by time.
    virtual void showMarks(std::vector<RunMark> marks) = 0;
    /// Time to x of `widget`.
    virtual TimelineGeometry geometry() const = 0;
    /// How much room it needs to the left of its time axis.
    virtual double ownGutter() const = 0;
    /// Leaves at least this much room there, so that its time axis stands under those of other pictures.
    virtual void setLeastGutter(double least) = 0;
    /// What ownGutter() says may have changed.
    std::function<void()> gutterChanged;
    /// Somebody points at a moment.
    std::function<void(std::int64_t ps)> momentAsked;
};

/// A picture that shows what `state` says, within `parent`.
using RunPictureFactory = std::function<std::unique_ptr<RunPicture>(ViewState& state, QWidget* parent)>;

}  // namespace ui
