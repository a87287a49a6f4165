#pragma once

#include "ui/figure/figure_preview.h"
#include "ui/figure/figure_session.h"
#include "ui/figure/figure_shelf.h"
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

/// The view Figure: what can be made from simulation and what was taken from views and files; the one in hand as it will
/// be printed, with what a reviewer would object to; what its author may want otherwise; and which files an export
/// writes. Figures are made in the background; every edit is laid out at once and can be taken back.
class FigureView final : public QWidget {
    Q_OBJECT

public:
    explicit FigureView(FigureSessionConfig config = {}, QWidget* parent = nullptr);
    ~FigureView() override;

    /// A figure from a view or a file: it is the one in hand from now on.
    void take(FigureOffer offer);
    /// Makes a figure of the gallery, or shows it where it is made. False for a name that there is not.
    bool open(const QString& galleryName);
    FigureShelf& shelf() { return m_shelf; }
    FigureSession& session() { return m_session; }
    FigurePreview& preview() { return *m_preview; }
    QUndoStack& undoStack() { return m_shelf.undoStack(); }
    /// What is in hand, laid out; null where it is not made.
    const std::shared_ptr<const ReadyFigure>& shown() const { return m_shown; }
    /// What can be asked of the view, to be registered; their keys hold within it.
    const ViewCommands& commands() const { return m_commands; }

    /// The selected figures, as far as they are made, in the chosen formats. Says what was written, or why not.
    void exportTo(const QString& folder);
    /// Asks where to first.
    void askAndExport();
    void copy();
    void copyLatex();
    /// Cancels what is being made; false where nothing is.
    bool stepOut();

    QJsonValue save() const;
    bool restore(const QJsonValue& kept);

Q_SIGNALS:
    /// A figure is in the preview, or the words say why there is none.
    void figureShown();
    void said(const QString& text);
    void failed(const QString& text);

private:
    void buildActions();
    QWidget* buildShelf();
    QWidget* buildMiddle();
    QWidget* buildWords();
    QWidget* buildSide();
    void connectParts();

    void showCurrent();
    void showWords(const ShelfFigure* figure);
    void showMaking();
    void takeEdit(const data::FigureSpec& figure, const QString& text, const QString& kind);
    void fix(std::size_t finding);
    void make();
    void removeSelected();
    void followZoom();
    std::vector<ReadyFigure> selectedFigures() const;

    FigureShelf m_shelf;
    std::shared_ptr<const ReadyFigure> m_shown;
    ViewCommands m_commands{*this, CommandGroup::file, tr("Fi&gure")};
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
    FigureSession m_session;  // last: it ends before anything that it could deliver to
};

}  // namespace ui
