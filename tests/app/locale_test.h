#pragma once

#include "tests/app/program_test.h"
#include "tests/locales.h"

// Runs tests of a program under the locales of tests/locales.h. The function of such a test is
// `return runUnderLocales(argc, argv, kTests)`.

namespace tests {

inline std::string g_locales;  // the folder of the generated locales, set by runUnderLocales

/// Returns environment variables that set this locale, as text for the shell.
inline std::string under(const std::string& locale) {
    return "LOCPATH='" + g_locales + "' LANG=" + locale + ".UTF-8 LC_ALL=" + locale + ".UTF-8";
}

/// Generates the locales in a folder beside the test's own and runs the tests. If the locales cannot be generated,
/// prints the reason and skips all tests.
inline int runUnderLocales(int argc, char** argv, const NamedTests& tests) {
    if (argc == 3) {
        g_locales = std::filesystem::absolute(argv[2]).string() + "-locales";
        if (const std::string why = makeLocales(g_locales); !why.empty()) {
            std::cout << why << "\n";
            return 0;
        }
    }
    return runTests(argc, argv, tests);
}

}  // namespace tests
