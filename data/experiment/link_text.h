#pragma once

#include "data/experiment/scene_document.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace data {

/// A link text is a text of about four hundred characters that opens a scene again, for mails, chats and the notes of
/// slides.
///
///   ringside:1:<the scene's canonical JSON, packed by zlib, in base64url without padding>:<CRC-32, eight hex digits>
///
/// The number is the version of this form. The checksum is that of the text between the second colon and the third, so
/// that a link text that was cut or altered on its way is recognised before it is unpacked.
inline constexpr std::string_view kLinkScheme = "ringside:";
inline constexpr std::size_t kLongestLink = std::size_t{64} * 1024;  ///< mails and chats carry no more

/// Returns the link text of a scene, or an empty optional if it would be longer than kLongestLink: an experiment with
/// thousands of links belongs in a file.
std::optional<std::string> writeLink(const Scene& scene);

/// Returns whether a text may be meant as a link text, complete or not. For inputs that accept other texts as well.
bool looksLikeLink(std::string_view text);

/// Reads a link text. Ignores blanks, line breaks, quotes and brackets, which mail programs put around and into such
/// texts. Never unpacks more than the largest size of a scene. A fault of the link text itself is one problem with the
/// path "link"; problems of the scene have their own paths.
SceneReading readLink(std::string_view text);

}  // namespace data
