// A program with a deliberate race, built only for the thread sanitizer, which must report it: two workers of a thread
// pool write one number without synchronisation. If this race is not reported, a race in the engine would not be
// either.

#include "engine/kernel/thread_pool.h"

#include <atomic>
#include <cstddef>

int main() {
    int shared = 0;
    engine::ThreadPool pool(2);
    for (int round = 0; round < 100; ++round) {
        // Both workers wait here until the other has started. The counter is relaxed, so that it does not order their
        // writes.
        std::atomic<int> atWork = 0;
        pool.forEach(2, [&](std::size_t) {
            atWork.fetch_add(1, std::memory_order_relaxed);
            while (atWork.load(std::memory_order_relaxed) < 2) {}
            ++shared;
        });
    }
    return shared < 0 ? 1 : 0;
}
