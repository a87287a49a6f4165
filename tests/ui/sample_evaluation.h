#pragma once

#include "data/evaluations/evaluation.h"
#include "engine/api/problem.h"

#include <QFile>
#include <QString>

#include <string>

namespace tests {

/// Returns an evaluation with two bandwidths under two policies, whose runs take milliseconds. Its items are one that
/// holds, one that does not, one that is not published, a calibrated one, a blind one, and one with a row for each
/// bandwidth.
inline std::string sampleEvaluation(const std::string& title = "Small") {
    return R"({ "format": "ringside-evaluation", "version": 1, "title": ")" + title + R"(", "question": "Why?",
  "source": "A paper", "frozen": "0123456789ab",
  "sweeps": { "runs": { "base": { "workload": { "model": "small", "sublayer": "fc-2", "hidden": 512, "sequence": 512,
    "batch": 1 }, "parallel": { "tp": 4 }, "detail": { "level": "interactive" } },
    "axes": [ { "path": "link.bandwidth", "values": ["50 GB/s", "100 GB/s"] } ], "policies": ["sequential", "t3"] } },
  "calibrated": [ { "parameter": "memory.update_cost" } ],
  "items": [
    { "id": "self", "what": "a time by itself", "metric": "time_ps.total", "policy": "t3", "over": {"metric": "time_ps.total", "policy": "t3"},
      "as": "mean", "published": "1.0", "label": "derived", "role": "exact" },
    { "id": "wrong", "what": "the same, and a number that is not", "metric": "time_ps.total", "policy": "t3",
      "over": {"metric": "time_ps.total", "policy": "t3"}, "as": "mean", "published": "3.0", "label": "published", "role": "exact" },
    { "id": "open", "what": "a time", "metric": "time_ps.total", "policy": "t3", "where": "link.bandwidth=100GB/s",
      "role": "context" },
    { "id": "fitted", "what": "speed-up", "metric": "speedup_over_sequential", "policy": "t3", "as": "geomean",
      "published": "1.2", "label": "published", "role": "calibrated" },
    { "id": "unseen", "what": "speed-up, later", "metric": "speedup_over_sequential", "policy": "t3", "as": "max",
      "published": "1.2", "label": "published", "role": "blind" },
    { "id": "each", "what": "speed-up at each bandwidth", "metric": "speedup_over_sequential", "policy": "t3",
      "as": "each", "role": "context" } ],
  "figures": [ { "name": "speed-up", "mark": "bars", "x": "link.bandwidth", "y": "speedup_over_sequential",
    "policies": ["t3"], "references": ["fitted"] } ] })";
}

inline data::Evaluation readSampleEvaluation(const std::string& title = "Small") {
    data::EvaluationReading reading = data::readEvaluation(sampleEvaluation(title), "sample");
    if (!reading.problems.empty())
        qFatal("%s", engine::describe(reading.problems.front()).c_str());
    return std::move(reading.evaluation);
}

inline void writeText(const QString& path, const std::string& text) {
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(QByteArray::fromStdString(text)) < 0)
        qFatal("%s cannot be written", qPrintable(path));
}

}  // namespace tests
