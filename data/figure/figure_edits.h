#pragma once

#include "data/figure/figure_spec.h"
#include "engine/api/problem.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace data {

// An edit is one change of an author to a figure, as a text "PATH=VALUE". Edits are kept with the figure and applied
// again when its numbers are made again, so they name things by their names and never by numbers of the data.
//
//   size, theme, font, legend                                a word
//   name, title, caption, alternative                        a text
//   width, height                                            points, or automatic
//   columns, decimals                                        a whole number; decimals may be automatic
//   letters, values                                          true or false: letters before panels; written values
//   shared                                                   titles: titles of equal axes once; ranges: one range for
//                                                            equal axes; true: both; false: neither
//   errors=hidden                                            without error bars
//   published=hidden                                         without the marks of published values
//   spelling=us                                              American spelling of all texts
//   panel.N.title|weight|place|hidden|values|decimals|image|errors   of panel N, counted from 1
//   panel.N.x|y.title|unit|relative_to|scale|from|to|ticks|break
//   panel.N.note.K.text|kind|x|y|to|hidden                   annotation K; the next number adds one
//   panel.N.reference.K.text|hidden                          mark or line K of a value to compare with
//   KIND.NAME.name|place|hidden                              KIND: series, bar, category, group, row, lane
//   series.NAME.colour|marker|line|hatch
//   panel.N.KIND.NAME...                                     the same in one panel alone
//
// A NAME is written as in the figure, or in small letters with hyphens ("t3-mca"), or as the end of its meaning. It is
// in quotes if it has a dot or an equals sign: series."T3.5".name=Ours.

/// The path of an edit, split at its dots, and its value.
struct FigureEdit {
    std::vector<std::string> path;
    std::string value;
};

/// Splits the text of an edit. An empty optional if it has no "=" or quotes that do not end.
std::optional<FigureEdit> readEdit(std::string_view text);

/// Returns the text of an edit, with quotes around names that need them.
std::string editText(const FigureEdit& edit);

/// Applies one edit. Returns what is wrong with it, and then leaves the figure as it is: a path or a name that the figure
/// lacks (with the names that it has), a value that is not allowed. Does not add it to the figure's list.
std::optional<engine::Problem> applyEdit(FigureSpec& figure, const std::string& edit);

/// Applies edits in their order and adds each that could be applied to the figure's list. Returns a problem for each that
/// could not, and for one after which problemsOf() finds the figure broken.
engine::Problems applyEdits(FigureSpec& figure, const std::vector<std::string>& edits);

/// Adds an edit to a list. It replaces the last edit if that changed the same thing.
void addEdit(std::vector<std::string>& edits, const std::string& edit);

/// Returns the edits without one of them. If that hides a panel, later edits count the panel again.
std::vector<std::string> editsWithout(const std::string& edit, const std::vector<std::string>& edits);

/// Returns the edits that turn `before` into `after`, in an order in which they can be applied; an empty optional if no
/// list of edits can. The lists of edits of both figures, their sources and their provenance do not matter.
std::optional<std::vector<std::string>> editsBetween(const FigureSpec& before, const FigureSpec& after);

}  // namespace data
