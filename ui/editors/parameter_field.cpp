#include "ui/editors/parameter_field.h"

#include "data/document/list_value.h"
#include "data/document/value_places.h"
#include "engine/api/parameters.h"
#include "ui/editors/lines_edit.h"
#include "ui/look/format.h"
#include "ui/look/palette.h"
#include "ui/look/weight.h"
#include "ui/look/widget_parts.h"
#include "ui/shared/experiment_model.h"

#include <QApplication>
#include <QComboBox>
#include <QCoreApplication>
#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSlider>
#include <QTimer>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <utility>

namespace ui {
namespace {

constexpr int kTypingPauseMs = 80;
constexpr int kSettleMs = 500;
constexpr int kEditorWidth = 116;
constexpr int kLongestText = 64;

constexpr auto kTint = "tint";

QString tr(const char* words) { return QCoreApplication::translate("VaryMark", words); }

constexpr double kReach = 16;         // range of a geometric scale: the preset's value divided and multiplied by this
constexpr double kEvenReach = 8;      // the same for evenly spaced scales, which begin at the allowed minimum
constexpr double kWidestRatio = 1e6;  // highest over lowest value of a geometric scale whose minimum is 0
constexpr int kDigits = 3;

// Rounds to three digits, which is the resolution of a slider.
double rounded(double value) {
    if (value == 0)
        return 0;
    const double unit = std::pow(10.0, std::floor(std::log10(std::abs(value))) - (kDigits - 1));
    // Dividing by the inverse yields the double nearest to 0.35; 35 * 0.01 does not.
    return unit < 1 ? std::round(value / unit) / std::round(1 / unit) : std::round(value / unit) * unit;
}

}  // namespace

double SliderScale::valueAt(int position) const {
    const double share = static_cast<double>(std::clamp(position, 0, kPositions)) / kPositions;
    if (position <= 0)
        return zeroFirst ? 0 : low;
    if (position >= kPositions)
        return high;
    double value = logarithmic ? low * std::pow(high / low, share) : low + (high - low) * share;
    if (powerOfTwo)
        return std::clamp(std::exp2(std::round(std::log2(value))), low, high);
    value = whole && value < 1e3 ? std::round(value) : rounded(value);
    return std::clamp(value, low, high);
}

int SliderScale::positionOf(double value) const {
    if (!(value > low))
        return 0;
    if (value >= high)
        return kPositions;
    const double share = logarithmic ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
    return static_cast<int>(std::lround(share * kPositions));
}

engine::ParameterValue SliderScale::parameterValueAt(int position) const {
    const double value = valueAt(position);
    return whole ? engine::ParameterValue(static_cast<std::int64_t>(std::llround(value))) : value;
}

SliderScale sliderScale(const engine::Parameter& parameter, const engine::ParameterValue& preset,
                        const engine::ParameterValue& current) {
    SliderScale scale;
    scale.low = parameter.minimum;
    scale.high = parameter.maximum;
    scale.logarithmic = parameter.logarithmic || parameter.powerOfTwo;
    scale.powerOfTwo = parameter.powerOfTwo;
    scale.whole = parameter.kind == engine::ParameterKind::integer;
    const std::optional<double> middle = data::numberOf(preset);
    if (scale.logarithmic && middle && *middle > 0) {
        scale.low = std::max(scale.low, *middle / kReach);
        scale.high = std::min(scale.high, *middle * kReach);
    }
    if (!scale.logarithmic && middle && *middle > 0)
        scale.high = std::min(scale.high, *middle * kEvenReach);
    const std::optional<double> value = data::numberOf(current);
    if (value && *value > 0) {
        scale.low = std::min(scale.low, std::max(*value, parameter.minimum));
        scale.high = std::max(scale.high, std::min(*value, parameter.maximum));
    }
    if (scale.logarithmic && scale.low <= 0)
        scale.low = std::max(scale.whole ? 1.0 : 0.0, scale.high / kWidestRatio);
    if (scale.whole) {
        scale.low = std::ceil(scale.low);
        scale.high = std::floor(scale.high);
    }
    scale.zeroFirst = scale.logarithmic && parameter.minimum <= 0;
    return scale;
}

QToolButton* newVaryMark(const engine::Parameter& parameter, QWidget* parent) {
    auto* mark = new QToolButton(parent);
    mark->setAutoRaise(true);
    mark->setCheckable(true);
    mark->setIconSize({14, 14});
    setNames(*mark, QStringLiteral("vary:") + QString::fromStdString(parameter.path),
             tr("Vary %1").arg(QString::fromStdString(parameter.label)));
    // Shows the state that Qt toggled; after a click, the owner changes the sweep and sets the state again.
    QObject::connect(mark, &QToolButton::toggled, mark, [mark] { showVaryMark(*mark, mark->isChecked()); });
    showVaryMark(*mark, false);
    return mark;
}

void showVaryMark(QToolButton& mark, bool varied) {
    // Uses the parent's palette, because the parent learns of a new theme before its children.
    const Palette& colors = paletteOf(*mark.parentWidget());
    mark.setChecked(varied);
    // Draws the icon only if its colour changes: every field has such a button and updates it with each edit, which
    // took a fifth of the time of a slider's movement.
    const QColor tint = varied ? colors.onAccent : colors.inkSoft;
    if (mark.property(kTint).value<QColor>() != tint) {
        mark.setProperty(kTint, tint);
        mark.setIcon(tintedIcon(QStringLiteral("vary"), tint));
    }
    const QString sheet =
        varied ? QStringLiteral("QToolButton { background: %1; border: 2px solid %1; border-radius: 4px; }"
                                "QToolButton:hover, QToolButton:focus { border-color: %2; }")
                     .arg(colors.accent.name(), colors.ink.name())
               : QString();
    if (mark.styleSheet() != sheet)
        mark.setStyleSheet(sheet);
    mark.setToolTip(varied ? tr("Stop varying this parameter") : tr("Vary this parameter"));
}

QString parameterToolTip(const engine::Parameter& parameter, const QString& preset) {
    const QString symbol =
        parameter.symbol.empty() ? QString() : QStringLiteral(" (%1)").arg(text(parameter.symbol).toHtmlEscaped());
    const QString allowed = text(engine::describeAllowed(parameter)).toHtmlEscaped();
    const QString source = text(parameter.source).toHtmlEscaped();
    return QStringLiteral(
               "<p><b>%1</b>%2</p><p>%3</p><p>Default: %4<br>Allowed: %5<br>Source of the default: %6%7%9</p><p><code>%8</code></p>")
        .arg(text(parameter.label).toHtmlEscaped(), symbol, text(parameter.meaning).toHtmlEscaped(),
             text(engine::formatValue(parameter, parameter.defaultValue)).toHtmlEscaped(), allowed,
             text(engine::name(parameter.sourceLabel)), source.isEmpty() ? QString() : QStringLiteral(", ") + source,
             text(parameter.path), preset.isEmpty() ? QString() : QStringLiteral("<br>") + preset.toHtmlEscaped());
}

ParameterField::ParameterField(const engine::Parameter& parameter, QWidget* parent)
    : QWidget(parent), m_parameter(parameter), m_label(newWrappedLabel(this)), m_vary(newVaryMark(parameter, this)),
      m_reset(new QToolButton(this)), m_problem(newWrappedLabel(this, QStringLiteral("problem"))),
      m_pause(pauseTimer(this, kTypingPauseMs, [this] { commit(); })),
      m_settle(pauseTimer(this, kSettleMs, [this] { Q_EMIT editFinished(); })) {
    setObjectName(QStringLiteral("field:") + text(parameter.path));
    setToolTip(parameterToolTip(parameter));
    m_label->setText(text(parameter.label));
    makeFlat(*m_reset, tr("Reset to the preset's value"), tr("Reset %1").arg(m_label->text()));
    m_reset->setIconSize({12, 12});
    keepRoom(*m_reset);
    connect(m_vary, &QToolButton::clicked, this, &ParameterField::varyRequested);
    m_problem->hide();
    connect(m_reset, &QToolButton::clicked, this, [this] {
        m_pending = false;
        m_pause->stop();
        Q_EMIT resetRequested();
    });

    buildEditor();
    if (m_parameter.kind == engine::ParameterKind::integer || m_parameter.kind == engine::ParameterKind::real)
        buildSlider();
    layOut();
    applyColors();
    onEvents(*this, {QEvent::ApplicationPaletteChange, QEvent::PaletteChange}, [this] { applyColors(); });
}

bool ParameterField::isLong() const {
    return m_parameter.kind == engine::ParameterKind::text && m_parameter.maximum > 0;
}

void ParameterField::layOut() {
    QWidget* editor = this->editor();
    editor->setAccessibleName(m_label->text());
    m_label->setBuddy(editor);
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 1, 0, 1);
    grid->setHorizontalSpacing(4);
    grid->setVerticalSpacing(1);
    grid->addWidget(m_label, 0, 0);
    if (isLong()) {
        grid->addWidget(editor, 1, 0, 1, 4);
    } else {
        editor->setFixedWidth(kEditorWidth);
        grid->addWidget(editor, 0, 1);
    }
    grid->addWidget(m_vary, 0, 2);
    grid->addWidget(m_reset, 0, 3);
    if (m_slider != nullptr)
        grid->addWidget(m_slider, 1, 0, 1, 2);
    grid->addWidget(m_problem, 2, 0, 1, 4);
    grid->setColumnStretch(0, 1);
}

void ParameterField::buildEditor() {
    if (m_parameter.kind == engine::ParameterKind::choice) {
        m_choice = new QComboBox(this);
        for (const std::string& word : m_parameter.words)
            m_choice->addItem(text(word));
        connect(m_choice, &QComboBox::activated, this, [this] {
            Q_EMIT textEntered(m_choice->currentText());
            Q_EMIT editFinished();
        });
        return;
    }
    m_shownText = text(engine::formatValue(m_parameter, m_parameter.defaultValue));
    if (data::hasLines(m_parameter.path))
        return buildLines();
    m_edit = new QLineEdit(this);
    m_edit->setMaxLength(isLong() ? static_cast<int>(m_parameter.maximum) : kLongestText);
    leaveUndoToTheWindow(*m_edit, [this] { restore(); });
    connect(m_edit, &QLineEdit::textEdited, this, [this] {
        m_pending = true;
        m_pause->start();
    });
    connect(m_edit, &QLineEdit::editingFinished, this, [this] {
        letGo();
        Q_EMIT editFinished();
    });
}

void ParameterField::buildLines() {
    m_lines = new LinesEdit(static_cast<int>(m_parameter.maximum), this);
    connect(m_lines, &LinesEdit::textEdited, this, [this] {
        m_pending = true;
        m_pause->start();
    });
    connect(m_lines, &LinesEdit::escaped, this, [this] { restore(); });
    connect(m_lines, &LinesEdit::editingFinished, this, [this] {
        letGo();
        Q_EMIT editFinished();
    });
}

QWidget* ParameterField::editor() const {
    if (m_lines != nullptr)
        return m_lines;
    return m_edit != nullptr ? static_cast<QWidget*>(m_edit) : m_choice;
}

QString ParameterField::typedText() const { return m_lines != nullptr ? m_lines->text() : m_edit->text(); }

void ParameterField::setTypedText(const QString& text) {
    if (m_lines != nullptr)
        m_lines->setText(text);
    else
        m_edit->setText(text);
}

bool ParameterField::isTyped() const { return m_lines != nullptr ? m_lines->isModified() : m_edit->isModified(); }

void ParameterField::setTyped(bool typed) {
    if (m_lines != nullptr)
        m_lines->setModified(typed);
    else
        m_edit->setModified(typed);
}

void ParameterField::buildSlider() {
    m_slider = new QSlider(Qt::Horizontal, this);
    m_slider->setRange(0, SliderScale::kPositions);
    m_slider->setPageStep(SliderScale::kPositions / 12);
    m_slider->setFocusPolicy(Qt::StrongFocus);
    m_slider->setAccessibleName(tr("%1, slider").arg(m_label->text()));
    m_slider->setFixedHeight(fontMetrics().height());
    connect(m_slider, &QSlider::valueChanged, this, &ParameterField::takeSlider);
    connect(m_slider, &QSlider::sliderReleased, this, &ParameterField::editFinished);
}

void ParameterField::takeSlider(int position) {
    m_pause->stop();
    m_pending = false;
    const engine::ParameterValue value = m_scale.parameterValueAt(position);
    m_edit->setText(text(engine::formatValue(m_parameter, value)));  // replaces a typed text
    Q_EMIT valueDragged(value);
    if (!m_slider->isSliderDown())
        m_settle->start();
}

void ParameterField::showValue(const engine::ParameterValue& value, const engine::ParameterValue& preset) {
    if (m_slider == nullptr || m_slider->isSliderDown())
        return;  // a new scale would move the slider away from the pointer
    m_scale = sliderScale(m_parameter, preset, value);
    const std::optional<double> number = data::numberOf(value);
    // The word "unlimited" is at the end of the scale, other words such as "auto" are at its beginning.
    const bool endless = value == engine::ParameterValue(std::string("unlimited"));
    const QSignalBlocker quiet(m_slider);
    if (number && m_scale.valueAt(m_slider->value()) != *number)
        m_slider->setValue(m_scale.positionOf(*number));
    if (!number)
        m_slider->setValue(endless ? SliderScale::kPositions : 0);
}

void ParameterField::showPresetSource(const QString& source) {
    if (m_presetSource == source)
        return;
    m_presetSource = source;
    setToolTip(parameterToolTip(m_parameter, source));
}

void ParameterField::showVaried(bool varied) { showVaryMark(*m_vary, varied); }

bool ParameterField::isDragged() const { return m_slider != nullptr && m_slider->isSliderDown(); }

void ParameterField::takeFocus() { m_label->buddy()->setFocus(Qt::ShortcutFocusReason); }

void ParameterField::commit() {
    m_pause->stop();
    if (!m_pending)
        return;
    m_pending = false;
    Q_EMIT textEntered(withUnitOf(m_parameter, typedText(), m_shownText));
}

bool ParameterField::restore() {
    if (!hasText() || !isTyped())
        return false;
    m_pause->stop();
    m_pending = false;
    setTyped(false);
    Q_EMIT editCancelled();
    if (m_edit != nullptr)
        m_edit->selectAll();
    return true;
}

void ParameterField::letGo() {
    commit();
    if (hasText())
        setTyped(false);
}

void ParameterField::showState(const FieldState& state) {
    if (hasText() && !m_pending) {
        // A text that the user is typing ("75GB/s") stays as it is until the field loses the focus.
        const bool typing = editor()->hasFocus() && !typedText().isEmpty() && isTyped();
        if (!typing) {
            if (state.problem.isEmpty())
                m_shownText = state.text;
            if (typedText() != state.text)
                setTypedText(state.text);
        }
    }
    if (m_choice != nullptr) {
        const QSignalBlocker quiet(m_choice);
        m_choice->setCurrentIndex(m_choice->findText(state.text));
    }
    m_changed = state.changed;
    setWeight(*m_label, state.changed ? QFont::Bold : QFont::Normal);
    m_reset->setVisible(state.changed);
    m_problem->setText(state.problem);
    m_problem->setVisible(!state.problem.isEmpty());
    QWidget* editor = this->editor();
    editor->setAccessibleDescription(state.problem);
    applyColors();
}

bool ParameterField::concerns() const {
    return m_changed || !m_problem->text().isEmpty() || isAncestorOf(QApplication::focusWidget());
}

bool ParameterField::setUsed(bool used) { return std::exchange(m_used, used) != used; }

bool ParameterField::matches(const QString& words) const {
    const QString all = text(m_parameter.label) + QLatin1Char(' ') + text(m_parameter.path) + QLatin1Char(' ') +
                        text(m_parameter.symbol) + QLatin1Char(' ') + text(m_parameter.meaning) + QLatin1Char(' ') +
                        text(engine::name(m_parameter.group));
    return std::ranges::all_of(words.split(QLatin1Char(' '), Qt::SkipEmptyParts),
                               [&all](const QString& word) { return all.contains(word, Qt::CaseInsensitive); });
}

void ParameterField::applyColors() {
    const Palette& colors = paletteOf(*this);
    const bool bad = !m_problem->text().isEmpty();
    if (m_problem->palette().color(QPalette::WindowText) != colors.error) {
        setInk(*m_problem, colors.error);
        showVaryMark(*m_vary, m_vary->isChecked());
        m_reset->setIcon(tintedIcon(QStringLiteral("reset"), colors.inkSoft));
    }
    if (!hasText())
        return;
    QPalette field = editor()->palette();
    const QColor ink = bad ? colors.error : colors.ink;
    if (field.color(QPalette::Text) == ink)
        return;
    field.setColor(QPalette::Text, ink);
    editor()->setPalette(field);
}

}  // namespace ui
