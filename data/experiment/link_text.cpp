#include "data/experiment/link_text.h"

#include <algorithm>
#include <array>
#include <limits>
#include <zlib.h>

namespace data {
namespace {

constexpr std::string_view kLinkVersion = "1";
constexpr std::size_t kLargestScene = std::size_t{1024} * 1024;
constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr std::size_t kChecksumDigits = 8;

std::string base64Of(std::string_view bytes) {
    std::string text;
    text.reserve((bytes.size() * 4 + 2) / 3);
    std::uint32_t bits = 0;
    int held = 0;
    for (const char byte : bytes) {
        bits = (bits << 8) | static_cast<unsigned char>(byte);
        held += 8;
        for (; held >= 6; held -= 6)
            text += kLetters[(bits >> (held - 6)) & 63];
    }
    if (held > 0)
        text += kLetters[(bits << (6 - held)) & 63];
    return text;
}

/// Decodes base64url. Returns an empty optional for a letter outside its alphabet and for bits that are left over.
std::optional<std::string> bytesOf(std::string_view text) {
    std::string bytes;
    bytes.reserve(text.size() * 3 / 4);
    std::uint32_t bits = 0;
    int held = 0;
    for (const char letter : text) {
        const std::size_t value = kLetters.find(letter);
        if (value == std::string_view::npos)
            return std::nullopt;
        bits = (bits << 6) | static_cast<std::uint32_t>(value);
        held += 6;
        if (held >= 8) {
            held -= 8;
            bytes += static_cast<char>((bits >> held) & 255);
        }
    }
    const bool clean = held < 6 && (bits & ((1u << held) - 1)) == 0;
    return clean ? std::optional(std::move(bytes)) : std::nullopt;
}

std::string checksumText(std::string_view text) {
    const auto sum = crc32_z(0, reinterpret_cast<const Bytef*>(text.data()), text.size());
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string digits;
    for (int shift = 28; shift >= 0; shift -= 4)
        digits += kDigits[(sum >> shift) & 15];
    return digits;
}

std::string packedScene(std::string_view text) {
    uLongf size = compressBound(static_cast<uLong>(text.size()));
    std::string packed(size, '\0');
    // The room suffices, so it fails only if there is no memory.
    if (compress2(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(text.data()),
                  static_cast<uLong>(text.size()), Z_BEST_COMPRESSION) != Z_OK)
        throw std::bad_alloc();
    packed.resize(size);
    return packed;
}

/// Unpacks a scene. Returns an empty optional if the text is damaged or would be larger than any scene.
std::optional<std::string> unpackedScene(std::string_view packed) {
    // Unpacks at most the largest size of a scene and one more byte, which shows that it is exceeded. The buffer starts
    // small and doubles, since most scenes are small.
    for (std::size_t room = 16 * 1024; room <= 2 * kLargestScene; room *= 4) {
        std::string text(std::min(room, kLargestScene + 1), '\0');
        auto size = static_cast<uLongf>(text.size());
        auto taken = static_cast<uLong>(packed.size());
        const int result = uncompress2(reinterpret_cast<Bytef*>(text.data()), &size,
                                       reinterpret_cast<const Bytef*>(packed.data()), &taken);
        if (result == Z_BUF_ERROR && size == text.size())
            continue;
        if (result != Z_OK || taken != packed.size() || size > kLargestScene)
            return std::nullopt;
        text.resize(size);
        return text;
    }
    return std::nullopt;
}

/// Returns a text without the characters and line breaks that mail programs put around and into it.
std::string bare(std::string_view text) {
    std::string kept;
    for (const char letter : text) {
        if (std::string_view(" \t\r\n<>\"'`").find(letter) == std::string_view::npos)
            kept += letter;
    }
    return kept;
}

SceneReading refusedLink(std::string_view text, std::string reason) {
    constexpr std::size_t kShown = 24;
    std::string shown(text.substr(0, kShown));
    if (text.size() > kShown)
        shown += "…";
    SceneReading reading;
    // A text with control characters is not shown in the message, because anything may have been pasted.
    if (std::any_of(shown.begin(), shown.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; }))
        shown.clear();
    reading.problems.push_back({"link", std::move(shown), std::move(reason)});
    return reading;
}

bool isNumber(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

constexpr const char* kCut = "cut off: its end is missing; copy the whole text, up to the eight characters after the "
                             "last colon";

}  // namespace

std::optional<std::string> writeLink(const Scene& scene) {
    const std::string text = base64Of(packedScene(writeScene(scene, false)));
    std::string link = std::string(kLinkScheme) + std::string(kLinkVersion) + ":" + text + ":" + checksumText(text);
    return link.size() <= kLongestLink ? std::optional(std::move(link)) : std::nullopt;
}

bool looksLikeLink(std::string_view text) { return bare(text.substr(0, 200)).starts_with(kLinkScheme); }

SceneReading readLink(std::string_view text) {
    // Twice the limit leaves room for the line breaks of a mail.
    if (text.size() > 2 * kLongestLink)
        return refusedLink({},
                           "too long for a link of Ringside; allowed: " + std::to_string(kLongestLink) + " letters");
    const std::string link = bare(text);
    std::string_view rest = link;
    if (link.empty())
        return refusedLink({}, "there is no text; a link of Ringside begins with ringside:");
    if (!rest.starts_with(kLinkScheme)) {
        return refusedLink(link, kLinkScheme.starts_with(rest) ? kCut
                                                               : "not a link of Ringside, which begins with ringside:");
    }
    rest.remove_prefix(kLinkScheme.size());
    const std::string_view version = rest.substr(0, rest.find(':'));
    if (version.size() == rest.size() && (rest.empty() || isNumber(rest)))
        return refusedLink(link, kCut);
    if (!isNumber(version))
        return refusedLink(link, "altered: the number of its version is missing after ringside:");
    if (version != kLinkVersion)
        return refusedLink(link, "written by a newer Ringside: its version is " + std::string(version.substr(0, 9)) +
                                     ", and this program knows " + std::string(kLinkVersion));
    rest.remove_prefix(version.size() + 1);
    const std::size_t colon = rest.find(':');
    if (colon == std::string_view::npos || rest.size() - colon - 1 < kChecksumDigits)
        return refusedLink(link, kCut);
    const std::string_view body = rest.substr(0, colon);
    if (checksumText(body) != rest.substr(colon + 1))
        return refusedLink(link, "altered: its letters do not agree with the checksum at its end; copy it again");
    const auto packed = bytesOf(body);
    const auto scene = packed ? unpackedScene(*packed) : std::nullopt;
    if (!scene)
        return refusedLink(link, "damaged: its content cannot be unpacked");
    return readScene(*scene, "link");
}

}  // namespace data
