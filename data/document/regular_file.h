#pragma once

#include <cstdio>
#include <memory>
#include <string>

namespace data {

struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using OpenFile = std::unique_ptr<std::FILE, CloseFile>;

/// A file that was opened, or the reason why it was not.
struct FileOpening {
    OpenFile file;
    std::string reason;  ///< "a folder, but a file is expected"; empty if the file is open
};

/// Opens a file for reading and never waits: opening a named pipe would block the program until another program writes
/// to it, and a device may have no end. Only a regular file is opened, and a pipe that the shell has opened for this
/// program: /dev/stdin, or <(COMMAND) in Bash.
FileOpening openForReading(const std::string& path);

/// Returns whether the path is a descriptor that this program already has open, such as /dev/stdout or /dev/fd/63.
bool isOwnDescriptor(const std::string& path);

}  // namespace data
