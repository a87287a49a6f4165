#pragma once

#include <QtGlobal>

namespace app {

/// While it lives, a Qt that finds no display ends the program with one sentence and exit code 3, where it would end it
/// with a core dump. What Qt warns of on the way there is left out; all other messages go their way.
class DisplayGuard {
public:
    DisplayGuard();
    ~DisplayGuard();
    DisplayGuard(const DisplayGuard&) = delete;
    DisplayGuard& operator=(const DisplayGuard&) = delete;

private:
    QtMessageHandler m_before;
};

}  // namespace app
