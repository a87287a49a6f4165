#pragma once

#include <QString>

#include <cstdio>

namespace app {

/// Writes a line in the encoding of the terminal, with escapes for what steers a terminal (data::visibleText).
void say(std::FILE* stream, const QString& text);

/// While it exists, the program ends with one sentence and exit code 3 if Qt finds no display; without it Qt would dump
/// core. Suppresses the warnings of Qt's platform plugins and passes on all other messages.
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
