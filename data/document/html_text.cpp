#include "data/document/html_text.h"

namespace data {
namespace {

std::string_view referenceOf(char letter) {
    switch (letter) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    default: return {};
    }
}

}  // namespace

std::string escapedHtml(std::string_view text) {
    std::string escaped;
    for (const char letter : text) {
        const std::string_view reference = referenceOf(letter);
        if (reference.empty())
            escaped += letter;
        else
            escaped += reference;
    }
    return escaped;
}

}  // namespace data
