#pragma once

#include "engine/api/parameters.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QSlider;
class QTimer;
class QToolButton;

namespace ui {

/// Which value a slider stands for at each of its positions. By ratio where the parameter table says so, otherwise in
/// equal parts. Values are round numbers a person might have typed, and always allowed.
struct SliderScale {
    static constexpr int kPositions = 240;  ///< 0 to this, inclusive: about one for each pixel of a form's width

    double low = 0;
    double high = 1;
    bool logarithmic = false;
    bool whole = true;  ///< values are whole numbers
    bool powerOfTwo = false;
    bool zeroFirst = false;  ///< position 0 is 0, where a ratio would never reach it

    double valueAt(int position) const;
    /// The nearest position; the ends for values beyond them.
    int positionOf(double value) const;
    engine::ParameterValue parameterValueAt(int position) const;
};

/// A slider's reach: sixteen times to both sides of the preset's value (in equal parts: up to eight times), within
/// what is allowed, for the whole range of the table is far too coarse to be tuned with; and as far as `current`
/// where that lies beyond. A preset that is a word or 0 has no sides, there it is the whole range.
SliderScale sliderScale(const engine::Parameter& parameter, const engine::ParameterValue& preset,
                        const engine::ParameterValue& current);

struct FieldState;

/// One parameter in the form: its label, a field or a choice, a mark that makes an axis of it, a reset button where
/// it was changed, for a number a
/// slider, and beneath in words what is wrong with it. Typing is taken in after a pause, or at once on Return and
/// when the field is left; a slider at each of its positions. A number without a unit has the unit that was shown;
/// Escape gives back what was shown.
class ParameterField final : public QWidget {
    Q_OBJECT

public:
    /// `parameter` comes from the one table and outlives every widget.
    explicit ParameterField(const engine::Parameter& parameter, QWidget* parent = nullptr);

    const engine::Parameter& parameter() const { return m_parameter; }
    void showState(const FieldState& state);
    /// Where the slider stands, and what its reach is measured from.
    void showValue(const engine::ParameterValue& value, const engine::ParameterValue& preset);
    /// What the presets in force say of it, for the tool tip.
    void showPresetSource(const QString& source);
    /// It is an axis of the sweep.
    void showVaried(bool varied);
    bool isDragged() const;
    /// The keyboard, with all of the text marked.
    void takeFocus();
    /// Takes in what is still being typed.
    void commit();
    /// What is typed is not held on to any longer: the field shows the model's text again from the next state on.
    void letGo();
    /// Gives up what is being typed; false where nothing is.
    bool restore();
    /// Differs from the preset, has a problem, or is being worked on.
    bool concerns() const;
    /// False where the experiment does not read it; said by the form, which then leaves it out. True if that is news.
    bool setUsed(bool used);
    bool isUsed() const { return m_used; }
    /// Label, path, symbol and meaning, for the filter of the form.
    bool matches(const QString& words) const;

Q_SIGNALS:
    void textEntered(const QString& text);
    void valueDragged(const QString& text);
    /// The field was left or Return pressed, a word chosen, the slider released.
    void editFinished();
    /// What was typed since the field was entered is not wanted.
    void editCancelled();
    void resetRequested();
    /// It is to become an axis of the sweep, or no longer be one.
    void varyRequested();

private:
    void buildEditor();
    void buildSlider();
    void layOut();
    /// A text that is no name, such as a list: as wide as the form.
    bool isLong() const;
    void takeSlider(int position);
    void applyColors();

    const engine::Parameter& m_parameter;
    QLabel* m_label;
    QLineEdit* m_edit = nullptr;
    QComboBox* m_choice = nullptr;
    QSlider* m_slider = nullptr;  ///< numbers only
    SliderScale m_scale;
    bool m_used = true;
    QToolButton* m_vary;
    QToolButton* m_reset;
    QLabel* m_problem;
    QTimer* m_pause;
    QTimer* m_settle;  ///< after the last of some strokes of a slider's keys
    QString m_presetSource;
    QString m_shownText;  ///< the last value without a problem, before it was typed over
    bool m_pending = false;
    bool m_changed = false;
};

/// Meaning, default, what is allowed and where the number comes from, as rich text; `preset` tells what the presets in
/// force make of it, empty where they leave it at the default.
QString parameterToolTip(const engine::Parameter& parameter, const QString& preset = {});

/// The wave beside a field: pressed while the parameter is an axis of the sweep. Whoever shows it says when that is; a
/// click alone changes nothing, since a sweep may have no room for another axis.
QToolButton* newVaryMark(const engine::Parameter& parameter, QWidget* parent);
/// Call it again when the palette changes.
void showVaryMark(QToolButton& mark, bool varied);

}  // namespace ui
