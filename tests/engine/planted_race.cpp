// Only built for the thread sanitizer, which must report this program: two workers of a pool write one number without
// a word to each other. If it goes unseen, so would a race of our own.

#include "engine/kernel/thread_pool.h"

#include <atomic>
#include <cstddef>

int main() {
    int shared = 0;
    engine::ThreadPool pool(2);
    for (int round = 0; round < 100; ++round) {
        // Both are at work before either writes; relaxed, so that meeting here puts neither before the other.
        std::atomic<int> atWork = 0;
        pool.forEach(2, [&](std::size_t) {
            atWork.fetch_add(1, std::memory_order_relaxed);
            while (atWork.load(std::memory_order_relaxed) < 2) {}
            ++shared;
        });
    }
    return shared < 0 ? 1 : 0;
}
