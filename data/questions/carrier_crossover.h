#pragma once

#include "data/experiment/experiment_document.h"
#include "data/questions/break_even.h"

#include <optional>
#include <string>

namespace data {

/// Returns the question for which sizes of a companion's collective a kernel, which gets room on the CUs first, is at
/// least as fast as copies by DMA. It asks from 64 KiB up to 64 MiB, or to the companion's own size if that is larger.
/// Returns an empty optional if copies cannot carry the companion (canBeCopied).
std::optional<BreakEvenQuestion> carrierQuestion(const ExperimentDraft& draft);

/// Returns the answer in a sentence: "A kernel takes no longer than copies up to 400 kB (9.87 µs, copies 10.3 µs); not at
/// 430 kB (10.5 µs, copies 10.4 µs)." Precondition: the question is a carrierQuestion.
std::string carrierSentence(const BreakEvenQuestion& question, const BreakEven& answer);

}  // namespace data
