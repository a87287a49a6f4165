#include "data/document/text_hash.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

// SHA-256 (FIPS 180-4), because the web engine has no OpenSSL.

namespace data {
namespace {

using Words = std::array<std::uint32_t, 8>;

constexpr std::array<std::uint32_t, 64> kRoundConstants{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

void addBlock(Words& hash, const unsigned char* block) {
    std::array<std::uint32_t, 64> schedule{};
    for (std::size_t i = 0; i < 16; ++i) {
        for (std::size_t byte = 0; byte < 4; ++byte)
            schedule[i] = schedule[i] << 8 | block[i * 4 + byte];
    }
    for (std::size_t i = 16; i < 64; ++i) {
        const std::uint32_t a = schedule[i - 15], b = schedule[i - 2];
        schedule[i] = schedule[i - 16] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ a >> 3) + schedule[i - 7] +
                      (std::rotr(b, 17) ^ std::rotr(b, 19) ^ b >> 10);
    }
    Words w = hash;
    for (std::size_t i = 0; i < 64; ++i) {
        const std::uint32_t first = w[7] + (std::rotr(w[4], 6) ^ std::rotr(w[4], 11) ^ std::rotr(w[4], 25)) +
                                    ((w[4] & w[5]) ^ (~w[4] & w[6])) + kRoundConstants[i] + schedule[i];
        const std::uint32_t second = (std::rotr(w[0], 2) ^ std::rotr(w[0], 13) ^ std::rotr(w[0], 22)) +
                                     ((w[0] & w[1]) ^ (w[0] & w[2]) ^ (w[1] & w[2]));
        w = {first + second, w[0], w[1], w[2], w[3] + first, w[4], w[5], w[6]};
    }
    for (std::size_t i = 0; i < hash.size(); ++i)
        hash[i] += w[i];
}

}  // namespace

std::string sha256(std::string_view text) {
    Words hash{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    std::string padded(text);
    padded += '\x80';
    padded.append((64 + 56 - padded.size() % 64) % 64, '\0');
    for (int shift = 56; shift >= 0; shift -= 8)
        padded += static_cast<char>(static_cast<std::uint64_t>(text.size()) * 8 >> shift & 0xff);
    for (std::size_t at = 0; at < padded.size(); at += 64)
        addBlock(hash, reinterpret_cast<const unsigned char*>(padded.data()) + at);
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string digits;
    for (const std::uint32_t word : hash) {
        for (int shift = 28; shift >= 0; shift -= 4)
            digits += kDigits[word >> shift & 0xf];
    }
    return digits;
}

}  // namespace data
