#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace tests {

/// Locales that write 0.5 as "0,5" (German and Turkish), whose capital of "i" is another letter (Turkish), whose digits are
/// not ours (Arabic), and whose decimal point has two bytes (Pashto).
inline constexpr const char* kLocales[] = {"de_DE", "tr_TR", "ar_EG", "ps_AF"};

/// Generates the locales, in UTF-8, from the C library's sources into `folder`: a program whose LOCPATH names that folder
/// finds them as "de_DE.UTF-8". Returns why it cannot, or an empty text.
inline std::string makeLocales(const std::filesystem::path& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    for (const std::string locale : kLocales) {
        const std::filesystem::path made = folder / (locale + ".UTF-8");
        const std::string command =
            "localedef -i " + locale + " -f UTF-8 '" + made.string() + "' >'" + (folder / "log").string() + "' 2>&1";
        // Warnings of localedef are exit code 1: what counts is whether the locale is there.
        if (!std::filesystem::exists(made / "LC_NUMERIC") && std::system(command.c_str()) != 0 &&
            !std::filesystem::exists(made / "LC_NUMERIC"))
            return "the locale " + locale + " cannot be generated (Debian: package locales); skipped";
    }
    return {};
}

}  // namespace tests
