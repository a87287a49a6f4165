// What is selected: its facts, its way through the run, and the ways to find it, to measure it and to come back to it.
#include "ui/main_window.h"

#include "ui/find/find_bar.h"
#include "ui/inspector/inspector_panel.h"
#include "ui/look/format.h"
#include "ui/look/span_name.h"
#include "ui/timeline/timeline_tools.h"
#include "ui/timeline/timeline_view.h"
#include "ui/workbench/commands.h"

#include <QMenu>
#include <QStatusBar>

namespace ui {
namespace {

constexpr int kHintMs = 5'000;
constexpr std::int64_t kRoom = 6;  // a span is brought into sight with this many times its length around it

bool alike(const engine::Span& a, const engine::Span& b) {
    return a.kind == b.kind && a.first == b.first && a.second == b.second;
}

}  // namespace

void MainWindow::buildSelection() {
    m_tools = std::make_unique<TimelineTools>(m_viewState, m_bookmarks, m_measures, *m_timeline);
    connect(m_inspector, &InspectorPanel::spanRequested, this, &MainWindow::selectAndReveal);
    connect(m_find, &FindBar::spanFound, this, &MainWindow::selectAndReveal);
    connect(m_find, &FindBar::matchesChanged, m_tools.get(), &TimelineTools::showMatches);
    connect(m_find, &FindBar::closed, m_timeline, [this] { m_timeline->setFocus(); });
    connect(this, &MainWindow::runChanged, this, &MainWindow::followRun);
    m_sessionParts.add({QStringLiteral("bookmarks"), SessionScope::experiment, [this] { return m_bookmarks.save(); },
                        [this](const QJsonValue& kept) { return m_bookmarks.restore(kept, m_viewState.runEnd()); }});
}

// A span is known by its place in the trace, where another run may have another one.
void MainWindow::followRun(const std::shared_ptr<const data::ShownRun>& run) {
    auto flow = std::make_shared<const data::Flow>(run);
    if (const auto span = m_viewState.selectedSpan()) {
        const bool same =
            m_flow && m_flow->contains(*span) && flow->contains(*span) && alike(m_flow->span(*span), flow->span(*span));
        if (!same)
            m_viewState.clearSelection();
    }
    m_flow = std::move(flow);
    m_tools->showRun(m_flow);
    m_inspector->showRun(m_flow);
    m_find->showRun(m_flow);
}

void MainWindow::selectAndReveal(data::SpanRef ref) {
    if (!m_flow || !m_flow->contains(ref))
        return;
    const engine::Span& span = m_flow->span(ref);
    const data::TimeRange range = m_viewState.range();
    const std::int64_t lasts = std::max<std::int64_t>((span.end - span.start).ps, 1);
    if (span.start.ps < range.start || span.end.ps > range.end) {
        // The zoom stays unless the span would not fit into it.
        const std::int64_t width = std::max(range.span(), lasts + lasts / kRoom);
        const std::int64_t middle = span.start.ps + lasts / 2;
        m_viewState.setRange({middle - width / 2, middle - width / 2 + width});
    }
    const std::uint32_t chunk = chunkOf(*m_flow, ref);
    m_viewState.setFollowedChunk(chunk == engine::kNone ? std::nullopt : std::optional(chunk));
    m_viewState.selectSpan(ref);
    m_tools->reveal(ref);
}

void MainWindow::followFlow(bool forward) {
    const auto span = m_viewState.selectedSpan();
    if (!span || !m_flow || !m_flow->contains(*span)) {
        statusBar()->showMessage(tr("Click a span first; [ and ] then follow what leads to what."), kHintMs);
        return;
    }
    const auto next = forward ? m_flow->followForward(*span) : m_flow->followBack(*span);
    if (next)
        selectAndReveal(*next);
    else
        statusBar()->showMessage(forward ? tr("Nothing further follows from this span.")
                                         : tr("Nothing earlier leads to this span."),
                                 kHintMs);
}

std::optional<data::TimeRange> MainWindow::selectedRange() const {
    if (const auto area = m_viewState.selectedArea())
        return area->range;
    const auto span = m_viewState.selectedSpan();
    if (!span || !m_flow || !m_flow->contains(*span))
        return std::nullopt;
    const engine::Span& facts = m_flow->span(*span);
    return data::TimeRange{facts.start.ps, facts.end.ps};
}

void MainWindow::measureSelection() {
    if (const auto range = selectedRange())
        m_measures.mark(*range);
    else
        statusBar()->showMessage(tr("Select a span or drag over the picture; M then lays a ruler there."), kHintMs);
}

void MainWindow::sliceToArea() {
    const auto span = m_viewState.selectedSpan();
    const auto range = selectedRange();
    if (span && range)
        m_viewState.selectArea({*range, span->gpu, span->gpu});
    else
        statusBar()->showMessage(tr("Click a span first; R then selects the stretch of time that it takes."), kHintMs);
}

void MainWindow::setBookmark(int number) {
    m_bookmarks.set(number, bookmarkOf(m_viewState));
    statusBar()->showMessage(tr("Bookmark %1 is set; press %1 to come back.").arg(number), kHintMs);
}

void MainWindow::goToBookmark(int number) {
    const auto& bookmark = m_bookmarks.at(number);
    if (!bookmark) {
        statusBar()->showMessage(tr("Bookmark %1 is not set; Ctrl+%1 sets it.").arg(number), kHintMs);
        return;
    }
    goTo(*bookmark, m_viewState, [this](data::SpanRef span) { return m_flow && m_flow->contains(span); });
}

void MainWindow::addSelectCommands() {
    const auto add = [this](const char* id, const QString& text, const QKeySequence& key, CommandScope scope,
                            const QString& hint, auto order) {
        return m_commands->add({.id = QString::fromLatin1(id),
                                .text = text,
                                .group = CommandGroup::select,
                                .keys = {key},
                                .scope = scope,
                                .hint = hint},
                               this, order);
    };
    using enum CommandScope;
    add("select.find", tr("&Find…"), QKeySequence(Qt::CTRL | Qt::Key_F), window,
        tr("Looks for spans by tile, chunk, block, wave, kind or length"), &MainWindow::openFind);
    add("select.find-next", tr("Find &Next"), QKeySequence(Qt::CTRL | Qt::Key_G), window, tr("Selects the next match"),
        [this] { m_find->findNext(); });
    add("select.find-previous", tr("Find &Previous"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_G), window,
        tr("Selects the match before"), [this] { m_find->findPrevious(); });
    add("select.flow-back", tr("What &Led to It"), QKeySequence(Qt::Key_BracketLeft), picture,
        tr("Selects the span that the selected one waited for last"), [this] { followFlow(false); });
    add("select.flow-forward", tr("What &Follows from It"), QKeySequence(Qt::Key_BracketRight), picture,
        tr("Selects the span that the selected one made possible"), [this] { followFlow(true); });
    add("select.area-of-span", tr("Its Time as an &Area"), QKeySequence(Qt::Key_R), picture,
        tr("Selects the stretch of time that the span takes, for its statistics"), &MainWindow::sliceToArea);
    add("select.measure", tr("&Measure"), QKeySequence(Qt::Key_M), picture,
        tr("Lays a ruler over the selection; its ends can be dragged and snap to spans"),
        &MainWindow::measureSelection);
    add("select.keep-measure", tr("&Keep the Ruler"), QKeySequence(Qt::SHIFT | Qt::Key_M), picture,
        tr("Leaves the ruler where it is, so that another can be laid; again takes it back"),
        [this] { m_measures.keep(); });
    addBookmarkCommands();
}

void MainWindow::addBookmarkCommands() {
    QAction* setNext =
        m_commands->add({.id = "select.bookmark",
                         .text = tr("Set a &Bookmark"),
                         .group = CommandGroup::select,
                         .keys = {QKeySequence(Qt::CTRL | Qt::Key_B)},
                         .scope = CommandScope::picture,
                         .hint = tr("Under the first free number; Ctrl+1 to 9 choose one"),
                         .startsSection = true},
                        this, [this] { setBookmark(m_bookmarks.firstFree().value_or(Bookmarks::kLast)); });
    const auto key = [](int number) { return static_cast<Qt::Key>(Qt::Key_0 + number); };
    for (int number = 1; number <= Bookmarks::kLast; ++number) {
        m_commands->add({.id = QStringLiteral("select.set-bookmark-%1").arg(number),
                         .text = tr("Set Bookmark %1").arg(number),
                         .group = CommandGroup::select,
                         .keys = {QKeySequence(Qt::CTRL | key(number))},
                         .scope = CommandScope::picture,
                         .inMenu = false},
                        this, [this, number] { setBookmark(number); });
    }
    for (int number = 1; number <= Bookmarks::kLast; ++number) {
        m_commands->add({.id = QStringLiteral("select.go-to-bookmark-%1").arg(number),
                         .text = tr("Go to Bookmark %1").arg(number),
                         .group = CommandGroup::select,
                         .keys = {QKeySequence(key(number))},
                         .scope = CommandScope::picture,
                         .inMenu = false},
                        this, [this, number] { goToBookmark(number); });
    }
    m_bookmarksMenuEnd = setNext;
    connect(&m_bookmarks, &Bookmarks::changed, this, &MainWindow::listBookmarks);
}

// Only those that are set stand in the menu, each with where it leads.
void MainWindow::listBookmarks() {
    const auto widgets = m_bookmarksMenuEnd->associatedObjects();
    for (QObject* object : widgets) {
        auto* menu = qobject_cast<QMenu*>(object);
        if (menu == nullptr)
            continue;
        for (int number = 1; number <= Bookmarks::kLast; ++number) {
            QAction* go = m_commands->find(QStringLiteral("select.go-to-bookmark-%1").arg(number))->action;
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
