#include "data/document/text_hash.h"

#include <openssl/evp.h>

#include <array>
#include <stdexcept>

namespace data {

std::string sha256(std::string_view text) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned int length = 0;
    if (EVP_Digest(text.data(), text.size(), digest.data(), &length, EVP_sha256(), nullptr) != 1)
        throw std::runtime_error("SHA-256 is not available from the OpenSSL library");
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string hash;
    for (unsigned int i = 0; i < length; ++i) {
        hash += kDigits[digest[i] >> 4u];
        hash += kDigits[digest[i] & 15u];
    }
    return hash;
}

}  // namespace data
