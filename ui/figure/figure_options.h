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

/// Everything about a figure that its author may want otherwise: size, theme, legend, height; of one panel its titles,
/// units, ranges and share of the height; name, caption and description. Each edit is told at once; what a field holds
/// that cannot be is said at the foot and told to nobody.
class FigureOptions final : public QScrollArea {
    Q_OBJECT

public:
    explicit FigureOptions(QWidget* parent = nullptr);

    /// Null: nothing to edit. Fields that say the same already keep their cursor.
    void showFigure(const data::FigureSpec* figure);
    std::size_t panel() const { return m_panel; }
    void setPanel(std::size_t panel);
    /// In a card over the foot: why the last edit was not taken; empty: it was.
    void showProblem(const QString& problem);
    QString problem() const;

Q_SIGNALS:
    /// Another value of the figure. Edits of one `kind` belong together while somebody types.
    void edited(const data::FigureSpec& figure, const QString& text, const QString& kind);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    using Change = std::function<void(data::FigureSpec&)>;
    struct AxisFields {
        QLineEdit *title = nullptr, *unit = nullptr, *from = nullptr, *to = nullptr;
        QComboBox* scale = nullptr;
    };

    QWidget* buildWhole();
    QWidget* buildPanel();
    QWidget* buildWords();
    void addAxis(QFormLayout& form, AxisFields& fields, const QString& name, data::FigureAxis data::FigurePanel::*axis);
    QLineEdit* addText(QFormLayout& form, const QString& label, const QString& name,
                       std::function<std::string&(data::FigureSpec&)> field);
    QPlainTextEdit* addWords(QFormLayout& form, const QString& label, const QString& name,
                             std::string data::FigureSpec::*field);
    QLineEdit* numberField(const QString& name, const QString& accessible,
                           std::function<std::optional<double>&(data::FigureSpec&)> field);
    void change(const QString& text, const QString& kind, const Change& change);
    data::FigurePanel* panelOf(data::FigureSpec& figure) const;
    void fill();
    void fillPanels();
    void fillAxis(const AxisFields& fields, const data::FigureAxis& axis);

    std::optional<data::FigureSpec> m_figure;
    std::size_t m_panel = 0;
    bool m_filling = false;
    QComboBox *m_size, *m_theme, *m_legend, *m_panels;
    QDoubleSpinBox *m_height, *m_weight;
    QSpinBox* m_columns;
    QLineEdit *m_panelTitle, *m_name, *m_title;
    AxisFields m_x, m_y;
    QPlainTextEdit *m_caption, *m_alternative;
    MessageBar* m_problem;
    QWidget *m_inside, *m_panelBox;
};

/// What data::problemsOf says of a figure, in the words of the options: "The range of the Y axis is empty: 1.6 to 1.6."
/// for "panels[0].y.to: 1.6: more than .from is expected". What the options cannot change keeps its place in the document.
QString problemText(const engine::Problem& problem, const data::FigureSpec& figure);

/// Which files an export writes, as boxes to tick.
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
