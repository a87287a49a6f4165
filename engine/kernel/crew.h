#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace engine {

/// The one seam through which anything runs on several threads: the windows of a full ring and the runs of a sweep.
/// By default oneTBB does the work. Debian's oneTBB is not instrumented for the thread sanitizer, and a correct
/// fork-join through it then reports dozens of races; so a build with RINGSIDE_STD_THREADS does the same with
/// std::jthread, where every report means something.
class Crew {
public:
    /// `threads` of at least 1 work, the caller among them. Never fewer than asked for, whatever the machine has.
    explicit Crew(int threads);
    ~Crew();
    Crew(const Crew&) = delete;
    Crew& operator=(const Crew&) = delete;

    /// Calls `work(0)` … `work(count - 1)`, each once, in any order, on any of the threads, and returns when all are
    /// done. The first exception is thrown again here, once the others have ended.
    void forEach(std::size_t count, const std::function<void(std::size_t)>& work);

    int threads() const { return m_threads; }

private:
    struct Team;
    int m_threads;
    std::unique_ptr<Team> m_team;  // null for one thread
};

}  // namespace engine
