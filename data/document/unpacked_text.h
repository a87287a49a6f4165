#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace data {

/// Fills a buffer with the next bytes and returns how many there are, 0 at the end. Throws FileError.
using ByteSource = std::function<std::size_t(char* buffer, std::size_t size)>;

/// Returns a source that reads an open file, which must exist as long as the source. `path` names it in messages.
ByteSource bytesOfFile(std::FILE* file, std::string path);
/// Returns a source of the bytes of a text, which must exist as long as the source.
ByteSource bytesOfText(std::string_view text);

/// Reads a text piece by piece. Bytes that begin as gzip does are unpacked, one gzip member after the other.
class UnpackedText {
public:
    explicit UnpackedText(ByteSource source);
    ~UnpackedText();
    UnpackedText(const UnpackedText&) = delete;
    UnpackedText& operator=(const UnpackedText&) = delete;

    /// Fills a buffer with the next part of the text and returns its length; 0 at the end, and where packed bytes are
    /// damaged or end too early. Throws FileError.
    std::size_t read(char* buffer, std::size_t size);
    /// Returns why the text ended before its end: "the gzip data are damaged"; empty if it did not.
    const std::string& damage() const { return m_damage; }
    /// Returns how many bytes were taken from the source.
    std::uint64_t bytesTaken() const { return m_taken; }

private:
    class Inflater;
    bool fill();
    std::size_t unpack(char* buffer, std::size_t size);
    bool nextMember();

    ByteSource m_source;
    std::vector<char> m_input;
    std::size_t m_at = 0, m_end = 0;  ///< the part of m_input that is not used yet
    bool m_begun = false, m_ended = false;
    std::uint64_t m_taken = 0;
    std::unique_ptr<Inflater> m_inflater;  ///< null if the text is not packed
    std::string m_damage;
};

/// Returns the beginning of a file's text, unpacked, at most `most` bytes; what precedes a damaged part if it is damaged.
/// Throws FileError.
std::string beginningOfText(const std::string& path, std::size_t most);

}  // namespace data
