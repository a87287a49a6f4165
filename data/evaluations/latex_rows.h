#pragma once

#include "data/evaluations/reproduce.h"

#include <string>

namespace data {

struct Evaluation;

/// Returns the rows of an evaluation as a table for an author's document, and those of measured tables, if it has any,
/// as a second one: what their rows show together, for each target and machine. The tables need no package; comments
/// before them say what they were made of. Texts of the document are escaped. A column without an entry is left out.
/// `bodyOnly`: only the lines of the first table, or of the second if it is the only one, for a table of the author's
/// own.
std::string latexRows(const Evaluation& evaluation, const Reproduction& reproduction, bool bodyOnly);

}  // namespace data
