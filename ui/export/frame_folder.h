#pragma once

#include <QJsonObject>
#include <QString>

#include <cstdint>
#include <vector>

class QImage;

namespace ui {

/// Writes a picture in the format of the file's suffix, PNG where it has none: all of it or nothing, whatever ends the
/// program meanwhile. Throws data::FileError; a suffix that is no format of pictures says which are.
void writePicture(const QImage& picture, const QString& path);

/// What is wrong with a name for a picture, before there is one; empty: nothing.
QString problemOfPictureName(const QString& path);

/// A folder of numbered pictures, frame-000001.png and so on, with frames.json beside them, which says what they show and
/// by which the folder is known as one of ours.
class FrameFolder {
public:
    explicit FrameFolder(QString path) : m_path(std::move(path)) {}

    /// Makes the folder where there is none, and takes frames of before away. Says what is wrong with it instead where it
    /// holds anything else: nothing of somebody else's is ever overwritten. Empty: it is ready.
    QString prepare();

    /// `number` counts from 1.
    QString frame(int number) const;
    QString record() const;
    /// Everything about the frames, of which so many are there. False: the file cannot be written.
    bool write(QJsonObject about, const std::vector<std::int64_t>& moments, int finished) const;

private:
    QString m_path;
};

/// The moments of so many pictures a second for so long: the first one is `from`, the last one `to`, at least two.
std::vector<std::int64_t> frameMoments(std::int64_t from, std::int64_t to, double perSecond, double seconds);

}  // namespace ui
