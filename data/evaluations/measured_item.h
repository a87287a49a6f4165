#pragma once

#include "data/measured/trace_pair.h"
#include "engine/api/problem.h"

#include <string>
#include <string_view>

namespace data {

/// Returns an evaluation document with a measured pair as one more item: role blind, label measured, compared with the
/// total time under `sequential`. Its experiment is a sweep of one point, whose notes say where the number comes from
/// (`source`: file, device, date). `document` is the author's evaluation, whose other parts stay as they are, or empty for
/// a new one; `origin` names it in messages. Adds problems, and returns an empty text, if it is no evaluation.
std::string withMeasuredItem(std::string_view document, const std::string& origin, const TracePair& pair,
                             const std::string& source, engine::Problems& problems);

}  // namespace data
