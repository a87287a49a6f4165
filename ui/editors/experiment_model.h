#pragma once

#include "data/experiment_document.h"

#include <QObject>
#include <QString>

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
/// Knows no widgets. Says `changed` once an edit has been taken in, whatever came of it.
class ExperimentModel final : public QObject {
    Q_OBJECT

public:
    explicit ExperimentModel(QObject* parent = nullptr);

    const data::ExperimentDraft& draft() const { return m_draft; }
    const data::Expansion& expansion() const { return m_expansion; }
    bool isRunnable() const { return m_badTexts.empty() && m_expansion.runnable(); }
    /// The first problem in words, for a place that has room for one.
    QString firstProblem() const;

    void setDraft(data::ExperimentDraft draft);
    /// A text as it was typed or a word as it was chosen. What equals the presets' value is no longer explicit.
    void setText(const engine::Parameter& parameter, const QString& text);
    void reset(const engine::Parameter& parameter);

    FieldState fieldState(const engine::Parameter& parameter) const;
    /// Presets stay explicit whatever their value: choosing one is a statement.
    static bool isPreset(std::string_view path);

Q_SIGNALS:
    void changed();

private:
    struct BadText {
        QString text;
        QString problem;
    };
    void expandAgain();

    data::ExperimentDraft m_draft;
    data::Expansion m_expansion;
    data::Expansion m_presets;  ///< the draft's presets alone
    std::map<std::string, BadText, std::less<>> m_badTexts;
};

}  // namespace ui
