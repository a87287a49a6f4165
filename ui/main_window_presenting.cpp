#include "ui/main_window.h"

#include "ui/playback/caption_line.h"
#include "ui/presenter/presenter_caption.h"
#include "ui/presenter/still_pointer.h"
#include "ui/timeline/headline_strip.h"
#include "ui/welcome/welcome_card.h"
#include "ui/workbench/commands.h"
#include "ui/workbench/key_hint.h"
#include "ui/workbench/window_views.h"

#include <QApplication>
#include <QScreen>
#include <QTimer>
#include <QVBoxLayout>

// For a room full of people.

namespace ui {
namespace {

constexpr double kPresenterScale = 1.5;
constexpr int kLowScreen = 780;  // points; below it the picture needs the room of the headlines

}  // namespace

void MainWindow::setPresenting(bool presenting) {
    if (presenting == m_presents)
        return;
    if (presenting) {
        keepLayout();
        m_stateBeforePresenting = windowState();
        m_placeBeforePresenting = geometry();
    }
    m_presents = presenting;
    m_presenting->setChecked(presenting);
    if (presenting)
        setPanelsVisible(false);
    QFont type = QApplication::font();
    type.setPointSizeF(type.pointSizeF() * (presenting ? kPresenterScale : 1));
    setFont(type);
    if (m_welcome != nullptr)
        m_welcome->setVisible(!presenting);
    m_headlines->setVisible(!presenting || screen()->size().height() >= kLowScreen);
    setWindowState(presenting ? windowState() | Qt::WindowFullScreen : m_stateBeforePresenting);
    if (!presenting) {
        // Not every window system remembers it.
        if (m_stateBeforePresenting == Qt::WindowNoState)
            setGeometry(m_placeBeforePresenting);
        bringPanelsBack();
    }
    showPresenterCaption();
    delete m_stillPointer;
    m_stillPointer = presenting ? new StillPointer(this) : nullptr;
    delete m_presenterHint;
    if (presenting)
        showPresenterKeys();
    m_windowViews->focusCurrent();
    if (presenting)
        presentLesson();
}

// As they were: panels get their widths when the window has its own again, which is a moment later.
void MainWindow::bringPanelsBack() {
    const QByteArray kept = m_layouts[m_layoutOf];
    const bool sameView = m_layoutOf == m_windowViews->current();
    setPanelsVisible(true);
    applyLayout();  // the view may have changed meanwhile
    QTimer::singleShot(0, this, [this, kept, sameView] {
        if (!m_presents && sameView)
            restoreState(kept);
    });
}

// Where a run is shown: the line above the picture gives way to a band beneath it.
void MainWindow::showPresenterCaption() {
    const QString view = m_windowViews->current();
    const bool told = m_presents && view == QLatin1String("explore");
    if (m_presents && m_presenterCaption == nullptr) {
        m_presenterCaption = new PresenterCaption(centralWidget());
        static_cast<QVBoxLayout*>(centralWidget()->layout())->addWidget(m_presenterCaption);
        connect(m_caption, &CaptionLine::said, m_presenterCaption, &PresenterCaption::showParts);
        connect(m_windowViews, &WindowViews::currentChanged, this, &MainWindow::showPresenterCaption);
        m_presenterCaption->showParts(m_caption->parts());
    }
    m_caption->setTextVisible(!told);
    if (m_presenterCaption != nullptr)
        m_presenterCaption->setVisible(told);
}

void MainWindow::showPresenterKeys() {
    std::vector<std::pair<QString, QString>> keys;
    const auto add = [&](const char* id, const QString& what) {
        const Command* command = m_commands->find(QString::fromLatin1(id));
        if (command != nullptr && !command->action->shortcuts().isEmpty())
            keys.emplace_back(command->action->shortcuts().front().toString(QKeySequence::NativeText), what);
    };
    add("playback.play", tr("play and pause"));
    add("playback.step-forward", tr("next step"));
    add("view.show-machine", tr("machine"));
    add("help.palette", tr("any command"));
    add("view.present", tr("or Esc leaves"));
    m_presenterHint = new KeyHint(keys, *centralWidget());
}

}  // namespace ui
