#pragma once

#include "data/experiment/experiment_document.h"
#include "data/experiment/own_presets.h"

#include <QObject>
#include <QString>
#include <QUndoStack>

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace ui {

/// The content of a form's field for one parameter.
struct FieldState {
    QString text;
    bool changed = false;  ///< differs from the value of the presets
    QString problem;       ///< empty if the value is valid
};

/// The file that an experiment was read from or written to.
struct DocumentOrigin {
    QString file;
    data::DocumentTexts texts{};  ///< the file's label and notes
    bool operator==(const DocumentOrigin&) const = default;
};

/// The experiment being edited: a draft and, beside it, the texts that cannot be parsed, kept exactly as typed. Does
/// not depend on widgets. Emits `changed` after every edit, whether or not the edit changed the draft. Every edit can
/// be undone; edits of one parameter are merged into one undo step until `finishEdit`, so that a burst of typing or a
/// drag is one step and two drags are two. A model or machine preset of the user puts its values into the draft, so
/// that the draft means the same on every computer; the form still shows them as values of the preset.
class ExperimentModel final : public QObject {
    Q_OBJECT

public:
    /// `presetFolder` holds the user's own presets; empty: there are none.
    explicit ExperimentModel(std::string presetFolder = {}, QObject* parent = nullptr);

    const data::ExperimentDraft& draft() const { return m_draft; }
    const data::Expansion& expansion() const { return m_expansion; }
    bool isRunnable() const { return m_badTexts.empty() && m_expansion.runnable(); }
    /// Returns whether a field holds a text that cannot be parsed.
    bool hasUnreadableText() const { return !m_badTexts.empty(); }
    /// Returns the message of the first problem, for a place with room for one only.
    QString firstProblem() const;
    /// Returns the path of the parameter that the first problem is about; empty if there is no problem.
    std::string problemPath() const;

    /// Replaces the draft and clears the undo history.
    void setDraft(data::ExperimentDraft draft);
    /// Replaces the experiment as an edit that can be undone; `name` is the text of the undo step.
    void replaceDraft(data::ExperimentDraft draft, const QString& name,
                      const std::optional<DocumentOrigin>& origin = std::nullopt);
    /// Sets a parameter from a typed text or a chosen word. A text that cannot be parsed makes no undo step: it stays in
    /// its field only, and the experiment keeps its value.
    void setText(const engine::Parameter& parameter, const QString& text);
    /// Sets a parameter to an allowed value. A value equal to that of the presets is no longer explicit. `step`: the text
    /// of the undo step; empty: "Change" and the parameter's label.
    void setValue(const engine::Parameter& parameter, const engine::ParameterValue& value, const QString& step = {});
    /// Restores the value that the parameter had before its field was edited. Possible until `finishEdit`.
    void cancelEdit(const engine::Parameter& parameter);
    void reset(const engine::Parameter& parameter);
    /// Ends an edit, because a field was left or a slider was released: the next change makes a new undo step.
    void finishEdit() { ++m_burst; }
    /// Between these two calls a picture changes a parameter by a drag: its edits are one undo step, and the runs that
    /// answer them are previews.
    void beginDrag();
    void endDrag();
    bool isDragged() const { return m_dragged; }

    /// Returns the file of this experiment. Undoing the opening of a file also restores the file before it, so that an
    /// experiment is never saved over the wrong file.
    const std::optional<DocumentOrigin>& origin() const { return m_origin; }
    /// Sets the file of this experiment. `written` is the draft that the file now contains.
    void setSaved(const DocumentOrigin& origin, const data::ExperimentDraft& written);
    /// Returns whether the draft differs from its file; false if it has no file.
    bool differsFromFile() const;

    // The user's own presets (experiment_presets.cpp). Each change of them can be undone, including the change of the
    // file.
    const data::OwnPresets& ownPresets() const { return m_ownPresets; }
    /// Returns why no preset can have this name; empty if the name is allowed. A user's preset of the same name would
    /// be replaced.
    QString nameProblem(data::OwnKind kind, const QString& name) const;
    /// Returns the name of the user's preset in use (for an experiment: the one equal to the draft); empty if there is
    /// none.
    QString chosenPreset(data::OwnKind kind) const;
    /// Returns whether any value that a preset of this kind would store differs from the preset in use.
    bool differsFromPreset(data::OwnKind kind) const;
    void savePreset(data::OwnKind kind, const QString& name);
    void renamePreset(data::OwnKind kind, const QString& from, const QString& to);
    void removePreset(data::OwnKind kind, const QString& name);

    QUndoStack& undoStack() { return m_undoStack; }

    engine::ParameterValue valueOf(const engine::Parameter& parameter) const {
        return parameter.read(m_expansion.experiment);
    }
    engine::ParameterValue presetValueOf(const engine::Parameter& parameter) const {
        return parameter.read(m_presets.experiment);
    }
    /// Describes the preset in use that sets this parameter, with its value, label and source; empty if there is none.
    QString presetSourceOf(const engine::Parameter& parameter) const;
    FieldState fieldState(const engine::Parameter& parameter) const;
    /// Returns whether a parameter chooses a preset. Such a parameter stays explicit whatever its value, because the
    /// choice itself is information.
    static bool isPreset(std::string_view path);

Q_SIGNALS:
    void changed();
    void dragEnded();
    void originChanged();
    void presetsChanged();
    void presetsFailed(const QString& text);

private:
    struct BadText {
        QString text;
        QString problem;
        bool operator==(const BadText&) const = default;
    };
    using BadTexts = std::map<std::string, BadText, std::less<>>;
    /// Everything that an edit can change.
    struct State {
        data::ExperimentDraft draft;
        BadTexts badTexts;
        bool operator==(const State&) const = default;
    };
    class Edit;
    class PresetEdit;

    State present() const { return {m_draft, m_badTexts}; }
    void takeBadText(const engine::Parameter& parameter, BadText text);
    /// Returns the newest undo step if it is the current edit of this parameter, else null.
    const Edit* editUnderWay(const engine::Parameter& parameter) const;
    /// Sets `state` without making an undo step.
    void changeWithoutStep(const State& state);
    void restore(const State& state);
    void setOrigin(const std::optional<DocumentOrigin>& origin);
    /// Deletes the preset `out` and writes the preset `in`. Returns false if the files cannot be changed.
    bool changePresets(const std::optional<data::OwnPreset>& out, const std::optional<data::OwnPreset>& in);
    void expandAgain();

    data::OwnPresets m_ownPresets;
    data::ExperimentDraft m_draft;
    data::Expansion m_expansion;
    data::ExperimentDraft m_presetDraft;  ///< the presets of the draft, with the values of the user's presets
    data::Expansion m_presets;
    BadTexts m_badTexts;
    std::optional<DocumentOrigin> m_origin;
    std::map<QString, data::ExperimentDraft>
        m_written;  ///< the content of each file that this model has read or written
    QUndoStack m_undoStack;
    std::int64_t m_burst = 0;
    bool m_dragged = false;
};

}  // namespace ui
