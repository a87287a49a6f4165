#pragma once

#include <QObject>

class QAction;

namespace ui {

class Bookmarks;
class Measures;
class RunSelection;
class ViewState;
class Workbench;

/// What can be done with the selection: to follow what led to it, to measure it, to set a bookmark and to come back.
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
    QAction* m_setNext = nullptr;  ///< sets the next bookmark; the menu that it stands in lists those that are set
};

}  // namespace ui
