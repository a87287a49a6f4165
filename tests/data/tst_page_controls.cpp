#include "data/laboratory/laboratory.h"
#include "data/page/page_controls.h"
#include "engine/api/parameters.h"
#include "tests/data/draft_with.h"
#include "tests/data/said.h"
#include "tests/test_program.h"

#include <QtTest>

using namespace data;

using tests::contains;
using tests::draftWith;

namespace {

std::string problemsOfControls(const ExperimentDraft& draft, const std::vector<std::string>& paths) {
    engine::Problems problems;
    checkControls(draft, paths, problems);
    return tests::described(problems);
}

}  // namespace

class TestPageControls : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theUsualControlsAreThoseThatTheRunReads() {
        QCOMPARE(usualControls(draftWith({"policy=t3-mca"}), false),
                 (std::vector<std::string>{"policy.preset", "link.bandwidth", "link.latency", "memory.bandwidth",
                                           "cu.count", "dma.block_tiles"}));
        const auto compared = usualControls(draftWith({"policy=t3-mca"}), true);
        QVERIFY(std::ranges::find(compared, "policy.preset") == compared.end());
        for (const std::string& path : usualControls(draftWith({"policy=sequential"}), false))
            QVERIFY(engine::isRead(*engine::findParameter(path), expand(draftWith({"policy=sequential"})).experiment));
    }

    void aNumberGoesAnEighthToEightTimesItsValueWithinWhatIsAllowed() {
        const ExperimentDraft draft = draftWith({"link.bandwidth=150 GB/s", "parallel.tp=4"});
        const std::vector<std::string> paths{"link.bandwidth", "parallel.tp", "policy.preset"};
        const PageJson controls = controlsJson(draft, paths);
        QCOMPARE(controls[0]["value"].get<std::int64_t>(), std::int64_t{150'000'000'000});
        QCOMPARE(controls[0]["least"].get<double>(), 18.75e9);
        QCOMPARE(controls[0]["most"].get<double>(), 1200e9);
        QCOMPARE(controls[0]["text"].get<std::string>(), std::string("150 GB/s"));
        QCOMPARE(controls[1]["least"].get<double>(),
                 std::max(1.0, std::ceil(engine::findParameter("parallel.tp")->minimum)));
        QVERIFY(controls[1]["whole"].get<bool>());
        QVERIFY(controls[2]["words"].size() > 3);
        QVERIFY(!controls[2].contains("least"));
    }

    void controlsThatAPageCannotOfferAreRefused() {
        const ExperimentDraft draft = draftWith({});
        QCOMPARE(problemsOfControls(draft, {"link.bandwidth", "policy.preset"}), std::string());
        QVERIFY(contains(problemsOfControls(draft, {"link.bandwith"}), "no such parameter"));
        QVERIFY(contains(problemsOfControls(draft, {"link.bandwidth", "link.bandwidth"}), "named twice"));
        QVERIFY(
            contains(problemsOfControls(draftWith({"cache.queue=off"}), {"cache.queue"}), "its value is the word off"));
        QVERIFY(
            contains(problemsOfControls(draft, std::vector<std::string>(13, "link.bandwidth")), "allowed: 1 to 12"));
    }
};

RINGSIDE_TEST(TestPageControls)
#include "tst_page_controls.moc"
