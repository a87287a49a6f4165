#pragma once

#include "data/sweep/sweep_document.h"
#include "ui/shared/figure_offer.h"
#include "ui/shared/sweep_state.h"

#include <QJsonValue>
#include <QObject>
#include <QString>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

class QWidget;

namespace ui {

class CatalogueSession;
class ExperimentModel;
class RunController;
class SweepModel;
class SweepSession;
class SweepState;
class SweepView;
class Workbench;

/// Runs many experiments at once: adds the view Sweep and the commands of its menu, reads and writes sweep documents,
/// and opens one point of a sweep as an experiment.
class SweepFeature final : public QObject {
    Q_OBJECT

public:
    /// Connections to other features, and the sweep from the program's arguments.
    struct Hooks {
        QWidget* chart = nullptr;                            ///< draws the points; the view takes ownership
        std::function<std::optional<FigureOffer>()> figure;  ///< returns the chart as a figure for paper
        std::optional<OpenedSweep> opened{};  ///< the window starts with it instead of the session's sweep
        /// Shows the whole model of the experiment, in the phase of the subject under the policy.
        std::function<void(data::ResultSubject, engine::PolicyPreset)> openModel{};
        std::function<QJsonValue()> savedChart{};  ///< returns the settings of the chart, for the session
        std::function<void(const QJsonValue&)> restoreChart{};
    };

    /// All must outlive the feature. Sets the base of the model, and opens the sweep in the hooks.
    SweepFeature(Workbench& workbench, ExperimentModel& experiment, RunController& runs, SweepModel& model,
                 SweepSession& session, SweepState& state, CatalogueSession& catalogue, Hooks hooks);

    SweepView& view() { return *m_view; }
    /// Shows the view and runs every point that is not in the store yet.
    void start();
    /// Opens a bundled sweep, which has no file to save it to.
    void openExample(const QString& file);
    /// Writes the sweep to a file, which is its file from then on.
    void saveAs(const QString& file);

Q_SIGNALS:
    /// The sweep was looked up in the store or has ended, and table and chart show its points.
    void shown();
    /// A sweep could not be run. `text` is also shown as a message in the window.
    /// `ofInput`: the sweep cannot be run; otherwise the store or the computer failed.
    void failed(const QString& text, bool ofInput);

private:
    void addView();
    void addCommands();
    void addSessionPart();
    void connectServices(CatalogueSession& catalogue);
    void vary(const std::string& path);
    void openPoint(std::size_t point);
    void adopt(const data::Sweep& sweep, const QString& name, const QString& file);
    void open(const QString& file);
    void askWhatToOpen();
    void save(bool asks);
    QJsonValue saveSession() const;
    bool restoreSession(const QJsonValue& kept);
    void askBreakEven();
    bool stepOut();

    Workbench& m_workbench;
    ExperimentModel& m_experiment;
    RunController& m_runs;
    SweepModel& m_model;
    SweepSession& m_session;
    SweepState& m_state;
    Hooks m_hooks;
    SweepView* m_view;
};

}  // namespace ui
