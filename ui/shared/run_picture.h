#pragma once

#include "data/replay/shown_run.h"
#include "ui/look/palette.h"
#include "ui/shared/time_picture.h"

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

/// Interface of a picture of one run over time.
class RunPicture : public TimePicture {
public:
    /// Shows a run; `name` is written at its end.
    virtual void showRun(std::shared_ptr<const data::ShownRun> run, const QString& name) = 0;
    /// Shows the outlines of another run behind it; null: none.
    virtual void showGhost(std::shared_ptr<const data::ShownRun> run, const QString& name) = 0;
    /// Shows marks, which are sorted by time.
    virtual void showMarks(std::vector<RunMark> marks) = 0;
    /// Called when the user points at a time.
    std::function<void(std::int64_t ps)> momentAsked;
};

/// Makes a picture, a child of `parent`, that follows `state`.
using RunPictureFactory = std::function<std::unique_ptr<RunPicture>(ViewState& state, QWidget* parent)>;

}  // namespace ui
