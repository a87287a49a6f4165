#pragma once

#include "data/experiment_document.h"

#include <QObject>
#include <QString>
#include <QUndoStack>

#include <cstdint>
#include <map>
#include <string>

namespace ui {

/// What a form shows of one parameter.
struct FieldState {
    QString text;
    bool changed = false;  ///< set by hand and different from what the presets say
    QString problem;       ///< empty when fine
};

/// The experiment being edited: a draft, and beside it the texts that could not be understood, kept word for word.
/// Knows no widgets. Says `changed` once an edit has been taken in, whatever came of it. Every edit can be undone;
/// edits of one parameter are one step back until `finishEdit`, so that a burst of typing or a drag is one, and two
/// drags are two.
class ExperimentModel final : public QObject {
    Q_OBJECT

public:
    explicit ExperimentModel(QObject* parent = nullptr);

    const data::ExperimentDraft& draft() const { return m_draft; }
    const data::Expansion& expansion() const { return m_expansion; }
    bool isRunnable() const { return m_badTexts.empty() && m_expansion.runnable(); }
    /// The first problem in words, for a place that has room for one.
    QString firstProblem() const;

    /// A new beginning: nothing before it can be undone.
    void setDraft(data::ExperimentDraft draft);
    /// Another experiment in place of this one, as an edit; `name` tells what was done.
    void replaceDraft(data::ExperimentDraft draft, const QString& name);
    /// A text as it was typed or a word as it was chosen. What equals the presets' value is no longer explicit.
    void setText(const engine::Parameter& parameter, const QString& text);
    void reset(const engine::Parameter& parameter);
    /// The field was left, the slider released: what comes next is another edit.
    void finishEdit() { ++m_burst; }

    QUndoStack& undoStack() { return m_undoStack; }

    engine::ParameterValue valueOf(const engine::Parameter& parameter) const {
        return parameter.read(m_expansion.experiment);
    }
    engine::ParameterValue presetValueOf(const engine::Parameter& parameter) const {
        return parameter.read(m_presets.experiment);
    }
    FieldState fieldState(const engine::Parameter& parameter) const;
    /// Presets stay explicit whatever their value: choosing one is a statement.
    static bool isPreset(std::string_view path);

Q_SIGNALS:
    void changed();

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

    void push(const std::string& path, const QString& name, State after);
    void restore(const State& state);
    void expandAgain();

    data::ExperimentDraft m_draft;
    data::Expansion m_expansion;
    data::Expansion m_presets;  ///< the draft's presets alone
    BadTexts m_badTexts;
    QUndoStack m_undoStack;
    std::int64_t m_burst = 0;
};

}  // namespace ui
