#pragma once

#include <QObject>

class QAction;

namespace ui {

class Bookmarks;
class Measures;
class RunSelection;
class ViewState;
class Workbench;

/// Commands for the selection: select its cause or its effect, measure it, set a bookmark on it and return to it.
class SelectionFeature final : public QObject {
    Q_OBJECT

public:
    /// All must outlive the feature.
    SelectionFeature(Workbench& workbench, ViewState& viewState, RunSelection& selection, Bookmarks& bookmarks,
                     Measures& measures);

private:
    void addSelectCommands();
    void addBookmarkCommands();
    void addEscapes();
    void followFlow(bool forward);
    void sliceToArea();
    void measureSelection();
    void setBookmark(int number);
    void goToBookmark(int number);
    void listBookmarks();

    Workbench& m_workbench;
    ViewState& m_viewState;
    RunSelection& m_selection;
    Bookmarks& m_bookmarks;
    Measures& m_measures;
    QAction* m_setNext = nullptr;  ///< sets the next free bookmark; its menu lists the bookmarks that are set
};

}  // namespace ui
