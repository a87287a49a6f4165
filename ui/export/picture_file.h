#pragma once

class QImage;
class QString;

namespace ui {

/// Writes a picture in the format of the file's suffix, PNG where it has none: all of it or nothing, whatever ends the
/// program meanwhile. Throws data::FileError; a suffix that is no format of pictures says which are.
void writePicture(const QImage& picture, const QString& path);

/// What is wrong with a name for a picture, before there is one; empty: nothing.
QString problemOfPictureName(const QString& path);

}  // namespace ui
