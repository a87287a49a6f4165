#pragma once

#include <string>

namespace data {

/// The kinds of file that a person can open.
enum class DocumentKind { experiment, preset, sweep, lesson, evaluation, figure, trace, measured, tasks, requests };

/// Returns the kind of the file at `path`. A trace is recognised by its events; one that carries no experiment, such as
/// that of a profiler, is measured. A request file by its first request, a
/// document by its "format", a figure in
/// PDF, SVG, PNG or zip by the file's suffix. A file that has none of these, or cannot be read, counts as an
/// experiment, whose reader then reports what is wrong with it. Never throws.
DocumentKind documentKind(const std::string& path);

}  // namespace data
