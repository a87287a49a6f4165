#include "data/whole_file.h"

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <unistd.h>

namespace data {
namespace {

[[noreturn]] void refuse(const std::string& path, int reason) {
    throw FileError(path + ": cannot be written: " + std::generic_category().message(reason));
}

/// What a link points at: replacing the link itself would cut it off from its file.
std::string behindLinks(const std::string& path) {
    std::error_code error;
    const auto real = std::filesystem::canonical(path, error);
    return error ? path : real.string();
}

}  // namespace

void writeWholeFile(const std::string& path, std::string_view text) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error))
        refuse(path, EISDIR);
    const std::string target = behindLinks(path);
    // Beside the file, so that the renaming stays within one file system.
    const std::string draft = target + ".part" + std::to_string(::getpid());
    std::FILE* file = std::fopen(draft.c_str(), "wb");
    if (file == nullptr)
        refuse(path, errno);
    bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
    written = std::fflush(file) == 0 && written;
    written = ::fsync(::fileno(file)) == 0 && written;
    int reason = errno;
    written = std::fclose(file) == 0 && written;
    if (written && std::rename(draft.c_str(), target.c_str()) == 0)
        return;
    if (written)
        reason = errno;
    std::remove(draft.c_str());
    refuse(path, reason);
}

}  // namespace data
