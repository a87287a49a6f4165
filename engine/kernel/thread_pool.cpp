#include "engine/kernel/thread_pool.h"

#include <algorithm>

#if defined(RINGSIDE_SERIAL)
// Nothing runs beside the caller.
#elif defined(RINGSIDE_STD_THREADS)
#include <condition_variable>
#include <exception>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>
#else
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>
#endif

namespace engine {

#if defined(RINGSIDE_SERIAL)

struct ThreadPool::Team {};

#elif defined(RINGSIDE_STD_THREADS)

struct ThreadPool::Team {
    explicit Team(int threads) {
        for (int thread = 1; thread < threads; ++thread)
            workers.emplace_back([this](const std::stop_token& stop) { serve(stop); });
    }

    ~Team() {
        for (std::jthread& worker : workers)
            worker.request_stop();
        wake.notify_all();
    }

    void forEach(std::size_t items, const std::function<void(std::size_t)>& call) {
        {
            const std::lock_guard lock(mutex);
            work = &call;
            next = 0;
            count = items;
            left = items;
            failure = nullptr;
        }
        wake.notify_all();
        std::unique_lock lock(mutex);
        takeItems(lock);
        done.wait(lock, [this] { return left == 0; });
        if (failure)
            std::rethrow_exception(failure);
    }

    void serve(const std::stop_token& stop) {
        std::unique_lock lock(mutex);
        while (wake.wait(lock, stop, [this] { return next < count; }))
            takeItems(lock);
    }

    void takeItems(std::unique_lock<std::mutex>& lock) {
        while (next < count) {
            const std::size_t item = next++;
            const auto* call = work;
            lock.unlock();
            std::exception_ptr thrown;
            try {
                (*call)(item);
            } catch (...) { thrown = std::current_exception(); }
            lock.lock();
            if (thrown && !failure)
                failure = thrown;
            if (--left == 0)
                done.notify_all();
        }
    }

    std::mutex mutex;
    std::condition_variable_any wake;
    std::condition_variable done;
    const std::function<void(std::size_t)>* work = nullptr;
    std::size_t next = 0, count = 0, left = 0;
    std::exception_ptr failure;
    std::vector<std::jthread> workers;  // last: they end before what they use
};

#else

struct ThreadPool::Team {
    explicit Team(int threads)
        : allowed(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads)), arena(threads) {}

    void forEach(std::size_t count, const std::function<void(std::size_t)>& work) {
        arena.execute([&] { tbb::parallel_for(std::size_t{0}, count, work, tbb::simple_partitioner()); });
    }

    // Without this object a machine with fewer cores would silently use fewer threads than were requested.
    tbb::global_control allowed;
    tbb::task_arena arena;
};

#endif

ThreadPool::ThreadPool(int threads) : m_threads(std::max(1, threads)) {
#ifndef RINGSIDE_SERIAL
    if (m_threads > 1)
        m_team = std::make_unique<Team>(m_threads);
#endif
}

ThreadPool::~ThreadPool() = default;

void ThreadPool::forEach(std::size_t count, const std::function<void(std::size_t)>& work) {
#ifndef RINGSIDE_SERIAL
    if (m_team) {
        m_team->forEach(count, work);
        return;
    }
#endif
    for (std::size_t item = 0; item < count; ++item)
        work(item);
}

}  // namespace engine
