#pragma once

#include "data/figure/figure_spec.h"

#include <QString>
#include <QStringList>
#include <QWidget>

#include <optional>
#include <string>
#include <vector>

class QComboBox;
class QPushButton;
class QToolButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace ui {

/// The parts of a figure as a list: panels, series, names under bars, categories, groups, rows, lanes, values to compare
/// with, and notes. Each can be renamed in place and left out with its box; buttons move it up and down; a series has
/// choosers for its look; buttons begin to place notes. Each change is reported as an edit.
class PartsEditor final : public QWidget {
    Q_OBJECT

public:
    explicit PartsEditor(QWidget* parent = nullptr);

    /// Shows the parts of a figure; `base` is the figure without its edits, which has the parts that they hide, or null if
    /// it is not known. Keeps the current part.
    void showFigure(const data::FigureSpec* figure, const data::FigureSpec* base);

Q_SIGNALS:
    /// The author has made an edit; `text` is the name of the undo step.
    void edited(const std::string& edit, const QString& text);
    /// A part that this edit hides is to be shown again.
    void shownAgain(const std::string& edit, const QString& text);
    void noteRequested(data::FigureAnnotation::Kind kind);

private:
    struct Part {
        std::vector<std::string> path;  ///< of its edits, without the property
        std::string name, meaning;
        std::string hiddenBy;   ///< the edit that hides it; empty: it is shown
        const char* nameKey;    ///< the property that is its name
        std::size_t place = 0;  ///< among its kind, from 1
        bool moves = false;
    };

    QWidget* buildLooks();
    QWidget* buildNotes();
    void fill();
    void addKind(const QString& title, std::vector<Part> parts);
    std::vector<Part> hiddenParts(const std::string& kind) const;
    void itemChanged(QTreeWidgetItem* item);
    void showLooks();
    void move(int by);
    void changeLook(const char* key, const QString& value);
    const Part* current() const;

    std::optional<data::FigureSpec> m_figure;
    bool m_knowsBase = false, m_filling = false;
    std::vector<Part> m_parts;
    QTreeWidget* m_tree;
    QPushButton *m_up, *m_down;
    QWidget* m_looks;
    QComboBox *m_colour, *m_marker, *m_line, *m_hatch;
};

}  // namespace ui
