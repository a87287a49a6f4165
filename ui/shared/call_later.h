#pragma once

#include <QObject>

#include <type_traits>
#include <utility>

#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#endif

namespace ui {

#ifdef __SANITIZE_THREAD__

/// What a call brings along, where the thread sanitizer watches. Qt hands calls over under a lock of its own, which the
/// sanitizer does not see because Qt is not instrumented; so it is told here. The last move puts the call where it stays
/// until it is made or dropped.
template <typename Call>
class HandedOver {
public:
    explicit HandedOver(Call call) : m_call(std::move(call)) {}
    HandedOver(HandedOver&& other) noexcept : m_call(std::move(other.m_call)) { __tsan_release(this); }
    HandedOver(const HandedOver&) = delete;
    HandedOver& operator=(HandedOver&&) = delete;
    HandedOver& operator=(const HandedOver&) = delete;
    ~HandedOver() { __tsan_acquire(this); }

    void operator()() {
        __tsan_acquire(this);
        m_call();
    }

private:
    Call m_call;
};

#else

template <typename Call>
using HandedOver = Call;

#endif

/// Makes the call on the thread of `context`, later, in the order of asking; drops it if `context` is gone by then.
/// Threads hand what they have made to the window through this only.
template <typename Call>
void callLater(QObject& context, Call&& call) {
    QMetaObject::invokeMethod(&context, HandedOver<std::decay_t<Call>>(std::forward<Call>(call)), Qt::QueuedConnection);
}

}  // namespace ui
