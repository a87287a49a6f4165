#include "tests/random_acts/window_acts.h"

#include "data/experiment/experiment_document.h"
#include "ui/lessons/lesson_feature.h"
#include "ui/shared/experiment_model.h"
#include "ui/workbench/commands.h"
#include "ui/workbench/panel_host.h"
#include "ui/workbench/pictures.h"
#include "ui/workbench/presenter.h"
#include "ui/workbench/window_views.h"

#include <QApplication>
#include <QDialog>
#include <QElapsedTimer>
#include <QMenuBar>
#include <QPointer>
#include <QTabBar>
#include <QWheelEvent>
#include <QWindow>

#include <algorithm>
#include <array>
#include <utility>

namespace tests {
namespace {

constexpr int kMostWaitMs = 350;  // longer than the movement of a dropped panel
constexpr int kMostMovingMs = 5'000;

// Keys that act without a command of the window, in fields, lists, dialogs and pictures.
constexpr std::array kKeys{Qt::Key_Return, Qt::Key_Escape, Qt::Key_Tab,      Qt::Key_Backtab, Qt::Key_Space,
                           Qt::Key_Left,   Qt::Key_Right,  Qt::Key_Up,       Qt::Key_Down,    Qt::Key_Home,
                           Qt::Key_End,    Qt::Key_PageUp, Qt::Key_PageDown, Qt::Key_Delete,  Qt::Key_Backspace,
                           Qt::Key_1,      Qt::Key_0,      Qt::Key_Period,   Qt::Key_K,       Qt::Key_Minus};

constexpr std::array kExperiments{"t-nlg/fc-2/tp8",
                                  "t-nlg/fc-2/tp2",
                                  "t-nlg/op/tp2",
                                  "t-nlg/op/tp16",
                                  "mega-gpt-2/ip/tp32",
                                  "t-nlg/fc-1/tp64",
                                  "gemm/2048x2048x2048",
                                  "gemm/4x1024x1024x1024",
                                  "collective/all-reduce/tp2",
                                  "collective/all-gather/tp8"};

constexpr std::array kPolicies{"sequential", "t3", "t3-mca", "ideal-overlap"};

// Sizes of screens on which the window is used; between them sizes are drawn.
constexpr QSize kLeastSize(800, 500), kMostSize(2560, 1440);

/// Returns one of the elements, each with the same chance.
template <class List>
const auto& oneOf(RandomNumbers& numbers, const List& list) {
    return list[static_cast<decltype(list.size())>(numbers.next() % static_cast<std::uint64_t>(list.size()))];
}

QString textOf(const QRect& rect) {
    return QStringLiteral("%1x%2 at %3,%4").arg(rect.width()).arg(rect.height()).arg(rect.x()).arg(rect.y());
}

// Commands that end the window or keep both cores busy for minutes.
bool isLeftOut(const QString& id) {
    static const QStringList kLeftOut{QStringLiteral("file.quit"),         QStringLiteral("sweep.start"),
                                      QStringLiteral("sweep.best"),        QStringLiteral("evaluations.run"),
                                      QStringLiteral("figure.make-all"),   QStringLiteral("figure.make"),
                                      QStringLiteral("file.export-frames")};
    return kLeftOut.contains(id);
}

}  // namespace

WindowActs::WindowActs(ui::RingsideWindow& window, std::uint64_t seed, std::function<void(const std::string&)> noted)
    : m_window(window), m_seed(seed), m_drag(window), m_panels(window.findChildren<QDockWidget*>()),
      m_noted(std::move(noted)) {
    std::ranges::sort(m_panels, {}, [](const QDockWidget* panel) { return panel->objectName(); });
}

void WindowActs::note(const char* kind, const QString& what) {
    ++m_counts[kind];
    m_noted(what.isEmpty() ? kind : kind + (' ' + what.toStdString()));
}

void WindowActs::act(std::uint64_t number) {
    static constexpr std::array<std::pair<int, Act>, 15> kActs{{{12, &WindowActs::showView},
                                                                {10, &WindowActs::showPicture},
                                                                {10, &WindowActs::pressKey},
                                                                {14, &WindowActs::runCommand},
                                                                {8, &WindowActs::click},
                                                                {4, &WindowActs::dragAnywhere},
                                                                {8, &WindowActs::takeUpPanel},
                                                                {4, &WindowActs::takeBorder},
                                                                {12, &WindowActs::moveOrDrop},
                                                                {3, &WindowActs::turnWheel},
                                                                {5, &WindowActs::resizeWindow},
                                                                {4, &WindowActs::togglePanel},
                                                                {4, &WindowActs::openExperiment},
                                                                {5, &WindowActs::pause},
                                                                {6, &WindowActs::closeDialog}}};
    RandomNumbers numbers(m_seed, number);
    int all = 0;
    for (const auto& [weight, act] : kActs)
        all += weight;
    std::int64_t drawn = numbers.between(std::int64_t{0}, std::int64_t{all - 1});
    for (const auto& [weight, act] : kActs) {
        drawn -= weight;
        if (drawn < 0)
            return (this->*act)(numbers);
    }
}

// Sends the key to the widget with the focus, after the shortcuts. QTest::keyClick() does not survive a key that closes
// its window.
void WindowActs::sendKey(const QKeySequence& keys) {
    for (int i = 0; i < keys.count(); ++i) {
        const Qt::Key key = keys[static_cast<uint>(i)].key();
        const Qt::KeyboardModifiers modifiers = keys[static_cast<uint>(i)].keyboardModifiers();
        const QString text = modifiers == Qt::NoModifier ? QString(QLatin1Char(QTest::keyToAscii(key))) : QString();
        QPointer<QWidget> target = QApplication::activePopupWidget();
        for (QWidget* widget :
             {QApplication::focusWidget(), QApplication::activeWindow(), static_cast<QWidget*>(&m_window)})
            target = target == nullptr ? widget : target.data();
        if (qt_sendShortcutOverrideEvent(target, 0, key, modifiers, text) || target == nullptr)
            continue;
        QKeyEvent press(QEvent::KeyPress, key, modifiers, text);
        QApplication::sendEvent(target, &press);
        QKeyEvent release(QEvent::KeyRelease, key, modifiers, text);
        if (target != nullptr)
            QApplication::sendEvent(target, &release);
    }
}

QPoint WindowActs::placeIn(RandomNumbers& numbers, const QRect& room) const {
    const double across = numbers.fraction(), down = numbers.fraction();
    return room.topLeft() + QPoint(static_cast<int>(across * room.width()), static_cast<int>(down * room.height()));
}

QRect WindowActs::room() const { return {QPoint(), m_window.windowHandle()->size()}; }

void WindowActs::showView(RandomNumbers& numbers) {
    const auto& views = m_window.workbench().views().all();
    const ui::WindowView& view = oneOf(numbers, views);
    note("view", view.name);
    if (numbers.withChance(0.5))
        m_window.workbench().views().showView(view.name);
    else
        sendKey(view.key);
}

void WindowActs::showPicture(RandomNumbers& numbers) {
    const QStringList names = m_window.workbench().pictures().names();
    const QString& name = oneOf(numbers, names);
    note("picture", name);
    if (numbers.withChance(0.3))
        m_window.workbench().showViewOrPicture(name);
    else
        sendKey(QKeySequence(Qt::ALT | static_cast<Qt::Key>(Qt::Key_1 + names.indexOf(name))));
    if (numbers.withChance(0.2))
        sendKey(QKeySequence(Qt::ALT | Qt::Key_0));
}

void WindowActs::pressKey(RandomNumbers& numbers) {
    const QKeySequence key(oneOf(numbers, kKeys));
    note("key", key.toString());
    sendKey(key);
}

void WindowActs::runCommand(RandomNumbers& numbers) {
    const ui::Command& command = oneOf(numbers, m_window.workbench().commands().all());
    note("command", command.id);
    if (command.action->isEnabled() && !isLeftOut(command.id))
        command.action->trigger();
}

void WindowActs::click(RandomNumbers& numbers) {
    const QPoint place = placeIn(numbers, room());
    const bool twice = numbers.withChance(0.2);
    note(twice ? "double click" : "click", QStringLiteral("%1,%2").arg(place.x()).arg(place.y()));
    if (m_holds)
        return m_drag.moveTo(place);
    if (m_window.menuBar()->isVisible() && place.y() < m_window.menuBar()->height())
        return;  // a menu would end the program by Quit
    if (twice)
        QTest::mouseDClick(m_window.windowHandle(), Qt::LeftButton, {}, place);
    else
        QTest::mouseClick(m_window.windowHandle(), Qt::LeftButton, {}, place);
}

void WindowActs::dragAnywhere(RandomNumbers& numbers) {
    const QPoint from = placeIn(numbers, room()), to = placeIn(numbers, room());
    note("drag", QStringLiteral("%1,%2 to %3,%4").arg(from.x()).arg(from.y()).arg(to.x()).arg(to.y()));
    if (!m_holds && from.y() > m_window.menuBar()->height())
        m_drag.press(from);
    m_drag.moveTo(to);
    drop();
}

void WindowActs::takeUpPanel(RandomNumbers& numbers) {
    const QDockWidget& panel = *oneOf(numbers, m_panels);
    const QPoint to = placeIn(numbers, room());
    note("take up", panel.objectName());
    if (m_holds || !panel.isVisible() || panel.visibleRegion().isEmpty())
        return;
    m_drag.pressTitle(panel);
    m_holds = true;
    m_drag.moveTo(to);
}

void WindowActs::takeBorder(RandomNumbers& numbers) {
    const QDockWidget& panel = *oneOf(numbers, m_panels);
    const bool across = numbers.withChance(0.6);
    const QPoint by = placeIn(numbers, QRect(-200, -200, 400, 400));
    note("take border of", panel.objectName());
    if (m_holds || !panel.isVisible())
        return;
    const bool isLeft = m_window.dockWidgetArea(const_cast<QDockWidget*>(&panel)) == Qt::LeftDockWidgetArea;
    const QPoint border = across ? QPoint(isLeft ? panel.width() + 1 : -2, panel.height() / 2)
                                 : QPoint(panel.width() / 2, panel.height() + 1);
    m_drag.press(panel.mapTo(&m_window, border));
    m_holds = true;
    m_drag.moveTo(panel.mapTo(&m_window, border) + by);
}

void WindowActs::moveOrDrop(RandomNumbers& numbers) {
    const QPoint to = placeIn(numbers, room());
    const bool drops = numbers.withChance(0.6);
    note(drops ? "drop" : "move");
    if (!m_holds)
        return;
    m_drag.moveTo(to);
    if (drops)
        drop();
}

void WindowActs::drop() {
    m_drag.drop();
    m_holds = false;
}

void WindowActs::turnWheel(RandomNumbers& numbers) {
    const QPoint place = placeIn(numbers, room());
    const int turn = numbers.withChance(0.5) ? 120 : -120;
    const bool zooms = numbers.withChance(0.3);
    note("wheel", QStringLiteral("%1,%2").arg(place.x()).arg(place.y()));
    QWidget* under = m_window.childAt(place);
    if (under == nullptr)
        return;
    QWheelEvent wheel(under->mapFrom(&m_window, place), m_window.mapToGlobal(place), {}, {0, turn}, Qt::NoButton,
                      zooms ? Qt::ControlModifier : Qt::NoModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(under, &wheel);
}

void WindowActs::resizeWindow(RandomNumbers& numbers) {
    const QPoint size =
        placeIn(numbers, QRect(QPoint(kLeastSize.width(), kLeastSize.height()), kMostSize - kLeastSize));
    note("size", QStringLiteral("%1x%2").arg(size.x()).arg(size.y()));
    if (!m_window.isFullScreen())
        m_window.resize(size.x(), size.y());
}

void WindowActs::togglePanel(RandomNumbers& numbers) {
    const QDockWidget& panel = *oneOf(numbers, m_panels);
    note("toggle", panel.objectName());
    panel.toggleViewAction()->trigger();
}

void WindowActs::openExperiment(RandomNumbers& numbers) {
    const char* name = oneOf(numbers, kExperiments);
    const char* policy = oneOf(numbers, kPolicies);
    note("experiment", QString::fromLatin1(name));
    data::ExperimentDraft draft = data::openDraft(name).draft;
    draft.explicitValues["detail.level"] = std::string("interactive");
    draft.explicitValues["policy.preset"] = std::string(policy);
    m_window.experiment().replaceDraft(draft, QStringLiteral("Open Experiment"), std::nullopt);
}

void WindowActs::pause(RandomNumbers& numbers) {
    const auto ms = static_cast<int>(numbers.between(std::int64_t{0}, std::int64_t{kMostWaitMs}));
    note("pause", QString::number(ms));
    QTest::qWait(ms);
}

void WindowActs::closeDialog(RandomNumbers&) {
    note("close dialog");
    if (QWidget* popup = QApplication::activePopupWidget())
        popup->close();
    if (auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget()))
        dialog->reject();
}

void WindowActs::closeDialogs() {
    while (QWidget* popup = QApplication::activePopupWidget())
        popup->close();
    for (QWidget* window : QApplication::topLevelWidgets())
        if (auto* dialog = qobject_cast<QDialog*>(window); dialog != nullptr && dialog->isVisible())
            dialog->reject();
}

bool WindowActs::isMoving() const {
    return std::ranges::any_of(m_panels, [](const QDockWidget* panel) { return panel->isFloating(); });
}

QString WindowActs::faultAtRest() {
    if (m_holds)
        drop();
    closeDialogs();
    ui::Workbench& bench = m_window.workbench();
    bench.presenter().set(false);
    if (m_window.lessons().isOpen())
        bench.commands().find(QStringLiteral("lesson.leave"))->action->trigger();
    QElapsedTimer waited;
    waited.start();
    do
        QTest::qWait(30);
    while (isMoving() && waited.elapsed() < kMostMovingMs);
    if (isMoving())
        return QStringLiteral("a panel still moves %1 ms after the drop").arg(kMostMovingMs);
    if (!bench.views().currentView().widget->isVisible())
        return QStringLiteral("the view %1 is in front but not visible").arg(bench.views().current());
    if (!m_window.menuBar()->isVisible())
        return QStringLiteral("the menu bar is hidden outside presenter mode");
    if (m_window.font().pointSizeF() != QApplication::font().pointSizeF())
        return QStringLiteral("the window has the type of presenter mode outside of it");
    for (const QDockWidget* panel : m_panels)  // Qt places panels that are covered by others outside the window
        if (!panel->visibleRegion().isEmpty() && !m_window.rect().contains(panel->geometry()))
            return QStringLiteral("the panel %1, %2, is outside the window, %3")
                .arg(panel->objectName(), textOf(panel->geometry()), textOf(m_window.rect()));
    return {};
}

}  // namespace tests
