#pragma once

#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>

namespace data {

/// Thrown when a file could not be written; the message names the file and the reason.
class FileError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Thrown when a file that was to be created exists already.
class FileExists : public FileError {
public:
    using FileError::FileError;
};

/// Writes a file piece by piece, for data too large to hold in memory. The target file is replaced only when all of it
/// is written. Until keep() is called the data is in a second file beside the target, the draft, which the destructor
/// removes. The draft is always a new file under a random name, so nobody can plant a link under that name in a folder
/// that others may write to. A character device, and a descriptor that this program already has open, are written
/// to directly; named pipes, sockets and block devices are refused. All functions throw FileError.
class WholeFile {
public:
    explicit WholeFile(const std::string& path);
    ~WholeFile();
    WholeFile(const WholeFile&) = delete;
    WholeFile& operator=(const WholeFile&) = delete;

    void write(std::string_view piece);
    /// Replaces the target file with what was written. Nothing can be written afterwards.
    void keep();
    /// As keep(), but throws FileExists if there is a target file by now. Of two programs that create the same file at
    /// once, one succeeds.
    void keepNew();

private:
    void openDraft();
    void finish(bool replaces);

    std::string m_path, m_target, m_draft;
    std::FILE* m_file = nullptr;
};

/// Writes a text to a file. After a full disk or a crash the file still has its earlier content. Throws FileError.
void writeWholeFile(const std::string& path, std::string_view text);

/// Writes a text to a file that does not exist yet. Throws FileExists or FileError.
void writeNewFile(const std::string& path, std::string_view text);

}  // namespace data
