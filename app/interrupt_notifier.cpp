#include "app/interrupt_notifier.h"

#include "app/ringside_cli_exit.h"

#include <array>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>

namespace app {
namespace {

constexpr std::array kSignals{SIGINT, SIGTERM, SIGHUP};
std::array<int, 2> g_pipe{-1, -1};
volatile std::sig_atomic_t g_seen = 0;

/// Does only what a signal handler may do: the rest happens in the event loop, which reads the other end of the pipe.
void noteSignal(int) {
    if (g_seen != 0)
        _exit(cli::kInterrupted);
    g_seen = 1;
    const char byte = 0;
    if (write(g_pipe[1], &byte, 1) != 1)
        _exit(cli::kInterrupted);
}

}  // namespace

InterruptNotifier::InterruptNotifier(QObject* parent) : QObject(parent) {
    if (pipe2(g_pipe.data(), O_CLOEXEC | O_NONBLOCK) != 0)
        return;
    m_notifier.emplace(g_pipe[0], QSocketNotifier::Read);
    connect(&*m_notifier, &QSocketNotifier::activated, this, [this] {
        m_notifier->setEnabled(false);
        Q_EMIT interrupted();
    });
    for (const int signal : kSignals) {
        struct sigaction before {};
        // A program that was started with nohup keeps running when its terminal closes.
        if (sigaction(signal, nullptr, &before) == 0 && before.sa_handler != SIG_IGN)
            std::signal(signal, noteSignal);
    }
}

InterruptNotifier::~InterruptNotifier() {
    for (const int signal : kSignals) {
        struct sigaction now {};
        if (sigaction(signal, nullptr, &now) == 0 && now.sa_handler == noteSignal)
            std::signal(signal, SIG_DFL);
    }
    m_notifier.reset();
    for (int& end : g_pipe) {
        if (end >= 0)
            close(end);
        end = -1;
    }
}

}  // namespace app
