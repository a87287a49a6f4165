#include "data/experiment/experiment_document.h"
#include "data/questions/sensitivity.h"
#include "engine/api/runner.h"
#include "tests/test_program.h"

#include <QtTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

// Checks that the leading cause of the critical path is the one whose parameters change the total most. The causes of a
// run and the sensitivities of its parameters are computed independently of each other.

using engine::Cause;

namespace {

constexpr int kSeeds = 1;
constexpr std::size_t kHasToAgree = 14;

/// Maps contention, latency and cache slices to memory, because the same parameters of the memory relieve them.
Cause joined(Cause cause) {
    const bool isMemory = cause == Cause::contention || cause == Cause::latency || cause == Cause::cacheSlices;
    return isMemory ? Cause::memory : cause;
}

struct Row {
    std::string name;
    engine::CauseTimes causes;
    std::array<double, engine::kCauses> effects{};  // by cause: the effect of its strongest parameter
    std::string strongest;
};

engine::Experiment experimentOf(const std::string& name) {
    data::DraftReading reading = data::openDraft(name);
    return data::expand(reading.draft).experiment;
}

std::vector<std::string> sixteenCases() {
    std::vector<std::string> names;
    for (const char* model : {"mega-gpt-2", "t-nlg"})
        for (const char* tp : {"tp8", "tp16"})
            for (const char* sublayer : {"op", "fc-2", "fc-1", "ip"})
                names.push_back(std::string(model) + "/" + sublayer + "/" + tp);
    return names;
}

Row measured(const std::string& name) {
    Row row;
    row.name = name;
    const engine::Experiment experiment = experimentOf(name);
    row.causes = engine::run(experiment, {.attribution = true, .baselines = false}).attribution.value().causes;
    for (const Cause part : {Cause::contention, Cause::latency, Cause::cacheSlices})
        row.causes[Cause::memory] += std::exchange(row.causes[part], {});
    for (const data::Sensitivity& parameter :
         data::sensitivityOf(experiment, {.choices = false, .seeds = kSeeds, .threads = 2}).parameters) {
        if (parameter.path == "gemm.prefetch")  // two K-steps plus a tenth round up to three, an increase by half
            continue;
        double& effect = row.effects[static_cast<std::size_t>(joined(parameter.group))];
        if (row.strongest.empty())
            row.strongest = parameter.path;
        effect = std::max(effect, std::abs(parameter.effect));
    }
    return row;
}

Cause largest(const engine::CauseTimes& times) {
    return static_cast<Cause>(std::max_element(times.by.begin(), times.by.end()) - times.by.begin());
}

Cause largest(const std::array<double, engine::kCauses>& effects) {
    return static_cast<Cause>(std::max_element(effects.begin(), effects.end()) - effects.begin());
}

QByteArray described(const Row& row) {
    QByteArray text = QByteArray::fromStdString(row.name).leftJustified(22);
    for (const Cause cause :
         {Cause::compute, Cause::memory, Cause::link, Cause::trackerDma, Cause::dependency, Cause::dispatch}) {
        const auto place = static_cast<std::size_t>(cause);
        text += QByteArray::fromStdString(std::string(engine::name(cause))) + ' ' +
                QByteArray::number(100.0 * static_cast<double>(row.causes[cause].ps) /
                                       static_cast<double>(row.causes.total().ps),
                                   'f', 1) +
                " % (" + QByteArray::number(100 * row.effects[place], 'f', 2) + ")  ";
    }
    return text + QByteArray::fromStdString(row.strongest);
}

}  // namespace

class TestCauseRanking : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theLargestCauseIsWhatAChangeAnswersToMostUnderT3Mca() {
        std::size_t agree = 0;
        for (const std::string& name : sixteenCases()) {
            const Row row = measured(name);
            const bool same = largest(row.causes) == largest(row.effects);
            agree += same ? 1 : 0;
            qInfo("%s %s", same ? "     " : "apart", described(row).constData());
        }
        qInfo("%zu of 16 agree", agree);
        QVERIFY(agree >= kHasToAgree);
    }
};

RINGSIDE_TEST(TestCauseRanking)
#include "tst_cause_ranking.moc"
