#pragma once

#include <string>

namespace data {

/// What a file that a person opens may be.
enum class DocumentKind { experiment, preset, sweep, lesson, evaluation, figure, trace };

/// What the file at `path` is: a trace by its events, a document by its "format", a figure among PDF, SVG, PNG and zip by
/// the file's suffix. Whatever says nothing of itself, or cannot be read, counts as an experiment, whose reader tells what is
/// wrong with it. Never throws.
DocumentKind documentKind(const std::string& path);

}  // namespace data
