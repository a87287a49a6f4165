#pragma once

#include "ui/figure/figure_collection.h"
#include "ui/figure/figure_preview.h"
#include "ui/figure/figure_session.h"
#include "ui/workbench/commands.h"

#include <QJsonValue>
#include <QWidget>

#include <memory>
#include <utility>
#include <vector>

class QActionGroup;
class QLabel;
class QProgressBar;
class QPushButton;
class QSplitter;
class QStackedWidget;

namespace ui {

class FigureFormats;
class FigureList;
class FigureOptions;
class LintPanel;

/// The Figure view: a list of the figures that can be made from simulation and of the figures from views and files; the
/// current figure as it will be printed, with the findings of the lint; its options; and the file formats of an export.
/// Figures are made in the background; every edit is laid out at once and can be undone.
class FigureView final : public QWidget {
    Q_OBJECT

public:
    explicit FigureView(FigureSessionConfig config = {}, QWidget* parent = nullptr);
    ~FigureView() override;

    /// Adds a figure from a view or a file and makes it the current one.
    void take(FigureOffer offer);
    /// Shows a figure of the gallery, and makes it first if necessary. Returns false if there is no such name.
    bool open(const QString& galleryName);
    FigureCollection& collection() { return m_collection; }
    FigureSession& session() { return m_session; }
    FigurePreview& preview() { return *m_preview; }
    QUndoStack& undoStack() { return m_collection.undoStack(); }
    /// Returns the current figure, laid out; null if it is not made.
    const std::shared_ptr<const ReadyFigure>& shown() const { return m_shown; }
    /// Returns the commands of the view. Their shortcuts work within the view.
    const ViewCommands& commands() const { return m_commands; }

    /// Writes the selected figures that have been made, in the chosen formats. Shows which files were written, or why
    /// not.
    void exportTo(const QString& folder);
    /// Asks for a folder and exports to it.
    void askAndExport();
    void copy();
    void copyLatex();
    /// Makes one figure of the selected ones.
    void combine();
    /// Cancels the figures being made; returns false if there are none.
    bool stepOut();

    QJsonValue save() const;
    bool restore(const QJsonValue& kept);

Q_SIGNALS:
    /// The preview shows a figure, or a text that says why there is none.
    void figureShown();
    void said(const QString& text);
    void failed(const QString& text);

private:
    void buildActions();
    QWidget* buildList();
    QWidget* buildMiddle();
    QWidget* buildWords();
    QWidget* buildSide();
    void connectParts();

    void showCurrent();
    void showWords(const FigureEntry* figure);
    void showMaking();
    void takeEdit(const data::FigureSpec& figure, const QString& text, const QString& kind);
    void connectEditing();
    /// Applies edits of the author as one step, or shows why they cannot be applied.
    void applyOwn(const std::vector<std::string>& edits, const QString& text);
    void withdraw(const std::string& edit, const QString& text);
    void addNote(data::FigureAnnotation::Kind kind, const PanelPoint& from, const PanelPoint& to);
    void moveNote(const NotePlace& place, double right, double up);
    void fix(std::size_t finding);
    void make();
    bool canMake(const FigureEntry& figure) const;
    void removeSelected();
    void followZoom();
    std::vector<ReadyFigure> selectedFigures() const;

    FigureCollection m_collection;
    std::shared_ptr<const ReadyFigure> m_shown;
    ViewCommands m_commands{*this, CommandGroup::file, tr("Fig&ure")};
    QActionGroup* m_zooms;
    FigureList* m_list;
    FigurePreview* m_preview;
    LintPanel* m_lint;
    FigureOptions* m_options;
    FigureFormats* m_formats;
    QSplitter* m_parts;
    QStackedWidget* m_pages;
    QLabel *m_measures, *m_heading, *m_what, *m_making;
    QPushButton *m_make, *m_cancel;
    QProgressBar* m_progress;
    QWidget* m_work;
    FigureSession m_session;  // last: it is destroyed before anything that it could call
};

}  // namespace ui
