#pragma once

#include "tests/app/program_test.h"
#include "tests/locales.h"

// What tries a program under the locales of tests/locales.h. Its function is `return runUnderLocales(argc, argv, kTests)`.

namespace tests {

inline std::string g_locales;  // the folder that has them, set by runUnderLocales

/// The environment of a person who has this locale.
inline std::string under(const std::string& locale) {
    return "LOCPATH='" + g_locales + "' LANG=" + locale + ".UTF-8 LC_ALL=" + locale + ".UTF-8";
}

/// Skips all tests, saying why, where the locales cannot be generated. They are kept beside the tests' folder.
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
