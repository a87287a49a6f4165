#include "ui/workbench/session_keeper.h"

#include <QCoreApplication>
#include <QEvent>

#include <utility>

namespace ui {
namespace {

constexpr int kRestMs = 1'000;
constexpr qint64 kLongestMs = 10'000;

bool mayChange(QEvent::Type type) {
    switch (type) {
    case QEvent::MouseButtonRelease:
    case QEvent::MouseButtonDblClick:
    case QEvent::KeyRelease:
    case QEvent::Wheel:
    case QEvent::Drop:
    case QEvent::TouchEnd: return true;
    default: return false;
    }
}

}  // namespace

SessionKeeper::SessionKeeper(std::function<void()> save, QObject* parent) : QObject(parent) {
    m_rest.setSingleShot(true);
    m_rest.setInterval(kRestMs);
    connect(&m_rest, &QTimer::timeout, this, [save = std::move(save)] { save(); });
    QCoreApplication::instance()->installEventFilter(this);
}

void SessionKeeper::noteChange() {
    if (!m_rest.isActive())
        m_waiting.start();
    if (!m_rest.isActive() || m_waiting.elapsed() < kLongestMs)
        m_rest.start();
}

bool SessionKeeper::eventFilter(QObject* watched, QEvent* event) {
    if (watched->isWidgetType() && mayChange(event->type()))
        noteChange();
    return false;
}

}  // namespace ui
