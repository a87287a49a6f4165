#include "data/document/regular_file.h"

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace data {
namespace {

/// Returns whether a path names an entry of the folder of this program's open descriptors.
bool isAmongDescriptors(const std::filesystem::path& path) {
    std::error_code error;
    const std::filesystem::path own = std::filesystem::canonical("/proc/self/fd", error);
    return !error && std::filesystem::canonical(path.parent_path(), error) == own;
}

FileOpening notOpened(int reason) { return {nullptr, "cannot be opened: " + std::generic_category().message(reason)}; }

}  // namespace

bool isOwnDescriptor(const std::string& path) {
    // /dev/stdin is a link to /proc/self/fd/0, and the folder /dev/fd is a link to /proc/self/fd.
    std::error_code error;
    return isAmongDescriptors(path) || isAmongDescriptors(std::filesystem::read_symlink(path, error));
}

FileOpening openForReading(const std::string& path) {
    const bool isOwn = isOwnDescriptor(path);
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | (isOwn ? 0 : O_NONBLOCK));
    if (descriptor < 0)
        return notOpened(errno);
    OpenFile file(::fdopen(descriptor, "rb"));
    if (!file) {
        const int reason = errno;
        ::close(descriptor);
        return notOpened(reason);
    }
    struct stat status {};
    if (::fstat(descriptor, &status) != 0)
        return notOpened(errno);
    if (S_ISDIR(status.st_mode))
        return {nullptr, "a folder, but a file is expected"};
    if (!S_ISREG(status.st_mode) && !isOwn)
        return {nullptr, "not a regular file; pipes and devices are not read"};
    return {std::move(file), {}};
}

}  // namespace data
