#pragma once

#include <QString>

namespace ui {

/// Returns a tool tip that shows the text as it is written. Qt takes a tool tip for HTML as soon as its first line
/// contains a tag, and then loads pictures from any file that the tag names. Every tool tip with words from a document
/// (titles, names, notes, file names) is made with this function; labels are plain text by WindowStyle.
QString plainTip(const QString& text);

}  // namespace ui
