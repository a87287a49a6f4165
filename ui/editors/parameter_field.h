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

/// The values of a slider's positions: geometric if the parameter table says so, otherwise evenly spaced. Values are
/// round numbers as a person would type them, and always allowed.
struct SliderScale {
    static constexpr int kPositions =
        240;  ///< the last position; about one position for each pixel of the form's width

    double low = 0;
    double high = 1;
    bool logarithmic = false;
    bool whole = true;  ///< values are whole numbers
    bool powerOfTwo = false;
    bool zeroFirst = false;  ///< position 0 is the value 0, which a geometric scale never reaches

    double valueAt(int position) const;
    /// Returns the position nearest to a value; the first or last position for a value out of range.
    int positionOf(double value) const;
    engine::ParameterValue parameterValueAt(int position) const;
};

/// Returns the scale of a slider: from a sixteenth to sixteen times the preset's value (evenly spaced: up to eight
/// times), within the allowed values, because the whole range of the table is too coarse for tuning; extended to
/// `current` if that is outside. If the preset is a word or 0, the scale has the whole range.
SliderScale sliderScale(const engine::Parameter& parameter, const engine::ParameterValue& preset,
                        const engine::ParameterValue& current);

struct FieldState;
class LinesEdit;

/// One parameter in the form: label, field or choice, a button that makes it an axis, a reset button if it was changed,
/// a slider for a number, and below them a message if the value is invalid. A typed text is applied after a pause, on
/// Return or when the field is left; a slider is applied at each of its positions. A number typed without a unit has
/// the unit shown before; Escape restores the text shown before.
class ParameterField final : public QWidget {
    Q_OBJECT

public:
    /// `parameter` is an entry of the parameter table, which outlives every widget.
    explicit ParameterField(const engine::Parameter& parameter, QWidget* parent = nullptr);

    const engine::Parameter& parameter() const { return m_parameter; }
    void showState(const FieldState& state);
    /// Sets the slider's value, and the preset's value that determines its range.
    void showValue(const engine::ParameterValue& value, const engine::ParameterValue& preset);
    /// Sets the text about the presets' value for the tool tip.
    void showPresetSource(const QString& source);
    /// Sets whether the parameter is an axis of the sweep.
    void showVaried(bool varied);
    bool isDragged() const;
    /// Takes the keyboard focus and selects the whole text.
    void takeFocus();
    /// Applies a text that is still being typed.
    void commit();
    /// Gives up a typed text: the field shows the model's text again from the next update on.
    void letGo();
    /// Restores the field's former text; returns false if nothing was being typed.
    bool restore();
    /// Returns whether the value differs from the preset, is invalid, or is being edited.
    bool concerns() const;
    /// Sets whether the experiment reads the parameter; the form hides the field if not. Returns whether this has
    /// changed.
    bool setUsed(bool used);
    bool isUsed() const { return m_used; }
    /// Returns whether label, path, symbol or meaning matches the form's filter.
    bool matches(const QString& words) const;

Q_SIGNALS:
    void textEntered(const QString& text);
    void valueDragged(const engine::ParameterValue& value);
    /// The field was left, Return was pressed, a word was chosen, or the slider was released.
    void editFinished();
    /// The user discards what was typed since the field got the focus.
    void editCancelled();
    void resetRequested();
    /// The user wants to make the parameter an axis of the sweep, or to remove that axis.
    void varyRequested();

private:
    void buildEditor();
    void buildLines();
    void buildSlider();
    void layOut();
    /// Returns whether the value is a long text, such as a list, which needs the whole width of the form.
    bool isLong() const;
    QWidget* editor() const;
    // Of the field in which a text is typed.
    bool hasText() const { return m_edit != nullptr || m_lines != nullptr; }
    QString typedText() const;
    void setTypedText(const QString& text);
    bool isTyped() const;
    void setTyped(bool typed);
    void takeSlider(int position);
    void applyColors();

    const engine::Parameter& m_parameter;
    QLabel* m_label;
    QLineEdit* m_edit = nullptr;
    LinesEdit* m_lines = nullptr;  ///< for a text with lines
    QComboBox* m_choice = nullptr;
    QSlider* m_slider = nullptr;  ///< for numbers only
    SliderScale m_scale;
    bool m_used = true;
    QToolButton* m_vary;
    QToolButton* m_reset;
    QLabel* m_problem;
    QTimer* m_pause;
    QTimer* m_settle;  ///< fires after the last of several keys that move a slider
    QString m_presetSource;
    QString m_shownText;  ///< the last valid text before the user typed over it
    bool m_pending = false;
    bool m_changed = false;
};

/// Returns meaning, default, allowed values and source of a parameter as rich text. `preset` describes how the presets
/// in use set it; empty if they do not.
QString parameterToolTip(const engine::Parameter& parameter, const QString& preset = {});

/// Returns the button with a wave beside a field, which is pressed while the parameter is an axis of the sweep. A click
/// does not change its state; the owner sets it, because a sweep may have no room for another axis.
QToolButton* newVaryMark(const engine::Parameter& parameter, QWidget* parent);
/// Shows the button as pressed or not. Call it again when the palette changes.
void showVaryMark(QToolButton& mark, bool varied);

}  // namespace ui
