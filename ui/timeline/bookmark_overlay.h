#pragma once

#include "ui/shared/bookmarks.h"
#include "ui/timeline/timeline_overlay.h"

namespace ui {

/// A small numbered flag under the time axis for each bookmark in sight.
class BookmarkOverlay final : public TimelineOverlay {
public:
    /// `bookmarks` must outlive the overlay.
    explicit BookmarkOverlay(const Bookmarks& bookmarks) : m_bookmarks(bookmarks) {}

    void paint(QPainter& painter, const TimelinePicture& picture) const override;

private:
    const Bookmarks& m_bookmarks;
};

}  // namespace ui
