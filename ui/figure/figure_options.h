#pragma once

#include "data/figure/figure_spec.h"
#include "engine/api/problem.h"
#include "ui/figure/figure_writers.h"

#include <QScrollArea>
#include <QString>
#include <QWidget>

#include <cstddef>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QSpinBox;

namespace ui {

class MessageBar;
class PartsEditor;

/// A form for everything that the author of a figure can change: size, theme, legend, height; for a panel its titles,
/// units, ranges and share of the height; name, caption and description. Each edit is reported at once. An invalid text
/// is not reported; a message at the bottom says what is wrong.
class FigureOptions final : public QScrollArea {
    Q_OBJECT

public:
    explicit FigureOptions(QWidget* parent = nullptr);

    /// Shows a figure; null: there is none. `base` is the figure without its edits, or null. Fields whose text does not
    /// change keep their cursor.
    void showFigure(const data::FigureSpec* figure, const data::FigureSpec* base = nullptr);
    PartsEditor& parts() { return *m_parts; }
    std::size_t panel() const { return m_panel; }
    void setPanel(std::size_t panel);
    /// Shows in a card at the bottom why the last edit was refused; empty: it was accepted.
    void showProblem(const QString& problem);
    QString problem() const;

Q_SIGNALS:
    /// The user has changed the figure. Consecutive edits of one `kind` belong together, for example while typing.
    void edited(const data::FigureSpec& figure, const QString& text, const QString& kind);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    using Change = std::function<void(data::FigureSpec&)>;
    struct AxisFields {
        QLineEdit *title = nullptr, *unit = nullptr, *from = nullptr, *to = nullptr, *ticks = nullptr;
        QComboBox* scale = nullptr;
    };

    QWidget* buildWhole();
    QWidget* buildPanel();
    QWidget* buildParts();
    QWidget* buildWords();
    void addAxis(QFormLayout& form, AxisFields& fields, const QString& name, data::FigureAxis data::FigurePanel::*axis);
    QLineEdit* addText(QFormLayout& form, const QString& label, const QString& name,
                       std::function<std::string&(data::FigureSpec&)> field);
    QPlainTextEdit* addWords(QFormLayout& form, const QString& label, const QString& name,
                             std::string data::FigureSpec::*field);
    QLineEdit* numberField(const QString& name, const QString& accessible,
                           std::function<std::optional<double>&(data::FigureSpec&)> field);
    /// Converts the panel to a unit of the same quantity as it is typed; shows why another unit is refused.
    void changeUnitOf(data::FigureAxis data::FigurePanel::*axis, const QString& unit);
    void change(const QString& text, const QString& kind, const Change& change);
    data::FigurePanel* panelOf(data::FigureSpec& figure) const;
    void addTicks(QFormLayout& form, AxisFields& fields, const QString& name,
                  data::FigureAxis data::FigurePanel::*axis);
    void addBreak(QFormLayout& form);
    void changeBreak();
    void fill();
    void fillPanels();
    void fillValues(const data::FigurePanel& panel);
    void fillAxis(const AxisFields& fields, const data::FigureAxis& axis);

    /// The figure before and after the last change of a unit.
    struct UnitEdit {
        data::FigureSpec before, after;
    };

    std::optional<data::FigureSpec> m_figure;
    std::optional<UnitEdit> m_unitEdit;
    std::size_t m_panel = 0;
    bool m_filling = false;
    QComboBox *m_size, *m_theme, *m_font, *m_legend, *m_panels;
    QDoubleSpinBox *m_width, *m_height, *m_weight;
    QSpinBox *m_columns, *m_decimals;
    QCheckBox *m_letters, *m_shared, *m_oneRange, *m_values, *m_errors;
    QLineEdit *m_breakFrom, *m_breakTo;
    PartsEditor* m_parts;
    QLineEdit *m_panelTitle, *m_name, *m_title;
    AxisFields m_x, m_y;
    QPlainTextEdit *m_caption, *m_alternative;
    MessageBar* m_problem;
    QWidget *m_inside, *m_panelBox;
};

/// Translates a problem that data::problemsOf found into the words of the options: "The range of the Y axis is empty:
/// 1.6 to 1.6." for "panels[0].y.to: 1.6: more than .from is expected". A problem that the options cannot correct keeps
/// its path in the document.
QString problemText(const engine::Problem& problem, const data::FigureSpec& figure);

/// Check boxes for the file formats of an export.
class FigureFormats final : public QWidget {
    Q_OBJECT

public:
    explicit FigureFormats(QWidget* parent = nullptr);

    std::vector<FigureFormat> chosen() const;
    void choose(const std::vector<FigureFormat>& formats);
    bool zipped() const;
    void setZipped(bool zipped);

Q_SIGNALS:
    void changed();

private:
    std::vector<std::pair<FigureFormat, QCheckBox*>> m_boxes;
    QCheckBox* m_zip;
};

}  // namespace ui
