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

/// A point in time of one run that has a counterpart in the runs beside it: "3", the third chunk.
struct RunMark {
    std::int64_t ps = 0;
    QString text;
    Role role = Role::neutral;
};

/// Interface of a picture of one run over time. The feature that has such a picture implements it, because features do
/// not include each other.
class RunPicture {
public:
    RunPicture() = default;
    RunPicture(const RunPicture&) = delete;
    RunPicture& operator=(const RunPicture&) = delete;
    virtual ~RunPicture() = default;

    virtual QWidget& widget() = 0;
    /// Shows a run; `name` is written at its end.
    virtual void showRun(std::shared_ptr<const data::ShownRun> run, const QString& name) = 0;
    /// Shows the outlines of another run behind it; null: none.
    virtual void showGhost(std::shared_ptr<const data::ShownRun> run, const QString& name) = 0;
    /// Shows marks, which are sorted by time.
    virtual void showMarks(std::vector<RunMark> marks) = 0;
    /// Returns the mapping from time to x coordinates of `widget`.
    virtual TimelineGeometry geometry() const = 0;
    /// Returns the width that the picture needs to the left of its time axis.
    virtual double ownGutter() const = 0;
    /// Sets the smallest width to the left of the time axis, so that the axes of several pictures are aligned.
    virtual void setLeastGutter(double least) = 0;
    /// Called when the result of ownGutter() may have changed.
    std::function<void()> gutterChanged;
    /// Called when the user points at a time.
    std::function<void(std::int64_t ps)> momentAsked;
};

/// Makes a picture, a child of `parent`, that follows `state`.
using RunPictureFactory = std::function<std::unique_ptr<RunPicture>(ViewState& state, QWidget* parent)>;

}  // namespace ui
