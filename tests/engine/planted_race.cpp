// Only built for the thread sanitizer, which must report this program: two workers of a crew write one number without
// a word to each other. If it goes unseen, so would a race of our own.

#include "engine/kernel/crew.h"

#include <cstddef>

int main() {
    int shared = 0;
    engine::Crew crew(2);
    for (int round = 0; round < 1000; ++round)
        crew.forEach(2, [&](std::size_t) { ++shared; });
    return shared < 0 ? 1 : 0;
}
