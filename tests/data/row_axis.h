#pragma once

#include "data/evaluations/evaluation.h"
#include "tests/data/said.h"

#include <string>

// Evaluations with an axis of rows. Their points are footprints, so that nothing is simulated.

namespace tests {

/// Rows 2 and 3 have the same values.
inline const std::string kStepRows = "# four steps\nid,model,replicas,fitted\n1,a,1,1\n2,a,2,0\n3,a,2,0\n4,b,4,0\n";

inline std::string rowAxis(const std::string& keys = R"("where": "fitted=0")") {
    return R"({ "csv": "rows.csv", "key": "id", "columns": { "division.dp": "replicas" })" +
           (keys.empty() ? "" : ", " + keys) + " }";
}

/// Returns an item that reads the points of the rows, with more keys at its end.
inline std::string rowItem(const std::string& more, const std::string& role = "context") {
    return R"({ "id": "step", "what": "a step", "metric": "footprint_bytes.total", "role": ")" + role + "\"" +
           (more.empty() ? "" : ", " + more) + " }";
}

inline std::string rowDocument(const std::string& items, const std::string& axes = rowAxis(),
                               const std::string& more = {}) {
    return R"({ "format": "ringside-evaluation", "version": 1, "title": "Steps", )" + more +
           R"("sweeps": { "rows": { "of": "footprint", "base": { "division": { "weights": 8000000000, "sharding":
        "optimizer" }, "parallel": { "tp": 1 } }, "axes": [ )" +
           axes + R"( ] } }, "items": [ )" + items + " ] }";
}

inline data::EvaluationReading readRows(const std::string& document, const std::string& csv = kStepRows) {
    return data::readEvaluation(document, "test", nullptr, [&](const std::string& file, engine::Problems& problems) {
        if (file != "rows.csv")
            problems.push_back({file, "", "is not there"});
        return csv;
    });
}

inline data::Evaluation evaluationOfRows(const std::string& document, const std::string& csv = kStepRows) {
    data::EvaluationReading reading = readRows(document, csv);
    if (!reading.problems.empty())
        qFatal("%s", described(reading.problems).c_str());
    return std::move(reading.evaluation);
}

}  // namespace tests
