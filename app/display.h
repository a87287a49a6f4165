#pragma once

#include <QString>

#include <cstdio>

namespace app {

/// Writes a line in the encoding of the terminal.
void say(std::FILE* stream, const QString& text);

/// While it lives, the program ends with one sentence and exit code 3 if Qt finds no display; Qt alone would leave a core
/// dump. The warnings of Qt's platform plugins are left out, all other messages are passed on.
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
