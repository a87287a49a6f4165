#pragma once

#include "data/figure/figure_spec.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace data {

/// A part of a panel that has a name and can be renamed, left out and moved.
enum class FigurePartKind : std::uint8_t {
    series,    ///< of bars, lines and areas, and the groups of boxes
    bar,       ///< the name under bars that stand side by side
    category,  ///< along the x axis
    group,     ///< of categories, or of the lanes of a timeline
    row,       ///< of a heat map
    lane       ///< of a timeline
};
inline constexpr std::array<std::string_view, 6> kPartWords{"series", "bar", "category", "group", "row", "lane"};

/// A part as a list of parts shows it.
struct FigurePart {
    std::string name;
    std::string meaning;         ///< of a series; empty for others
    std::size_t panels = 0;      ///< how many panels have it
    std::size_t firstPanel = 0;  ///< the first of them
};

/// Returns the parts of a kind, each name once, in the order of the figure. `panel` limits them to one panel.
std::vector<FigurePart> partsOf(const FigureSpec& figure, FigurePartKind kind,
                                std::optional<std::size_t> panel = std::nullopt);

/// Gives the part of this name another one. Returns false if the panel has no such part.
bool renamePart(FigurePanel& panel, FigurePartKind kind, const std::string& from, const std::string& to);

/// What became of a part that was to be left out or moved.
enum class PartChange : std::uint8_t {
    done,
    absent,   ///< the panel has no such part
    last,     ///< the panel would be empty without it
    outside,  ///< the place is outside the part's list or group
    fixed     ///< parts of this kind have no order of their own: the names under bars, and groups
};

/// Takes a part out of the panel, with its numbers and with marks and annotations at it. The panel must keep a part of
/// the kind.
PartChange removePart(FigurePanel& panel, FigurePartKind kind, const std::string& name);

/// Moves a part to a place in its list, counted from 0: a series in each stack or list that has it, a category or a lane
/// within its group.
PartChange movePart(FigurePanel& panel, FigurePartKind kind, const std::string& name, std::size_t place);

/// Returns whether a series of the panel has error bars.
bool hasErrorBars(const FigurePanel& panel);
void removeErrorBars(FigurePanel& panel);

/// Calls `change` with the meaning of each series of this name. Returns false if there is none.
bool changeMeaning(FigurePanel& panel, const std::string& name, const std::function<void(std::string&)>& change);

}  // namespace data
