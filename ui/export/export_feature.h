#pragma once

#include "data/experiment/scene_document.h"
#include "ui/export/frame_export.h"
#include "ui/look/palette.h"

#include <QObject>
#include <QSize>
#include <QString>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

class QProgressDialog;

namespace data {
struct ShownRun;
struct TraceChoice;
struct TraceHead;
struct TraceWatch;
}  // namespace data

namespace ui {

class ExperimentModel;
class RunController;
class Workbench;

/// Exports a run as frames for slides or as a trace for other viewers, and opens such traces again.
class ExportFeature final : public QObject {
    Q_OBJECT

public:
    /// What a hidden window should show, so that frames can be taken from it.
    struct StageRequest {
        data::ExperimentDraft draft;
        data::Scene scene;  ///< its experiment and time are not used
        Theme theme = Theme::light;
        QSize size{};
    };
    /// What the feature needs of other features and of the composition root.
    struct Hooks {
        std::function<data::Scene()> scene;  ///< returns what the window shows
        /// Makes a hidden window, owned by this window. It runs the draft, shows only the view of the scene, and the
        /// rest of the scene once its run is ready; it does not answer edits. The feature shows and deletes it.
        std::function<FrameStage(const StageRequest&)> makeStage;
        /// Returns the runs of the view Compare that have ended if it is in front; else an empty list.
        std::function<std::vector<std::shared_ptr<const data::ShownRun>>()> comparedRuns;
    };

    /// All must outlive the feature.
    ExportFeature(Workbench& workbench, ExperimentModel& experiment, RunController& runs, Hooks hooks);

    /// Exports the current view as pictures of this size while the run plays. The window stays usable.
    void exportFrames(const FrameRequest& request, const QSize& size);
    /// Exports the trace of the shown run; this can be cancelled, and the window stays usable.
    void exportTrace(const QString& file, const data::TraceChoice& choice);
    /// Exports the shown or the compared runs as a web page that shows what the window shows; this can be cancelled, and
    /// the window stays usable.
    void exportPage(const QString& file);

private:
    /// The message about finished work, and whether the work succeeded.
    struct FileOutcome {
        QString text;
        bool good = true;
    };
    using FileWork = std::function<FileOutcome(const data::TraceWatch& watch)>;

    void addCommands();
    void askForFrames();
    /// Asks for a folder for pictures or a file for a film; empty if the user cancels.
    QString askForTarget(std::optional<FilmFormat> film);
    void startFrames(const FrameStage& stage, QProgressDialog& progress, const FrameRequest& request);
    void askForTrace();
    void askForPage();
    /// Returns the runs that a web page would have; empty if there is none.
    std::vector<std::shared_ptr<const data::ShownRun>> runsOfPage() const;
    void openTrace(const QString& file);
    void compareWithTrace(const QString& file, const data::TraceHead& head);
    /// Runs `work` on another thread, with a dialog that shows the progress and can cancel it.
    void startFileWork(const QString& what, FileWork work);

    Workbench& m_workbench;
    ExperimentModel& m_experiment;
    RunController& m_runs;
    Hooks m_hooks;
};

}  // namespace ui
