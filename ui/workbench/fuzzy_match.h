#pragma once

#include <QList>
#include <QStringView>

#include <optional>

namespace ui {

/// How well some letters stand for a text, and which of its letters they are.
struct FuzzyMatch {
    int score = 0;         ///< more is better; whole beginnings of words beat scattered letters
    QList<int> positions;  ///< ascending, of `text`
};

/// Each word of `typed` has to be in `text`, in whatever order, its letters in theirs, gaps allowed: "lk bw" finds "Link
/// bandwidth". Letter case does not count. Nothing when a word is not there; an empty `typed` finds everything.
std::optional<FuzzyMatch> fuzzyMatch(QStringView typed, QStringView text);

}  // namespace ui
