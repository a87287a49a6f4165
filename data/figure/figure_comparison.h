#pragma once

#include "data/figure/figure_spec.h"

#include <cstddef>
#include <string>
#include <vector>

namespace data {

/// A number of a figure that differs from that of a figure made again, as the texts of their tables.
struct NumberDifference {
    std::string table;   ///< "speedup-1.csv"
    std::string row;     ///< "FC-2, T-NLG"
    std::string column;  ///< "T3-MCA"
    std::string kept, made;
};

/// What two figures have in common.
struct FigureComparison {
    std::size_t numbers = 0;  ///< of the kept figure that were compared
    std::vector<NumberDifference> different;
    std::vector<std::string> missing;  ///< tables, rows and columns that only one of the figures has, as sentences
    bool equal() const { return different.empty() && missing.empty(); }
};

/// Compares the numbers of a figure with those of one that was made from the same source with the same edits. Two numbers
/// are equal if they have the same shortest text, which is exact.
FigureComparison compareNumbers(const FigureSpec& kept, const FigureSpec& made);

/// Returns how a figure was made, as lines for the appendix of a paper: program, engine and date, the command, the source,
/// each experiment with its hash, its machine with the label of its numbers, its detail and its seed, the edits, and the
/// published values.
std::string statementOf(const FigureSpec& figure);

}  // namespace data
