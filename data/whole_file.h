#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace data {

/// A file could not be written; the message names it and why.
class FileError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Writes all of it or nothing: a full disk or a crash leaves what was there before. Throws FileError.
void writeWholeFile(const std::string& path, std::string_view text);

}  // namespace data
