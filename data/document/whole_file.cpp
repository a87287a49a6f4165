#include "data/document/whole_file.h"

#include "data/document/regular_file.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <random>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace data {
namespace {

[[noreturn]] void refuse(const std::string& path, int reason) {
    throw FileError(path + ": cannot be written: " + std::generic_category().message(reason));
}

/// Returns the file that a symbolic link points at: replacing the link itself would cut it off from its file.
std::string behindLinks(const std::string& path) {
    std::error_code error;
    const auto real = std::filesystem::canonical(path, error);
    return error ? path : real.string();
}

}  // namespace

WholeFile::WholeFile(const std::string& path) : m_path(path), m_target(behindLinks(path)) {
    struct stat status {};
    const bool isThere = ::stat(m_target.c_str(), &status) == 0;
    if (isThere && S_ISDIR(status.st_mode))
        refuse(path, EISDIR);
    if (!isThere || S_ISREG(status.st_mode)) {
        openDraft();
        return;
    }
    if (!S_ISCHR(status.st_mode) && !isOwnDescriptor(path))
        throw FileError(path + ": cannot be written: it is a pipe, a socket or another special file; name a file");
    m_file = std::fopen(m_target.c_str(), "wb");
    if (m_file == nullptr)
        refuse(path, errno);
}

/// Creates the draft beside the target, so that the renaming stays within one file system.
void WholeFile::openDraft() {
    constexpr int kMostTries = 100;  // a name is taken only if somebody has guessed it
    constexpr mode_t kMode = S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH;  // less what umask takes away
    std::random_device random;
    int descriptor = -1;
    for (int tries = 0; tries < kMostTries && descriptor < 0 && (tries == 0 || errno == EEXIST); ++tries) {
        m_draft = m_target + ".part" + std::to_string(random());
        descriptor = ::open(m_draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, kMode);
    }
    if (descriptor < 0)
        refuse(m_path, errno);
    m_file = ::fdopen(descriptor, "wb");
    if (m_file != nullptr)
        return;
    const int reason = errno;
    ::close(descriptor);
    std::remove(m_draft.c_str());
    refuse(m_path, reason);
}

WholeFile::~WholeFile() {
    if (m_file != nullptr)
        std::fclose(m_file);
    if (!m_draft.empty())
        std::remove(m_draft.c_str());
}

void WholeFile::write(std::string_view piece) {
    // An empty view may have no data, and fwrite() must not get a null pointer.
    if (!piece.empty() && std::fwrite(piece.data(), 1, piece.size(), m_file) != piece.size())
        refuse(m_path, errno);
}

void WholeFile::keep() { finish(true); }

void WholeFile::keepNew() { finish(false); }

void WholeFile::finish(bool replaces) {
    bool written = std::fflush(m_file) == 0;
    written = written && (m_draft.empty() || ::fsync(::fileno(m_file)) == 0);
    int reason = errno;
    written = std::fclose(std::exchange(m_file, nullptr)) == 0 && written;
    if (written && !m_draft.empty()) {
        // A hard link is never made over a file that is there; the destructor removes the draft.
        const bool isThere = replaces ? std::rename(m_draft.c_str(), m_target.c_str()) == 0
                                      : ::link(m_draft.c_str(), m_target.c_str()) == 0;
        reason = errno;
        if (!isThere && !replaces && reason == EEXIST)
            throw FileExists(m_path + ": exists already; it was left as it is");
        written = isThere;
    }
    if (!written)
        refuse(m_path, reason);
    if (replaces)
        m_draft.clear();
}

void writeWholeFile(const std::string& path, std::string_view text) {
    WholeFile file(path);
    file.write(text);
    file.keep();
}

void writeNewFile(const std::string& path, std::string_view text) {
    WholeFile file(path);
    file.write(text);
    file.keepNew();
}

}  // namespace data
