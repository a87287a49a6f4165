#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace engine {

/// A pool of threads for fork-join loops. All parallel work of the engine goes through it: the windows of a full ring
/// and the runs of a sweep. By default it uses oneTBB. Debian's oneTBB is not instrumented for the thread sanitizer,
/// which then reports dozens of races for a correct fork-join. A build with RINGSIDE_STD_THREADS therefore uses
/// std::jthread, so that every report of the sanitizer is a real one. One with RINGSIDE_SERIAL, for WebAssembly, has no
/// threads: all calls are made on the calling one.
class ThreadPool {
public:
    /// `threads` is at least 1 and includes the calling thread. The pool never has fewer threads, whatever the machine
    /// has.
    explicit ThreadPool(int threads);
    ~ThreadPool();
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    /// Calls `work(0)` … `work(count - 1)`, each once, in any order, on any of the threads, and returns when all are
    /// done. If calls throw, rethrows the first exception after the others have ended.
    void forEach(std::size_t count, const std::function<void(std::size_t)>& work);

    int threads() const { return m_threads; }

private:
    struct Team;
    int m_threads;
    std::unique_ptr<Team> m_team;  // null for one thread
};

}  // namespace engine
