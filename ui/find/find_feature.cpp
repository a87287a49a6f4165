#include "ui/find/find_feature.h"

#include "ui/find/find_bar.h"
#include "ui/shared/run_selection.h"
#include "ui/workbench/explore_page.h"
#include "ui/workbench/pictures.h"
#include "ui/workbench/window_views.h"
#include "ui/workbench/workbench.h"

namespace ui {

FindFeature::FindFeature(Workbench& workbench, ViewState& viewState, RunSelection& selection)
    : m_workbench(workbench), m_bar(new FindBar(viewState, &workbench.explore())) {
    workbench.explore().setRow(ExplorePage::Row::find, m_bar);
    connect(&selection, &RunSelection::flowChanged, m_bar, &FindBar::showRun);
    connect(m_bar, &FindBar::spanFound, &selection, &RunSelection::selectAndReveal);
    connect(m_bar, &FindBar::matchesChanged, &selection, &RunSelection::showMatches);
    connect(m_bar, &FindBar::closed, &workbench.pictures(), &Pictures::focusCurrent);
    addCommands();
}

void FindFeature::addCommands() {
    const auto add = [this](const char* id, const QString& text, const QKeySequence& key, const QString& hint,
                            auto* receiver, auto order) {
        m_workbench.commands().add({.id = QString::fromLatin1(id),
                                    .text = text,
                                    .group = CommandGroup::select,
                                    .keys = {key},
                                    .hint = hint,
                                    .rank = 0},
                                   receiver, order);
    };
    add("select.find", tr("&Find…"), QKeySequence(Qt::CTRL | Qt::Key_F),
        tr("Finds spans by tile, chunk, block, wave, kind or length"), this, &FindFeature::openFind);
    add("select.find-next", tr("Find &Next"), QKeySequence(Qt::CTRL | Qt::Key_G), tr("Selects the next match"), m_bar,
        &FindBar::findNext);
    add("select.find-previous", tr("Find &Previous"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_G),
        tr("Selects the previous match"), m_bar, &FindBar::findPrevious);
}

void FindFeature::openFind() {
    const WindowView& view = m_workbench.views().currentView();
    if (view.find)
        view.find();
    else
        m_bar->open();
}

}  // namespace ui
