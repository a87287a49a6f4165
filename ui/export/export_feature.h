#pragma once

#include "data/experiment/scene_document.h"
#include "ui/export/frame_export.h"
#include "ui/look/palette.h"

#include <QObject>
#include <QSize>
#include <QString>

#include <functional>
#include <optional>

class QProgressDialog;

namespace data {
struct TraceChoice;
struct TraceHead;
struct TraceWatch;
}  // namespace data

namespace ui {

class ExperimentModel;
class RunController;
class Workbench;

/// Writes a run as frames for slides and as a trace for other viewers, and opens such traces again.
class ExportFeature final : public QObject {
    Q_OBJECT

public:
    /// What a window that nobody sees is to show, so that frames can be taken of it.
    struct StageRequest {
        data::ExperimentDraft draft;
        data::Scene scene;  ///< without an experiment and a moment of its own
        Theme theme = Theme::light;
        QSize size{};
    };
    /// What the feature needs of other features and of the composition root.
    struct Hooks {
        std::function<data::Scene()> scene;  ///< returns what the window shows
        /// Makes another window, which nobody sees and which the window owns. It runs the draft, shows the view of the scene
        /// alone, and the rest of the scene once its run is there; it answers no edits. The feature shows and deletes it.
        std::function<FrameStage(const StageRequest&)> makeStage;
    };

    /// All must outlive the feature.
    ExportFeature(Workbench& workbench, ExperimentModel& experiment, RunController& runs, Hooks hooks);

    /// Writes what the view in front shows, in pictures of this size, while the run plays; the window stays usable.
    void exportFrames(const FrameRequest& request, const QSize& size);
    /// Writes the trace of the run that is shown; this can be cancelled, and the window stays usable.
    void exportTrace(const QString& file, const data::TraceChoice& choice);

private:
    /// What is to be told of work, and whether that is what one would wish for.
    struct FileOutcome {
        QString text;
        bool good = true;
    };
    using FileWork = std::function<FileOutcome(const data::TraceWatch& watch)>;

    void addCommands();
    void askForFrames();
    /// Returns the folder for pictures or the file for a film that somebody chooses; empty: none.
    QString askForTarget(std::optional<FilmFormat> film);
    void startFrames(const FrameStage& stage, QProgressDialog& progress, const FrameRequest& request);
    void askForTrace();
    void openTrace(const QString& file);
    void compareWithTrace(const QString& file, const data::TraceHead& head);
    /// Does `work` on another thread, beside a dialog that tells how much is done and can cancel it.
    void startFileWork(const QString& what, FileWork work);

    Workbench& m_workbench;
    ExperimentModel& m_experiment;
    RunController& m_runs;
    Hooks m_hooks;
};

}  // namespace ui
