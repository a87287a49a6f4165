#pragma once

#include "data/experiment/experiment_document.h"
#include "data/laboratory/laboratory.h"
#include "data/store/store.h"
#include "tests/data/sample_result.h"
#include "ui/shared/catalogue_session.h"

#include <string>
#include <vector>

namespace tests {

/// Keeps a run with made-up numbers. Runs differ in link bandwidth and total time.
inline std::int64_t keepRun(data::Store& store, const std::string& bandwidth, std::int64_t totalPs,
                            const std::string& experiment = "t-nlg/fc-2/tp8") {
    data::ExperimentDraft draft = data::draftNamed(experiment).draft;
    engine::Problems problems;
    data::applySetting("link.bandwidth=" + bandwidth, draft, problems);
    const engine::Experiment whole = data::expand(draft).experiment;
    engine::RunResult result = sampleResult();
    result.invariants.failed.clear();
    result.last.time.total = {totalPs};
    return store.keep(data::displayName(draft), data::writeDraft(draft), whole, result);
}

/// Returns a snapshot of `count` rows without a store. Row i has the values `numberOf(i)`.
template <class NumberOf>
std::shared_ptr<const ui::CatalogueSnapshot> snapshotOf(std::size_t count, const std::vector<std::string>& columns,
                                                        NumberOf numberOf) {
    auto snapshot = std::make_shared<ui::CatalogueSnapshot>();
    snapshot->query.columns = columns;
    snapshot->runs = count;
    for (std::size_t i = 0; i < count; ++i) {
        data::CatalogueRow row;
        row.id = static_cast<std::int64_t>(i) + 1;
        row.name = "t-nlg/fc-2/tp" + std::to_string(4 << i % 3) + (i % 2 == 0 ? " t3-mca*" : " sequential*");
        row.createdUnixMs = 1'760'000'000'000 - static_cast<std::int64_t>(i) * 60'000;
        row.engineVersion = "1";
        row.totalPs = 1'000'000;
        for (std::size_t column = 0; column < columns.size(); ++column)
            row.values.push_back(numberOf(i, column));
        snapshot->rows.push_back(std::move(row));
    }
    return snapshot;
}

}  // namespace tests
