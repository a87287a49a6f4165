#include "ui/inspector/selection_feature.h"

#include "ui/look/format.h"
#include "ui/shared/bookmarks.h"
#include "ui/shared/measures.h"
#include "ui/shared/run_selection.h"
#include "ui/workbench/session_file.h"
#include "ui/workbench/window_session.h"
#include "ui/workbench/workbench.h"

#include <QMenu>

namespace ui {
namespace {

constexpr int kSelectionHintMs = 5'000;
constexpr int kSelectionRank = 10, kBookmarksRank = 20;
constexpr int kEscapeSelection = 30, kEscapeMeasures = 40, kEscapeChunk = 50;

}  // namespace

SelectionFeature::SelectionFeature(Workbench& workbench, ViewState& viewState, RunSelection& selection,
                                   Bookmarks& bookmarks, Measures& measures)
    : m_workbench(workbench), m_viewState(viewState), m_selection(selection), m_bookmarks(bookmarks),
      m_measures(measures) {
    addSelectCommands();
    addBookmarkCommands();
    addEscapes();
    workbench.session().add(
        {QStringLiteral("bookmarks"), SessionScope::experiment, [this] { return m_bookmarks.save(); },
         [this](const QJsonValue& kept) { return m_bookmarks.restore(kept, m_viewState.runEnd()); }});
    connect(&m_bookmarks, &Bookmarks::changed, &workbench.session(), &WindowSession::noteChange);
}

void SelectionFeature::addSelectCommands() {
    const auto add = [this](const char* id, const QString& text, const QKeySequence& key, const QString& hint,
                            auto order) {
        m_workbench.commands().add({.id = QString::fromLatin1(id),
                                    .text = text,
                                    .group = CommandGroup::select,
                                    .keys = {key},
                                    .scope = CommandScope::picture,
                                    .hint = hint,
                                    .rank = kSelectionRank},
                                   this, order);
    };
    add("select.flow-back", tr("Select &Cause"), QKeySequence(Qt::Key_BracketLeft),
        tr("Selects the span that the selected one waited for last"), [this] { followFlow(false); });
    add("select.flow-forward", tr("Select &Effect"), QKeySequence(Qt::Key_BracketRight),
        tr("Selects the span that the selected one made possible"), [this] { followFlow(true); });
    add("select.area-of-span", tr("Select &Area of Span"), QKeySequence(Qt::Key_R),
        tr("Selects the time range of the span, to show its statistics"), &SelectionFeature::sliceToArea);
    add("select.measure", tr("&Measure Selection"), QKeySequence(Qt::Key_M),
        tr("Puts a ruler on the selection; its ends can be dragged and snap to spans"),
        &SelectionFeature::measureSelection);
    add("select.keep-measure", tr("&Keep Ruler"), QKeySequence(Qt::SHIFT | Qt::Key_M),
        tr("Keeps the ruler when another one is added; press again to release it"), [this] { m_measures.keep(); });
}

void SelectionFeature::addBookmarkCommands() {
    Commands& commands = m_workbench.commands();
    m_setNext =
        commands.add({.id = "select.bookmark",
                      .text = tr("Set &Bookmark"),
                      .group = CommandGroup::select,
                      .keys = {QKeySequence(Qt::CTRL | Qt::Key_B)},
                      .scope = CommandScope::picture,
                      .hint = tr("Sets a bookmark with the first free number; Ctrl+1 to Ctrl+9 choose the number"),
                      .startsSection = true,
                      .rank = kBookmarksRank},
                     this, [this] { setBookmark(m_bookmarks.firstFree().value_or(Bookmarks::kLast)); });
    const auto add = [this, &commands](const QString& id, const QString& text, const QKeySequence& key, auto order) {
        commands.add({.id = id,
                      .text = text,
                      .group = CommandGroup::select,
                      .keys = {key},
                      .scope = CommandScope::picture,
                      .inMenu = false,
                      .rank = kBookmarksRank},
                     this, order);
    };
    const auto key = [](int number) { return static_cast<Qt::Key>(Qt::Key_0 + number); };
    for (int number = 1; number <= Bookmarks::kLast; ++number)
        add(QStringLiteral("select.set-bookmark-%1").arg(number), tr("Set Bookmark %1").arg(number),
            QKeySequence(Qt::CTRL | key(number)), [this, number] { setBookmark(number); });
    for (int number = 1; number <= Bookmarks::kLast; ++number)
        add(QStringLiteral("select.go-to-bookmark-%1").arg(number), tr("Go to Bookmark %1").arg(number),
            QKeySequence(key(number)), [this, number] { goToBookmark(number); });
    connect(&m_bookmarks, &Bookmarks::changed, m_setNext, [this] { listBookmarks(); });
}

void SelectionFeature::addEscapes() {
    m_workbench.addEscape(kEscapeSelection, [this] {
        if (!m_viewState.selectedSpan() && !m_viewState.selectedArea())
            return false;
        m_viewState.clearSelection();
        m_viewState.setFollowedChunk(std::nullopt);
        return true;
    });
    m_workbench.addEscape(kEscapeMeasures, [this] {
        const bool any = !m_measures.empty();
        m_measures.clear();
        return any;
    });
    m_workbench.addEscape(kEscapeChunk, [this] {
        const bool any = m_viewState.followedChunk().has_value();
        m_viewState.setFollowedChunk(std::nullopt);
        return any;
    });
}

void SelectionFeature::followFlow(bool forward) {
    const auto span = m_viewState.selectedSpan();
    const auto& flow = m_selection.flow();
    if (!span || !flow || !flow->contains(*span)) {
        m_workbench.hint(tr("Click a span first; then [ selects its cause and ] its effect."), kSelectionHintMs);
        return;
    }
    const auto next = forward ? flow->followForward(*span) : flow->followBack(*span);
    if (next)
        m_selection.selectAndReveal(*next);
    else
        m_workbench.hint(forward ? tr("This span has no effect on a later span.")
                                 : tr("This span waited for no earlier span."),
                         kSelectionHintMs);
}

void SelectionFeature::sliceToArea() {
    const auto span = m_viewState.selectedSpan();
    const auto range = m_selection.range();
    if (span && range)
        m_viewState.selectArea({*range, span->gpu, span->gpu});
    else
        m_workbench.hint(tr("Click a span first; then R selects its time range."), kSelectionHintMs);
}

void SelectionFeature::measureSelection() {
    if (const auto range = m_selection.range())
        m_measures.mark(*range);
    else
        m_workbench.hint(tr("Select a span or drag over the picture; then M puts a ruler there."), kSelectionHintMs);
}

void SelectionFeature::setBookmark(int number) {
    m_bookmarks.set(number, bookmarkOf(m_viewState));
    m_workbench.hint(tr("Bookmark %1 is set; press %1 to return to it.").arg(number), kSelectionHintMs);
}

void SelectionFeature::goToBookmark(int number) {
    const auto& bookmark = m_bookmarks.at(number);
    if (!bookmark) {
        m_workbench.hint(tr("Bookmark %1 is not set; Ctrl+%1 sets it.").arg(number), kSelectionHintMs);
        return;
    }
    goTo(*bookmark, m_viewState,
         [this](data::SpanRef span) { return m_selection.flow() && m_selection.flow()->contains(span); });
}

// Lists the bookmarks that are set in the menu, each with its time.
void SelectionFeature::listBookmarks() {
    const auto widgets = m_setNext->associatedObjects();
    for (QObject* object : widgets) {
        auto* menu = qobject_cast<QMenu*>(object);
        if (menu == nullptr)
            continue;
        for (int number = 1; number <= Bookmarks::kLast; ++number) {
            QAction* go = m_workbench.commands().find(QStringLiteral("select.go-to-bookmark-%1").arg(number))->action;
            menu->removeAction(go);
            const auto& bookmark = m_bookmarks.at(number);
            if (!bookmark)
                continue;
            go->setText(tr("Go to Bookmark %1, %2").arg(number).arg(formatTime(bookmark->moment())));
            menu->addAction(go);
        }
    }
}

}  // namespace ui
