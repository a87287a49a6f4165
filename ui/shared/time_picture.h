#pragma once

#include "ui/look/timeline_geometry.h"

#include <functional>

class QWidget;

namespace ui {

/// Interface of a picture over time that stands with others beneath one another, on one time axis. The feature that has
/// such a picture implements it, because features do not include each other.
class TimePicture {
public:
    TimePicture() = default;
    TimePicture(const TimePicture&) = delete;
    TimePicture& operator=(const TimePicture&) = delete;
    virtual ~TimePicture() = default;

    virtual QWidget& widget() = 0;
    /// Returns the mapping from time to x coordinates of `widget`.
    virtual TimelineGeometry geometry() const = 0;
    /// Returns the width that the picture needs to the left of its time axis.
    virtual double ownGutter() const = 0;
    /// Sets the smallest width to the left of the time axis, so that the axes of several pictures are aligned.
    virtual void setLeastGutter(double least) = 0;
    /// Called when the result of ownGutter() may have changed.
    std::function<void()> gutterChanged;
};

}  // namespace ui
