#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace tests {

/// Locales that write 0.5 as "0,5" (German and Turkish), in which the capital of "i" is another letter (Turkish), with
/// other digits (Arabic), and with a decimal point of two bytes (Pashto).
inline constexpr const char* kLocales[] = {"de_DE", "tr_TR", "ar_EG", "ps_AF"};

/// Generates the locales, in UTF-8, from the C library's sources in `folder`. A program whose LOCPATH is that folder
/// finds them as "de_DE.UTF-8". Returns why that is not possible, or an empty text.
inline std::string makeLocales(const std::filesystem::path& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    for (const std::string locale : kLocales) {
        const std::filesystem::path made = folder / (locale + ".UTF-8");
        const std::string command =
            "localedef -i " + locale + " -f UTF-8 '" + made.string() + "' >'" + (folder / "log").string() + "' 2>&1";
        // localedef also ends with exit code 1 after warnings, so the test is whether the locale exists.
        if (!std::filesystem::exists(made / "LC_NUMERIC") && std::system(command.c_str()) != 0 &&
            !std::filesystem::exists(made / "LC_NUMERIC"))
            return "the locale " + locale + " cannot be generated (Debian: package locales); skipped";
    }
    return {};
}

}  // namespace tests
