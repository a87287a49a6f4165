#pragma once

#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>

namespace data {

/// A file could not be written; the message names it and why.
class FileError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// A file that is written piece by piece, for what is too large to be held: all of it or nothing. Until keep() it stands
/// beside the file under another name, and is removed when this goes. What is no file but a device or a pipe is written to as
/// it is. All throw FileError.
class WholeFile {
public:
    explicit WholeFile(const std::string& path);
    ~WholeFile();
    WholeFile(const WholeFile&) = delete;
    WholeFile& operator=(const WholeFile&) = delete;

    void write(std::string_view piece);
    /// Puts it in the place of what was there before. Nothing can be written after it.
    void keep();

private:
    std::string m_path, m_target, m_draft;
    std::FILE* m_file = nullptr;
};

/// Writes all of it or nothing: a full disk or a crash leaves what was there before. Throws FileError.
void writeWholeFile(const std::string& path, std::string_view text);

}  // namespace data
