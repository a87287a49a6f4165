#include "data/lessons/lesson_text.h"

#include "data/document/html_text.h"
#include "data/document/trimmed_text.h"

#include <algorithm>

namespace data {
namespace {

/// Keeps number and unit on one line.
std::string unbroken(std::string_view text) {
    std::string kept;
    for (const char letter : text)
        kept += letter == ' ' ? std::string("\u00a0") : std::string(1, letter);
    return kept;
}

/// Returns the text with its claims as bold numbers; all of it is escaped.
std::string withNumbers(const Lesson& lesson, std::string_view text) {
    std::string html;
    for (const LessonPiece& piece : lessonPieces(text)) {
        const LessonClaim* claim = piece.isClaim ? lesson.claim(piece.text) : nullptr;
        html += claim != nullptr ? "<b>" + escapedHtml(unbroken(claim->text)) + "</b>" : escapedHtml(piece.text);
    }
    return html;
}

std::string withBoldWords(const std::string& html) {
    constexpr std::string_view kMark = "**";
    std::string bold;
    std::size_t at = 0;
    for (;;) {
        const std::size_t open = html.find(kMark, at);
        const std::size_t close = open == std::string::npos ? open : html.find(kMark, open + kMark.size() + 1);
        if (close == std::string::npos)
            return bold + html.substr(at);
        bold +=
            html.substr(at, open - at) + "<b>" + html.substr(open + kMark.size(), close - open - kMark.size()) + "</b>";
        at = close + kMark.size();
    }
}

std::string withLinks(const std::string& html, const LessonLinkHtml& link) {
    std::string linked;
    std::size_t at = 0;
    for (;;) {
        const std::size_t middle = html.find("](", at);
        const std::size_t close = middle == std::string::npos ? middle : html.find(')', middle);
        if (close == std::string::npos)
            return linked + html.substr(at);
        const std::size_t open = html.rfind('[', middle);
        if (open == std::string::npos || open < at) {
            linked += html.substr(at, middle + 2 - at);
            at = middle + 2;
            continue;
        }
        linked += html.substr(at, open - at) +
                  link(html.substr(open + 1, middle - open - 1), html.substr(middle + 2, close - middle - 2));
        at = close + 1;
    }
}

}  // namespace

std::vector<std::string> lessonParagraphs(const Lesson& lesson, std::string_view text, const LessonLinkHtml& link) {
    const std::string html = withLinks(withBoldWords(withNumbers(lesson, text)), link);
    constexpr std::string_view kBreak = "\n\n";
    std::vector<std::string> paragraphs;
    for (std::size_t at = 0; at <= html.size();) {
        const std::size_t end = std::min(html.find(kBreak, at), html.size());
        if (const auto paragraph = trimmedText(std::string_view(html).substr(at, end - at)); !paragraph.empty())
            paragraphs.emplace_back(paragraph);
        at = end + kBreak.size();
    }
    return paragraphs;
}

std::string lessonUnit(const LessonClaim& claim) {
    const std::size_t at = claim.text.rfind(' ');
    return at == std::string::npos ? std::string() : claim.text.substr(at + 1);
}

}  // namespace data
