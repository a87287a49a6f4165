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

/// What a form shows of one parameter.
struct FieldState {
    QString text;
    bool changed = false;  ///< different from what the presets say
    QString problem;       ///< empty when fine
};

/// Where an experiment was read from or written to.
struct DocumentOrigin {
    QString file;
    data::DocumentTexts texts{};  ///< label and notes, which come with it
    bool operator==(const DocumentOrigin&) const = default;
};

/// The experiment being edited: a draft, and beside it the texts that could not be understood, kept word for word.
/// Knows no widgets. Says `changed` once an edit has been taken in, whatever came of it. Every edit can be undone;
/// edits of one parameter are one step back until `finishEdit`, so that a burst of typing or a drag is one, and two
/// drags are two. A model or machine of the reader's own puts its values into the draft, so that the draft means the
/// same wherever it is read; the form takes them for the preset's all the same.
class ExperimentModel final : public QObject {
    Q_OBJECT

public:
    /// Own presets are kept in `presetFolder`; empty: there are none.
    explicit ExperimentModel(std::string presetFolder = {}, QObject* parent = nullptr);

    const data::ExperimentDraft& draft() const { return m_draft; }
    const data::Expansion& expansion() const { return m_expansion; }
    bool isRunnable() const { return m_badTexts.empty() && m_expansion.runnable(); }
    /// Something typed stands for no value at all.
    bool hasUnreadableText() const { return !m_badTexts.empty(); }
    /// The first problem in words, for a place that has room for one.
    QString firstProblem() const;
    /// The parameter that the first problem is about; empty for none.
    std::string problemPath() const;

    /// A new beginning: nothing before it can be undone.
    void setDraft(data::ExperimentDraft draft);
    /// Another experiment in place of this one, as an edit; `name` tells what was done.
    void replaceDraft(data::ExperimentDraft draft, const QString& name,
                      const std::optional<DocumentOrigin>& origin = std::nullopt);
    /// Takes a text as it was typed or a word as it was chosen. What equals the presets' value is no longer explicit. A
    /// text that cannot be read is no step back: it only stays in its field, and the experiment keeps its value.
    void setText(const engine::Parameter& parameter, const QString& text);
    /// Gives the parameter back the value that it had before its field was edited, until `finishEdit`.
    void cancelEdit(const engine::Parameter& parameter);
    void reset(const engine::Parameter& parameter);
    /// The field was left, the slider released: what comes next is another edit.
    void finishEdit() { ++m_burst; }

    /// Undoing an opening gives the file before it back as well: nothing is ever saved over the wrong file.
    const std::optional<DocumentOrigin>& origin() const { return m_origin; }
    /// The draft belongs to this file from now on, in which `written` stands.
    void setSaved(const DocumentOrigin& origin, const data::ExperimentDraft& written);
    /// Differs from its file; without a file there is nothing to differ from.
    bool differsFromFile() const;

    // Own presets (experiment_presets.cpp). Each change can be undone, its file included.
    const data::OwnPresets& ownPresets() const { return m_ownPresets; }
    /// Why no preset can have this name; empty when one can. An own one of that name would be replaced.
    QString nameProblem(data::OwnKind kind, const QString& name) const;
    /// The own preset in force, of an experiment the one that equals the draft; empty when there is none.
    QString chosenPreset(data::OwnKind kind) const;
    /// Something that a preset of this kind would hold differs from the one in force.
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
    /// The preset in force that sets this parameter, with its value, label and source; empty where none does.
    QString presetSourceOf(const engine::Parameter& parameter) const;
    FieldState fieldState(const engine::Parameter& parameter) const;
    /// Presets stay explicit whatever their value: choosing one is a statement.
    static bool isPreset(std::string_view path);

Q_SIGNALS:
    void changed();
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
    /// All that an edit can change.
    struct State {
        data::ExperimentDraft draft;
        BadTexts badTexts;
        bool operator==(const State&) const = default;
    };
    class Edit;
    class PresetEdit;

    State present() const { return {m_draft, m_badTexts}; }
    void takeBadText(const engine::Parameter& parameter, BadText text);
    /// Returns the newest step where it is the current edit of this parameter, else null.
    const Edit* editUnderWay(const engine::Parameter& parameter) const;
    /// Takes on `state` beside the history.
    void changeWithoutStep(const State& state);
    void restore(const State& state);
    void setOrigin(const std::optional<DocumentOrigin>& origin);
    /// `out` goes, `in` comes; false when the disk refuses.
    bool changePresets(const std::optional<data::OwnPreset>& out, const std::optional<data::OwnPreset>& in);
    void expandAgain();

    data::OwnPresets m_ownPresets;
    data::ExperimentDraft m_draft;
    data::Expansion m_expansion;
    data::ExperimentDraft m_presetDraft;  ///< the draft's presets alone, with the values of own ones
    data::Expansion m_presets;
    BadTexts m_badTexts;
    std::optional<DocumentOrigin> m_origin;
    std::map<QString, data::ExperimentDraft> m_written;  ///< what stands in each file, as far as it went through here
    QUndoStack m_undoStack;
    std::int64_t m_burst = 0;
};

}  // namespace ui
