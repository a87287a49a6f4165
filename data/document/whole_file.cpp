#include "data/document/whole_file.h"

#include <cerrno>
#include <cstdio>
#include <filesystem>
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

WholeFile::WholeFile(const std::string& path) : m_path(path) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error))
        refuse(path, EISDIR);
    m_target = behindLinks(path);
    // The draft is beside the target, so that the renaming stays within one file system. A device is never replaced.
    const bool replaced =
        !std::filesystem::exists(m_target, error) || std::filesystem::is_regular_file(m_target, error);
    if (replaced)
        m_draft = m_target + ".part" + std::to_string(::getpid());
    m_file = std::fopen(replaced ? m_draft.c_str() : m_target.c_str(), "wb");
    if (m_file == nullptr)
        refuse(path, errno);
}

WholeFile::~WholeFile() {
    if (m_file != nullptr)
        std::fclose(m_file);
    if (!m_draft.empty())
        std::remove(m_draft.c_str());
}

void WholeFile::write(std::string_view piece) {
    if (std::fwrite(piece.data(), 1, piece.size(), m_file) != piece.size())
        refuse(m_path, errno);
}

void WholeFile::keep() {
    bool written = std::fflush(m_file) == 0;
    written = written && (m_draft.empty() || ::fsync(::fileno(m_file)) == 0);
    int reason = errno;
    written = std::fclose(std::exchange(m_file, nullptr)) == 0 && written;
    if (written && !m_draft.empty() && std::rename(m_draft.c_str(), m_target.c_str()) != 0) {
        reason = errno;
        written = false;
    }
    if (!written)
        refuse(m_path, reason);
    m_draft.clear();
}

void writeWholeFile(const std::string& path, std::string_view text) {
    WholeFile file(path);
    file.write(text);
    file.keep();
}

}  // namespace data
