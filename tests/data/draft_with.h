#pragma once

#include "data/experiment/experiment_document.h"

#include <QtGlobal>

#include <initializer_list>

namespace tests {

/// Returns the draft of T-NLG's FC-2 on 8 GPUs with settings, which must be right.
inline data::ExperimentDraft draftWith(std::initializer_list<const char*> settings) {
    data::DraftReading reading = data::draftNamed("t-nlg/fc-2/tp8");
    for (const char* setting : settings)
        data::applySetting(setting, reading.draft, reading.problems);
    if (!reading.problems.empty())
        qFatal("%s", engine::describe(reading.problems.front()).c_str());
    return reading.draft;
}

}  // namespace tests
