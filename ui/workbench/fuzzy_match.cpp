#include "ui/workbench/fuzzy_match.h"

#include <QString>
#include <QStringList>

#include <algorithm>
#include <vector>

namespace ui {
namespace {

constexpr int kNever = -1'000'000;
constexpr int kLetter = 2;
constexpr int kAdjacent = 6;   // goes on where the letter before was
constexpr int kWordStart = 8;  // first letter of a word
constexpr int kTextStart = 4;  // and of all
constexpr int kGap = 1;        // for each letter jumped over, within a word of what is typed
constexpr int kLeastOfALetter = 3;

int worthOf(QStringView text, qsizetype at) {
    const bool startsWord = at == 0 || !text[at - 1].isLetterOrNumber();
    return kLetter + (startsWord ? kWordStart : 0) + (at == 0 ? kTextStart : 0);
}

/// The best way to find the letters of `word` in `text` in their order: best[i][j] has letter i at place j.
std::optional<FuzzyMatch> matchWord(QStringView word, QStringView text) {
    const std::size_t letters = word.size(), places = text.size();
    if (letters > places)
        return std::nullopt;
    std::vector<std::vector<int>> best(letters, std::vector<int>(places, kNever));
    std::vector<std::vector<std::size_t>> from = std::vector(letters, std::vector<std::size_t>(places, 0));
    for (std::size_t i = 0; i < letters; ++i) {
        int reach = kNever;  // best of the letter before, less what the gap since then costs
        std::size_t reachFrom = 0;
        for (std::size_t j = 0; j < places; ++j) {
            if (text[j].toCaseFolded() == word[i].toCaseFolded()) {
                const bool goesOn =
                    i > 0 && j > 0 && best[i - 1][j - 1] > kNever && best[i - 1][j - 1] + kAdjacent >= reach;
                const int before = i == 0 ? 0 : goesOn ? best[i - 1][j - 1] + kAdjacent : reach;
                if (before > kNever) {
                    best[i][j] = before + worthOf(text, j);
                    from[i][j] = goesOn ? j - 1 : reachFrom;
                }
            }
            reach = reach > kNever ? reach - kGap : kNever;
            if (i > 0 && best[i - 1][j] > reach) {
                reach = best[i - 1][j];
                reachFrom = j;
            }
        }
    }
    const auto end = std::max_element(best.back().begin(), best.back().end());
    // Letters strewn over a long text say nothing.
    if (*end < kLeastOfALetter * static_cast<int>(letters))
        return std::nullopt;
    FuzzyMatch match{*end, {}};
    std::size_t place = end - best.back().begin();
    for (std::size_t i = letters; i-- > 0; place = from[i][place])
        match.positions.prepend(static_cast<int>(place));
    return match;
}

}  // namespace

std::optional<FuzzyMatch> fuzzyMatch(QStringView typed, QStringView text) {
    FuzzyMatch whole;
    for (const QStringView word : typed.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        const std::optional<FuzzyMatch> match = matchWord(word, text);
        if (!match)
            return std::nullopt;
        whole.score += match->score;
        whole.positions += match->positions;
    }
    std::sort(whole.positions.begin(), whole.positions.end());
    whole.positions.erase(std::unique(whole.positions.begin(), whole.positions.end()), whole.positions.end());
    return whole;
}

}  // namespace ui
