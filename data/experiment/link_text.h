#pragma once

#include "data/experiment/scene_document.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace data {

/// A text of about four hundred letters that opens a scene again: in a mail, a chat, a slide's notes.
///
///   ringside:1:<the scene's canonical JSON, packed by zlib, in base64url without padding>:<CRC-32, eight hex digits>
///
/// The number is the version of this form. The checksum is that of what lies between the second colon and the third, so
/// that a text which was cut or altered on its way is known before it is unpacked.

inline constexpr std::string_view kLinkScheme = "ringside:";
inline constexpr std::size_t kLongestLink = std::size_t{64} * 1024;  ///< mails and chats carry no more

/// Nothing where it would be longer than kLongestLink: an experiment with thousands of links of its own belongs in a file.
std::optional<std::string> writeLink(const Scene& scene);

/// Whether somebody may have meant this as a link, whole or not; for places that also take other texts.
bool looksLikeLink(std::string_view text);

/// Blanks, line breaks, quotes and brackets, which mail programs put around and into such texts, do not matter. Unpacks no
/// more than a scene can be. What is wrong is one problem with the path "link"; those of the scene have paths of their own.
SceneReading readLink(std::string_view text);

}  // namespace data
