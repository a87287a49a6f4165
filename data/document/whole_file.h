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

/// Writes a file piece by piece, for data too large to hold in memory. The target file is replaced only when all of it
/// is written. Until keep() is called the data is in a second file beside the target, which the destructor removes. A
/// device or a pipe is written to directly. All functions throw FileError.
class WholeFile {
public:
    explicit WholeFile(const std::string& path);
    ~WholeFile();
    WholeFile(const WholeFile&) = delete;
    WholeFile& operator=(const WholeFile&) = delete;

    void write(std::string_view piece);
    /// Replaces the target file with what was written. Nothing can be written afterwards.
    void keep();

private:
    std::string m_path, m_target, m_draft;
    std::FILE* m_file = nullptr;
};

/// Writes a text to a file. After a full disk or a crash the file still has its earlier content. Throws FileError.
void writeWholeFile(const std::string& path, std::string_view text);

}  // namespace data
