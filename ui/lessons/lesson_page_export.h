#pragma once

#include "ui/lessons/handout_tour.h"
#include "ui/shared/worker.h"

#include <QObject>
#include <QString>

#include <string>
#include <vector>

class QProgressDialog;

namespace ui {

class Workbench;

/// Writes a lesson as a web page: takes a picture of each step that a page cannot draw, then runs, checks and writes on
/// another thread. A dialog shows the progress and can cancel it; the window stays usable. Deletes itself at the end.
class LessonPageExport final : public QObject {
    Q_OBJECT

public:
    /// The workbench must outlive the export.
    LessonPageExport(Workbench& workbench, LessonStage stage, data::Lesson lesson, const QString& file);

private:
    void write();
    void end();

    Workbench& m_workbench;
    data::Lesson m_lesson;
    QString m_file;
    QProgressDialog* m_progress;  // owns this object
    HandoutTour* m_tour;
    Worker m_worker;  // last: it is destroyed first
};

/// Returns whether a web page cannot draw the view of a step, so that it has a picture of the window.
bool needsPicture(const data::LessonStep& step);

/// Returns the picture of each step that needs one, as PNG.
std::vector<std::string> lessonPagePictures(const data::Lesson& lesson,
                                            const std::vector<std::optional<LessonPicture>>& pictures);

}  // namespace ui
