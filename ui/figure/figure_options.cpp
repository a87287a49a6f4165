#include "ui/figure/figure_options.h"

#include "data/figure/axis_units.h"
#include "data/figure/figure_edits.h"
#include "data/figure/figure_parts.h"
#include "data/figure/figure_size.h"
#include "engine/api/quantity.h"
#include "ui/figure/parts_editor.h"
#include "ui/look/format.h"
#include "ui/look/widget_parts.h"
#include "ui/workbench/message_bar.h"

#include <QAbstractSpinBox>
#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QGridLayout>
#include <QGroupBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <utility>

namespace ui {
namespace {

constexpr std::array kFormats{FigureFormat::pdf,  FigureFormat::svg,     FigureFormat::png,
                              FigureFormat::csv,  FigureFormat::tikz,    FigureFormat::python,
                              FigureFormat::spec, FigureFormat::caption, FigureFormat::alternative};
constexpr int kFormatColumns = 2;

using data::FigureSpec;

constexpr double kTallest = 2000;  // points
QString numberText(const std::optional<double>& number) {
    return number ? QLocale::c().toString(*number, 'g', QLocale::FloatingPointShortest) : QString();
}

using Number = std::optional<double>;  // empty: automatic

/// Returns the number in a field: an empty Number if the field is empty, and an empty optional if its text is not a
/// number.
std::optional<Number> numberIn(const QString& text) {
    if (text.trimmed().isEmpty())
        return Number();
    bool good = false;
    QString plainText = text.trimmed();
    const double number = QLocale::c().toDouble(plainText.replace(QChar(0x2212), u'-'), &good);
    return good ? std::optional<Number>(Number(number)) : std::nullopt;
}

void setText(QLineEdit& field, const QString& text) {
    if (field.text() == text)
        return;
    field.setText(text);
    field.setCursorPosition(0);  // shows the beginning of a long text
}

QString problemText(const char* words) { return QCoreApplication::translate("ui::FigureProblem", words); }

/// Returns " of panel 2" if there are several panels.
QString ofPanel(std::size_t panel, const data::FigureSpec& figure) {
    return figure.panels.size() > 1 ? problemText(" of panel %1").arg(panel + 1) : QString();
}

QString axisText(const engine::Problem& problem, const data::FigureAxis& axis, const QString& name,
                 const QString& field) {
    const auto shown = [](double number) { return text(engine::shortestText(number)); };
    if (axis.from && axis.to && !(*axis.from < *axis.to))
        return problemText("The range of the %1 is empty: %2 to %3. It must end above its beginning.")
            .arg(name, shown(*axis.from), shown(*axis.to));
    if (field == QLatin1String("from") || field == QLatin1String("to"))
        return (field == QLatin1String("from") ? problemText("The %1 cannot begin at %2: %3.")
                                               : problemText("The %1 cannot end at %2: %3."))
            .arg(name, text(problem.value), text(problem.text));
    return problemText("The %1 of the %2: %3.").arg(field, name, text(problem.text));
}

/// Returns the name that the options give to a field of the document; empty if they do not show it.
QString placeOf(const QString& field) {
    if (field == QLatin1String("height"))
        return problemText("The height");
    if (field == QLatin1String("weight"))
        return problemText("The share of the height");
    if (field == QLatin1String("name"))
        return problemText("The name");
    if (field == QLatin1String("title"))
        return problemText("The title");
    return {};
}

}  // namespace

FigureOptions::FigureOptions(QWidget* parent)
    : QScrollArea(parent), m_problem(new MessageBar(*viewport())), m_inside(new QWidget) {
    setNames(*this, QStringLiteral("figureOptions"), tr("Appearance and text of the figure"));
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus);
    auto* column = new QVBoxLayout(m_inside);
    const int em = fontMetrics().averageCharWidth();
    column->setContentsMargins(em, em, em, em);
    column->addWidget(buildWhole());
    column->addWidget(buildPanel());
    column->addWidget(buildParts());
    column->addWidget(buildWords());
    column->addStretch(1);
    m_problem->setObjectName(QStringLiteral("figureProblem"));
    setWidget(m_inside);
    // Undo and redo go to the view's undo stack: a field's own stack would not know the edits of other fields.
    for (auto* field : m_inside->findChildren<QLineEdit*>())
        field->installEventFilter(this);
    for (auto* field : m_inside->findChildren<QPlainTextEdit*>()) {
        field->setUndoRedoEnabled(false);
        field->installEventFilter(this);
    }
    for (auto* field : m_inside->findChildren<QAbstractSpinBox*>()) {
        field->installEventFilter(this);
        field->findChild<QLineEdit*>()->setAccessibleName(field->accessibleName());  // the part that has the focus
    }
    showFigure(nullptr);
}

bool FigureOptions::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo)) {
            event->ignore();
            return true;
        }
    }
    return QScrollArea::eventFilter(watched, event);
}

QWidget* FigureOptions::buildWhole() {
    auto* box = new QGroupBox(tr("Figure"), m_inside);
    auto* form = new QFormLayout(box);
    const auto chooser = [&](const QString& label, const QString& name, const QString& step,
                             void (*choose)(FigureSpec&, int)) {
        auto* field = new QComboBox(box);
        setNames(*field, name, label);
        field->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        form->addRow(label, field);
        connect(field, &QComboBox::activated, this, [this, step, choose](int index) {
            change(step, {}, [choose, index](FigureSpec& figure) { choose(figure, index); });
        });
        return field;
    };
    m_size = chooser(tr("Size"), QStringLiteral("figureSize"), tr("size"),
                     [](FigureSpec& figure, int index) { figure.size = static_cast<data::FigureSize>(index); });
    for (const data::FigureSizePreset& preset : data::figureSizes()) {
        m_size->addItem(tr("%1, %2 pt").arg(text(preset.label)).arg(preset.width));
        m_size->setItemData(m_size->count() - 1, text(preset.source), Qt::ToolTipRole);
    }
    m_theme = chooser(tr("Theme"), QStringLiteral("figureTheme"), tr("theme"),
                      [](FigureSpec& figure, int index) { figure.theme = static_cast<data::FigureTheme>(index); });
    m_theme->addItems({tr("Paper, in colour"), tr("Grey print"), tr("Dark slide")});
    m_font = chooser(tr("Font"), QStringLiteral("figureFont"), tr("font"),
                     [](FigureSpec& figure, int index) { figure.font = static_cast<data::FigureFont>(index); });
    m_font->setToolTip(tr("Ringside Sans, or a font with the widths of the font of your paper"));
    for (const data::FigureFontPreset& preset : data::figureFonts())
        m_font->addItem(preset.classes.empty() ? text(preset.label)
                                               : tr("%1 (%2)").arg(text(preset.label), text(preset.classes)));
    m_legend = chooser(tr("Legend"), QStringLiteral("figureLegend"), tr("legend"),
                       [](FigureSpec& figure, int index) { figure.legend = static_cast<data::FigureLegend>(index); });
    m_legend->addItems({tr("Above"), tr("To the right"), tr("None")});
    m_height = new QDoubleSpinBox(box);
    setNames(*m_height, QStringLiteral("figureHeight"), tr("Height in points"));
    m_height->setRange(0, kTallest);
    m_height->setDecimals(0);
    m_height->setSingleStep(10);
    m_height->setSuffix(tr(" pt"));
    m_height->setSpecialValueText(tr("as needed"));
    form->addRow(tr("Height"), m_height);
    m_width = new QDoubleSpinBox(box);
    setNames(*m_width, QStringLiteral("figureWidth"), tr("Width in points, such as that of your column"));
    m_width->setRange(0, kTallest * 2);
    m_width->setDecimals(1);
    m_width->setSuffix(tr(" pt"));
    m_width->setSpecialValueText(tr("of its size"));
    form->addRow(tr("Width"), m_width);
    connect(m_width, &QDoubleSpinBox::valueChanged, this, [this](double points) {
        change(tr("width"), QStringLiteral("width"),
               [points](FigureSpec& figure) { figure.width = points > 0 ? std::optional(points) : std::nullopt; });
    });
    m_columns = new QSpinBox(box);
    setNames(*m_columns, QStringLiteral("figureColumns"), tr("Panels in a row"));
    m_columns->setRange(0, 6);
    m_columns->setSpecialValueText(tr("automatic"));
    form->addRow(tr("Panels in a row"), m_columns);
    m_letters = new QCheckBox(tr("Letters before panels: (a), (b)"), box);
    setNames(*m_letters, QStringLiteral("figureLetters"), tr("Letters before panels"));
    form->addRow(m_letters);
    connect(m_letters, &QCheckBox::toggled, this,
            [this](bool on) { change(tr("letters"), {}, [on](FigureSpec& figure) { figure.letters = on; }); });
    m_shared = new QCheckBox(tr("Titles of equal axes once"), box);
    setNames(*m_shared, QStringLiteral("figureShared"), tr("Titles and names of equal axes once"));
    form->addRow(m_shared);
    connect(m_shared, &QCheckBox::toggled, this,
            [this](bool on) { change(tr("shared axes"), {}, [on](FigureSpec& figure) { figure.shared = on; }); });
    m_oneRange = new QCheckBox(tr("One range for axes with the same title"), box);
    setNames(*m_oneRange, QStringLiteral("figureOneRange"), tr("One range for axes with the same title"));
    m_oneRange->setToolTip(tr("Axes with the same title, unit and scale have one range over the values of all their "
                              "panels. An axis with a range of its own keeps it."));
    form->addRow(m_oneRange);
    connect(m_oneRange, &QCheckBox::toggled, this,
            [this](bool on) { change(tr("ranges of axes"), {}, [on](FigureSpec& figure) { figure.oneRange = on; }); });
    connect(m_height, &QDoubleSpinBox::valueChanged, this, [this](double points) {
        change(tr("height"), QStringLiteral("height"),
               [points](FigureSpec& figure) { figure.height = points > 0 ? std::optional(points) : std::nullopt; });
    });
    connect(m_columns, &QSpinBox::valueChanged, this, [this](int columns) {
        change(tr("panels in a row"), QStringLiteral("columns"),
               [columns](FigureSpec& figure) { figure.columns = columns; });
    });
    return box;
}

data::FigurePanel* FigureOptions::panelOf(FigureSpec& figure) const {
    return m_panel < figure.panels.size() ? &figure.panels[m_panel] : nullptr;
}

QLineEdit* FigureOptions::addText(QFormLayout& form, const QString& label, const QString& name,
                                  std::function<std::string&(FigureSpec&)> field) {
    auto* line = new QLineEdit;
    setNames(*line, name, label);
    form.addRow(label, line);
    connect(line, &QLineEdit::textEdited, this, [this, label, name, field](const QString& text) {
        change(label.toLower(), name + QString::number(m_panel),
               [&](FigureSpec& figure) { field(figure) = text.toStdString(); });
    });
    return line;
}

QLineEdit* FigureOptions::numberField(const QString& name, const QString& accessible,
                                      std::function<std::optional<double>&(FigureSpec&)> field) {
    auto* line = new QLineEdit;
    setNames(*line, name, accessible);
    line->setPlaceholderText(tr("automatic"));
    connect(line, &QLineEdit::textEdited, this, [this, name, accessible, field](const QString& text) {
        const auto number = numberIn(text);
        if (!number)
            return showProblem(tr("%1: “%2” is not a number. Enter a number, or leave the field empty for automatic.")
                                   .arg(accessible, text));
        change(accessible.toLower(), name + QString::number(m_panel),
               [&](FigureSpec& figure) { field(figure) = *number; });
    });
    return line;
}

void FigureOptions::addAxis(QFormLayout& form, AxisFields& fields, const QString& name,
                            data::FigureAxis data::FigurePanel::*axis) {
    const auto of = [this, axis](FigureSpec& figure) -> data::FigureAxis& { return panelOf(figure)->*axis; };
    const QString key = QStringLiteral("figure") + name;
    fields.title = addText(form, tr("%1 title").arg(name), key + QStringLiteral("Title"),
                           [of](FigureSpec& figure) -> std::string& { return of(figure).title; });
    fields.unit = new QLineEdit;
    setNames(*fields.unit, key + QStringLiteral("Unit"), tr("%1 unit").arg(name));
    form.addRow(tr("%1 unit").arg(name), fields.unit);
    connect(fields.unit, &QLineEdit::textEdited, this,
            [this, axis](const QString& text) { changeUnitOf(axis, text.trimmed()); });
    fields.from = numberField(key + QStringLiteral("From"), tr("%1 from").arg(name),
                              [of](FigureSpec& figure) -> std::optional<double>& { return of(figure).from; });
    fields.to = numberField(key + QStringLiteral("To"), tr("%1 to").arg(name),
                            [of](FigureSpec& figure) -> std::optional<double>& { return of(figure).to; });
    auto* range = new QHBoxLayout;
    range->addWidget(fields.from, 1);
    range->addWidget(new QLabel(tr("to")));
    range->addWidget(fields.to, 1);
    form.addRow(tr("%1 range").arg(name), range);
    fields.scale = new QComboBox;
    fields.scale->setObjectName(key + QStringLiteral("Scale"));
    fields.scale->setAccessibleName(tr("%1 scale").arg(name));
    fields.scale->addItems({tr("Linear"), tr("Logarithmic")});
    form.addRow(tr("%1 scale").arg(name), fields.scale);
    connect(fields.scale, &QComboBox::activated, this, [this, of, name](int index) {
        change(tr("%1 scale").arg(name), {},
               [&](FigureSpec& figure) { of(figure).scale = static_cast<data::FigureScale>(index); });
    });
}

void FigureOptions::addTicks(QFormLayout& form, AxisFields& fields, const QString& name,
                             data::FigureAxis data::FigurePanel::*axis) {
    fields.ticks = new QLineEdit;
    setNames(*fields.ticks, QStringLiteral("figure%1Ticks").arg(name),
             tr("%1 ticks, with commas between them").arg(name));
    fields.ticks->setPlaceholderText(tr("automatic"));
    form.addRow(tr("%1 ticks").arg(name), fields.ticks);
    connect(fields.ticks, &QLineEdit::editingFinished, this, [this, fields, name, axis] {
        std::vector<double> ticks;
        for (const QString& word : fields.ticks->text().split(u',', Qt::SkipEmptyParts)) {
            const auto number = numberIn(word);
            if (!number || !*number)
                return showProblem(
                    tr("%1 ticks: “%2” is not a number. Enter numbers with commas between them, or leave the "
                       "field empty for automatic.")
                        .arg(name, word.trimmed()));
            ticks.push_back(**number);
        }
        change(tr("%1 ticks").arg(name), {}, [&](FigureSpec& figure) { (panelOf(figure)->*axis).ticks = ticks; });
    });
}

void FigureOptions::addBreak(QFormLayout& form) {
    auto* row = new QHBoxLayout;
    const auto field = [&](const QString& name, const QString& accessible) {
        auto* line = new QLineEdit;
        setNames(*line, name, accessible);
        line->setPlaceholderText(tr("none"));
        connect(line, &QLineEdit::editingFinished, this, &FigureOptions::changeBreak);
        row->addWidget(line, 1);
        return line;
    };
    m_breakFrom = field(QStringLiteral("figureBreakFrom"), tr("Beginning of the part of the Y axis that is left out"));
    row->addWidget(new QLabel(tr("to")));
    m_breakTo = field(QStringLiteral("figureBreakTo"), tr("End of the part of the Y axis that is left out"));
    form.addRow(tr("Y break"), row);
}

// A break has both ends or none: one end alone waits for the other.
void FigureOptions::changeBreak() {
    const auto from = numberIn(m_breakFrom->text()), to = numberIn(m_breakTo->text());
    if (!from || !to)
        return showProblem(tr("Y break: “%1” is not a number.").arg(from ? m_breakTo->text() : m_breakFrom->text()));
    if (from->has_value() != to->has_value())
        return;
    change(tr("break of the axis"), {}, [&](FigureSpec& figure) {
        panelOf(figure)->y.breakFrom = *from;
        panelOf(figure)->y.breakTo = *to;
    });
}

QWidget* FigureOptions::buildParts() {
    auto* box = new QGroupBox(tr("Parts and notes"), m_inside);
    auto* column = new QVBoxLayout(box);
    m_parts = new PartsEditor(box);
    column->addWidget(m_parts);
    return box;
}

QWidget* FigureOptions::buildPanel() {
    auto* box = new QGroupBox(tr("Panel"), m_inside);
    auto* form = new QFormLayout(box);
    m_panelBox = box;
    m_panels = new QComboBox(box);
    setNames(*m_panels, QStringLiteral("figurePanels"), tr("Panel to edit"));
    m_panels->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    form->addRow(tr("Panel"), m_panels);
    connect(m_panels, &QComboBox::activated, this, [this](int index) { setPanel(static_cast<std::size_t>(index)); });
    m_panelTitle = addText(*form, tr("Title"), QStringLiteral("figurePanelTitle"),
                           [this](FigureSpec& figure) -> std::string& { return panelOf(figure)->title; });
    addAxis(*form, m_y, QStringLiteral("Y"), &data::FigurePanel::y);
    addTicks(*form, m_y, QStringLiteral("Y"), &data::FigurePanel::y);
    addBreak(*form);
    addAxis(*form, m_x, QStringLiteral("X"), &data::FigurePanel::x);
    addTicks(*form, m_x, QStringLiteral("X"), &data::FigurePanel::x);
    m_values = new QCheckBox(tr("Written values"), box);
    setNames(*m_values, QStringLiteral("figureValues"), tr("Written values"));
    m_decimals = new QSpinBox(box);
    setNames(*m_decimals, QStringLiteral("figureDecimals"), tr("Decimals of written values"));
    m_decimals->setRange(-1, 6);
    m_decimals->setSpecialValueText(tr("three digits"));
    m_decimals->setSuffix(tr(" decimals"));
    form->addRow(m_values, m_decimals);
    const auto write = [this](const QString& text, auto set) {
        change(text, {}, [this, set](FigureSpec& figure) {
            for (data::FigureMark& mark : panelOf(figure)->marks) {
                if (auto* bars = std::get_if<data::BarMark>(&mark))
                    set(*bars);
                if (auto* heat = std::get_if<data::HeatMark>(&mark))
                    set(*heat);
            }
        });
    };
    connect(m_values, &QCheckBox::toggled, this,
            [write](bool on) { write(tr("written values"), [on](auto& mark) { mark.valuesWritten = on; }); });
    connect(m_decimals, &QSpinBox::valueChanged, this, [write](int decimals) {
        write(tr("decimals"),
              [decimals](auto& mark) { mark.decimals = decimals < 0 ? std::nullopt : std::optional(decimals); });
    });
    m_errors = new QCheckBox(tr("Error bars"), box);
    setNames(*m_errors, QStringLiteral("figureErrors"), tr("Error bars"));
    form->addRow(m_errors);
    connect(m_errors, &QCheckBox::toggled, this, [this](bool on) {
        if (!on)
            change(tr("error bars"), {}, [this](FigureSpec& figure) { data::removeErrorBars(*panelOf(figure)); });
    });
    m_weight = new QDoubleSpinBox(box);
    setNames(*m_weight, QStringLiteral("figureWeight"), tr("Share of the height in relation to the other panels"));
    m_weight->setRange(0.1, 20);
    m_weight->setSingleStep(0.1);
    m_weight->setDecimals(1);
    form->addRow(tr("Share"), m_weight);
    connect(m_weight, &QDoubleSpinBox::valueChanged, this, [this](double weight) {
        change(tr("share of a panel"), QStringLiteral("weight%1").arg(m_panel),
               [&](FigureSpec& figure) { panelOf(figure)->weight = weight; });
    });
    return box;
}

QPlainTextEdit* FigureOptions::addWords(QFormLayout& form, const QString& label, const QString& name,
                                        std::string FigureSpec::*field) {
    auto* text = new QPlainTextEdit;
    setNames(*text, name, label);
    text->setTabChangesFocus(true);
    text->setFixedHeight(fontMetrics().height() * 6);
    auto* heading = new QLabel(label);
    form.addRow(heading);
    form.addRow(text);
    connect(text, &QPlainTextEdit::textChanged, this, [this, text, label, name, field] {
        change(label.toLower(), name, [&](FigureSpec& figure) { figure.*field = text->toPlainText().toStdString(); });
    });
    return text;
}

QWidget* FigureOptions::buildWords() {
    auto* box = new QGroupBox(tr("Text"), m_inside);
    auto* form = new QFormLayout(box);
    m_title = addText(*form, tr("Title"), QStringLiteral("figureTitle"),
                      [](FigureSpec& figure) -> std::string& { return figure.title; });
    m_title->setToolTip(tr("Shown in lists and written to the metadata of files. It is not drawn."));
    m_name = addText(*form, tr("File name"), QStringLiteral("figureName"),
                     [](FigureSpec& figure) -> std::string& { return figure.name; });
    auto* spelling = new QPushButton(tr("American Spelling"), box);
    setNames(*spelling, QStringLiteral("figureSpelling"), tr("Spell all texts of the figure in the American way"));
    spelling->setAutoDefault(false);
    form->addRow(spelling);
    connect(spelling, &QPushButton::clicked, this, [this] {
        if (!m_figure)
            return;
        FigureSpec next = *m_figure;
        if (data::applyEdits(next, {"spelling=us"}).empty())
            Q_EMIT edited(next, tr("American spelling"), {});
    });
    m_caption = addWords(*form, tr("Caption"), QStringLiteral("figureCaption"), &FigureSpec::caption);
    m_alternative = addWords(*form, tr("Description for readers who cannot see it"),
                             QStringLiteral("figureAlternative"), &FigureSpec::alternative);
    return box;
}

void FigureOptions::change(const QString& text, const QString& kind, const Change& change) {
    if (m_filling || !m_figure)
        return;
    FigureSpec next = *m_figure;
    change(next);
    showProblem({});
    if (next != *m_figure)
        Q_EMIT edited(next, text, kind);
}

void FigureOptions::showProblem(const QString& problem) {
    if (problem.isEmpty())
        m_problem->clear();
    else
        m_problem->showMessage(MessageBar::Kind::error, problem);
}

void FigureOptions::changeUnitOf(data::FigureAxis data::FigurePanel::*axis, const QString& unit) {
    if (m_filling || !m_figure || panelOf(*m_figure) == nullptr)
        return;
    // Units that come and go while one types, such as "B/s" between "TB/s" and "GB/s", would round values twice.
    if (!m_unitEdit || m_unitEdit->after != *m_figure)
        m_unitEdit = {*m_figure, *m_figure};
    FigureSpec next = m_unitEdit->before;
    data::FigurePanel& panel = *panelOf(next);
    const bool alongX = axis == &data::FigurePanel::x;
    const QString name = alongX ? tr("X axis") : tr("Y axis"), before = QString::fromStdString((panel.*axis).unit);
    if (data::changeUnit(panel, alongX, unit.toStdString()) != data::UnitChange::refused) {
        m_unitEdit->after = next;
        change(tr("%1 unit").arg(alongX ? tr("X") : tr("Y")).toLower(),
               QStringLiteral("unit%1%2").arg(alongX).arg(m_panel), [&](FigureSpec& figure) { figure = next; });
        return;
    }
    QStringList allowed;
    for (const std::string& other : data::unitsLike((panel.*axis).unit))
        allowed << QString::fromStdString(other);
    const QString given = unit.isEmpty() ? tr("No unit") : tr("“%1”").arg(unit);
    if (alongX && allowed.contains(unit))
        showProblem(tr("%1: the names along it are texts with the unit “%2”, which cannot be converted to %3.")
                        .arg(name, before, given));
    else if (allowed.isEmpty())
        showProblem(tr("%1: its values are in “%2”, which cannot be converted to %3.").arg(name, before, given));
    else
        showProblem(tr("%1: its values are in %2. %3 is not a unit of the same quantity; allowed: %4.")
                        .arg(name, before, given, allowed.join(QStringLiteral(", "))));
}

QString FigureOptions::problem() const { return m_problem->text(); }

void FigureOptions::showFigure(const FigureSpec* figure, const FigureSpec* base) {
    m_parts->showFigure(figure, base);
    m_figure = figure != nullptr ? std::optional(*figure) : std::nullopt;
    m_inside->setEnabled(m_figure.has_value());
    if (!m_figure || m_panel >= m_figure->panels.size())
        m_panel = 0;
    fill();
}

void FigureOptions::setPanel(std::size_t panel) {
    if (!m_figure || panel >= m_figure->panels.size())
        return;
    m_panel = panel;
    fill();
}

void FigureOptions::fillPanels() {
    QStringList names;
    for (std::size_t i = 0; m_figure && i < m_figure->panels.size(); ++i) {
        const data::FigurePanel& panel = m_figure->panels[i];
        const std::string& name = panel.title.empty() ? panel.y.title : panel.title;
        names << (name.empty() ? tr("Panel %1").arg(i + 1) : tr("%1: %2").arg(i + 1).arg(QString::fromStdString(name)));
    }
    m_panels->clear();
    m_panels->addItems(names);
    m_panels->setCurrentIndex(static_cast<int>(m_panel));
    m_panels->setEnabled(names.size() > 1);
}

void FigureOptions::fillAxis(const AxisFields& fields, const data::FigureAxis& axis) {
    setText(*fields.title, QString::fromStdString(axis.title));
    setText(*fields.unit, QString::fromStdString(axis.unit));
    const auto setNumber = [](QLineEdit& field, const std::optional<double>& number) {
        if (const std::optional<Number> shown = numberIn(field.text());
            !shown || *shown != number)  // keeps "2.0" as typed
            field.setText(numberText(number));
    };
    setNumber(*fields.from, axis.from);
    setNumber(*fields.to, axis.to);
    fields.scale->setCurrentIndex(static_cast<int>(axis.scale));
    QStringList ticks;
    for (const double tick : axis.ticks)
        ticks << numberText(tick);
    setText(*fields.ticks, ticks.join(QStringLiteral(", ")));
    const QString ratio =
        axis.relativeTo.empty() ? QString() : tr("ratio to %1").arg(QString::fromStdString(axis.relativeTo));
    fields.unit->setPlaceholderText(ratio);
}

void FigureOptions::fillValues(const data::FigurePanel& panel) {
    std::optional<bool> written;
    std::optional<int> decimals;
    for (const data::FigureMark& mark : panel.marks) {
        const auto see = [&](const auto& own) {
            written = own.valuesWritten;
            decimals = own.decimals;
        };
        if (const auto* bars = std::get_if<data::BarMark>(&mark))
            see(*bars);
        if (const auto* heat = std::get_if<data::HeatMark>(&mark))
            see(*heat);
    }
    m_values->setEnabled(written.has_value());
    m_decimals->setEnabled(written.value_or(false));
    m_values->setChecked(written.value_or(false));
    m_errors->setEnabled(data::hasErrorBars(panel));
    m_errors->setChecked(data::hasErrorBars(panel));
    m_decimals->setValue(decimals.value_or(-1));
}

void FigureOptions::fill() {
    m_filling = true;
    const FigureSpec figure = m_figure.value_or(FigureSpec{});
    m_size->setCurrentIndex(static_cast<int>(figure.size));
    m_theme->setCurrentIndex(static_cast<int>(figure.theme));
    m_font->setCurrentIndex(static_cast<int>(figure.font));
    m_legend->setCurrentIndex(static_cast<int>(figure.legend));
    m_height->setValue(figure.height.value_or(0));
    m_width->setValue(figure.width.value_or(0));
    m_letters->setChecked(figure.letters);
    m_letters->setEnabled(figure.panels.size() > 1);
    m_shared->setChecked(figure.shared);
    m_shared->setEnabled(figure.panels.size() > 1);
    m_oneRange->setChecked(figure.oneRange);
    m_oneRange->setEnabled(figure.panels.size() > 1);
    m_columns->setValue(figure.columns);
    m_columns->setEnabled(figure.panels.size() > 1);
    fillPanels();
    const bool drawing = figure.panels.size() == 1 && figure.panels.front().marks.size() == 1 &&
                         std::holds_alternative<data::DrawingMark>(figure.panels.front().marks.front());
    m_panelBox->setVisible(m_panel < figure.panels.size() && !drawing);
    if (m_panel < figure.panels.size()) {
        const data::FigurePanel& panel = figure.panels[m_panel];
        setText(*m_panelTitle, QString::fromStdString(panel.title));
        fillAxis(m_x, panel.x);
        fillAxis(m_y, panel.y);
        setText(*m_breakFrom, numberText(panel.y.breakFrom));
        setText(*m_breakTo, numberText(panel.y.breakTo));
        fillValues(panel);
        m_weight->setValue(panel.weight);
        m_weight->setEnabled(figure.panels.size() > 1);
    }
    setText(*m_name, QString::fromStdString(figure.name));
    setText(*m_title, QString::fromStdString(figure.title));
    for (const auto& [field, text] : {std::pair{m_caption, &figure.caption}, {m_alternative, &figure.alternative}}) {
        if (field->toPlainText().toStdString() != *text)
            field->setPlainText(QString::fromStdString(*text));
    }
    m_filling = false;
}

QString problemText(const engine::Problem& problem, const data::FigureSpec& figure) {
    static const QRegularExpression kOfPanel(QStringLiteral("^panels\\[(\\d+)\\]\\.(?:([xy])\\.)?(\\w+)$"));
    const QString path = text(problem.path);
    const QRegularExpressionMatch match = kOfPanel.match(path);
    const auto panel = static_cast<std::size_t>(match.captured(1).toULongLong());
    if (match.hasMatch() && panel < figure.panels.size() && !match.captured(2).isEmpty()) {
        const bool ofX = match.captured(2) == QLatin1String("x");
        const QString name = (ofX ? problemText("X axis") : problemText("Y axis")) + ofPanel(panel, figure);
        return axisText(problem, ofX ? figure.panels[panel].x : figure.panels[panel].y, name, match.captured(3));
    }
    const QString place = match.hasMatch() ? placeOf(match.captured(3)) : placeOf(path);
    if (place.isEmpty())
        return text(engine::describe(problem));
    return problemText("%1 cannot be %2: %3.")
        .arg(place + (match.hasMatch() ? ofPanel(panel, figure) : QString()), text(problem.value), text(problem.text));
}

FigureFormats::FigureFormats(QWidget* parent) : QWidget(parent) {
    auto* grid = flushLayout<QGridLayout>(this);
    grid->setVerticalSpacing(fontMetrics().averageCharWidth() / 2);
    int place = 0;
    for (const FigureFormat format : kFormats) {
        auto* box = new QCheckBox(labelOf(format), this);
        box->setObjectName(QStringLiteral("figureFormat%1").arg(static_cast<int>(format)));
        box->setChecked(true);
        connect(box, &QCheckBox::toggled, this, &FigureFormats::changed);
        grid->addWidget(box, place / kFormatColumns, place % kFormatColumns);
        m_boxes.emplace_back(format, box);
        ++place;
    }
    m_zip = new QCheckBox(tr("as one zip"), this);
    m_zip->setObjectName(QStringLiteral("figureZip"));
    connect(m_zip, &QCheckBox::toggled, this, &FigureFormats::changed);
    grid->addWidget(m_zip, place / kFormatColumns, place % kFormatColumns);
}

std::vector<FigureFormat> FigureFormats::chosen() const {
    std::vector<FigureFormat> formats;
    for (const auto& [format, box] : m_boxes) {
        if (box->isChecked())
            formats.push_back(format);
    }
    return formats;
}

void FigureFormats::choose(const std::vector<FigureFormat>& formats) {
    for (const auto& [format, box] : m_boxes)
        box->setChecked(std::find(formats.begin(), formats.end(), format) != formats.end());
}

bool FigureFormats::zipped() const { return m_zip->isChecked(); }

void FigureFormats::setZipped(bool zipped) { m_zip->setChecked(zipped); }

}  // namespace ui
