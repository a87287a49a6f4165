#pragma once

#include <QJsonValue>
#include <QObject>
#include <QPointer>
#include <QString>

#include <optional>
#include <string>
#include <vector>

namespace ui {

class ExperimentForm;
class ExperimentModel;
class RunController;
class SweepModel;
class SweepState;
class Workbench;
struct DocumentOrigin;
class SpotlightFrame;
struct PaletteEntry;

/// The experiment being edited: the form in its panel, opening and saving its files, undo and redo.
class ExperimentFeature final : public QObject {
    Q_OBJECT

public:
    struct Config {
        std::optional<bool> runsWhileEditing{};  ///< empty: as set in the settings
    };

    /// All but the configuration must outlive the feature.
    ExperimentFeature(Workbench& workbench, ExperimentModel& experiment, RunController& runs, SweepModel& sweep,
                      SweepState& sweepState, const Config& config);

    ExperimentForm& form() { return *m_form; }
    /// Draws frames around the fields of these parameters, in place of earlier frames, and scrolls to the first field.
    /// The keyboard focus does not move.
    void markFields(const std::vector<std::string>& paths);
    /// Writes the presets and every explicit value to a file, which is the experiment's file from then on.
    void saveAs(const QString& file);
    /// Writes every parameter to a file.
    /// Returns whether the experiment is a network, which has a whole model and no run.
    bool isOnlyAModel() const;
    void exportComplete(const QString& file);

private:
    void connectRuns(const Config& config);
    void connectSweep();
    void connectModel();
    void addFileCommands();
    void addPresetCommands();
    void addUndoCommands();
    void addSweepCommand();
    void addSessionParts();
    void addPaletteEntries(std::vector<PaletteEntry>& entries);

    QWidget* showField(const std::string& path);
    bool isExperimentUndone() const;
    void chooseUndoStack();

    void openExperiment(const QString& file);
    void openOwnPreset(const QString& name);
    void save();
    void askWhereToSave();
    void askWhereToExport();
    void writeTo(const DocumentOrigin& origin);
    bool restoreExperiment(const QJsonValue& kept);
    bool restoreDocument(const QJsonValue& kept);
    void showTitle();
    void showBrokenPresets();

    Workbench& m_workbench;
    ExperimentModel& m_experiment;
    RunController& m_runs;
    SweepModel& m_sweep;
    SweepState& m_sweepState;
    ExperimentForm* m_form;
    std::vector<QPointer<SpotlightFrame>> m_marks;
};

}  // namespace ui
