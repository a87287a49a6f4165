#pragma once

#include <span>

namespace data {

/// The texts of the documents that are compiled in, so that the command line needs no installed files:
/// data/presets/machines.json and models.json.
extern const char* const kMachinesJson;
extern const char* const kModelsJson;

/// One document of a folder of documents that are all compiled in.
struct BundledText {
    const char* name;  ///< the name of its file, without the extension
    const char* text;
};

/// Returns the documents of resources/evaluations, sorted by name.
std::span<const BundledText> bundledEvaluationTexts();

/// Returns the measured tables of resources/evaluations, sorted by name.
std::span<const BundledText> bundledTableTexts();

/// Returns the tables of kernel classes of resources/measured, sorted by name.
std::span<const BundledText> bundledKernelClassTexts();

/// Returns the measured traces of resources/examples, sorted by name.
std::span<const BundledText> bundledTraceTexts();

/// Returns the lessons of resources/lessons, sorted by name.
std::span<const BundledText> bundledLessonTexts();

}  // namespace data
