#include "engine/api/runner.h"
#include "tests/golden/golden_runs.h"
#include "tests/golden/transcript.h"

#include <QtTest>

#include <set>
#include <stdexcept>

// Tests the exact totals of 24 experiments, which define the engine's version.

using tests::Transcript;
using tests::TranscriptLine;

namespace {

Transcript sample() {
    return {"1.0", {{std::string(64, 'a'), 100, 7, "one"}, {std::string(64, 'b'), 200, 9, "two words"}}};
}

std::string joined(const std::vector<std::string>& sentences) {
    std::string text;
    for (const std::string& sentence : sentences)
        text += sentence + "\n";
    return text;
}

bool says(const std::vector<std::string>& sentences, const std::string& words) {
    return joined(sentences).find(words) != std::string::npos;
}

}  // namespace

class TestGoldenTranscript : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theTotalsAreThoseOfTheTranscript() {
        const Transcript kept = tests::keptTranscript(RINGSIDE_GOLDEN, tests::kExperimentsFile);
        const Transcript found = tests::transcriptOf(tests::goldenRuns(), 2);
        const auto sentences = tests::differences(kept, found, tests::kWriteCommand);
        QVERIFY2(sentences.empty(), joined(sentences).c_str());
    }

    void thereAre29OfThemAllDifferent() {
        const Transcript kept = tests::keptTranscript(RINGSIDE_GOLDEN, tests::kExperimentsFile);
        QCOMPARE(kept.lines.size(), std::size_t{29});
        std::set<std::string> hashes;
        std::set<std::int64_t> totals;
        for (const TranscriptLine& line : kept.lines) {
            hashes.insert(line.hash);
            totals.insert(line.totalPs);
        }
        QCOMPARE(hashes.size(), std::size_t{29});
        QCOMPARE(totals.size(), std::size_t{29});
    }

    void withoutTheMechanismsOfEngine04TheTotalsAreThoseOfEngine03() {
        const Transcript kept = tests::keptTranscript(RINGSIDE_GOLDEN, "experiments_0.3.txt");
        const Transcript found = tests::transcriptOf(tests::goldenRunsWithoutMechanisms(), 2);
        QCOMPARE(kept.engine, std::string("0.3.0"));
        QCOMPARE(found.lines.size(), kept.lines.size());
        for (std::size_t i = 0; i < kept.lines.size(); ++i) {
            const TranscriptLine &before = kept.lines[i], &now = found.lines[i];
            QVERIFY2(now.name == before.name && now.totalPs == before.totalPs && now.events == before.events,
                     (before.name + ": " + std::to_string(now.totalPs) + " ps").c_str());
        }
    }

    void aTranscriptIsReadAsItWasWritten() {
        QCOMPARE(tests::readTranscript(tests::textOf(sample())), sample());
        QVERIFY_EXCEPTION_THROWN(tests::readTranscript("version 1.0\n"), std::runtime_error);
        QVERIFY_EXCEPTION_THROWN(tests::readTranscript("engine 1.0\nabc 1 2 name\n"), std::runtime_error);
        QVERIFY_EXCEPTION_THROWN(tests::readTranscript("engine 1.0\n" + std::string(64, 'a') + " x 2 name\n"),
                                 std::runtime_error);
    }

    void whatIsAlikeHasNoDifferences() {
        QVERIFY(tests::differences(sample(), sample(), "WRITE").empty());
        QVERIFY(tests::whyNotWritten(sample(), sample()).empty());
    }

    void aPicosecondOrAnEventMoreAsksForANewVersion() {
        for (const bool event : {false, true}) {
            Transcript found = sample();
            (event ? found.lines[1].events : found.lines[1].totalPs) += 1;
            const auto sentences = tests::differences(sample(), found, "WRITE");
            QVERIFY(says(sentences, event ? "two words: took 200 ps in 9 events, now takes 200 ps in 10 events"
                                          : "two words: took 200 ps in 9 events, now takes 201 ps in 9 events"));
            QVERIFY(says(sentences, "raise engineVersion()"));
            QVERIFY(says(sentences, "WRITE"));
            QCOMPARE(tests::whyNotWritten(sample(), found).size(), std::size_t{1});
        }
    }

    void anotherVersionAsksForWritingAndMayBeWritten() {
        Transcript found = sample();
        found.engine = "1.1";
        found.lines[0].totalPs = 1;
        const auto sentences = tests::differences(sample(), found, "WRITE");
        QVERIFY(says(sentences, "of engine 1.0, this is engine 1.1"));
        QVERIFY(!says(sentences, "raise engineVersion()"));
        QVERIFY(tests::whyNotWritten(sample(), found).empty());
        found.lines[0].totalPs = sample().lines[0].totalPs;
        QVERIFY(says(tests::differences(sample(), found, "WRITE"), "of engine 1.0, this is engine 1.1"));
    }

    void anotherHashIsReportedButIsNoChangeOfTiming() {
        Transcript found = sample();
        found.lines[0].hash = std::string(64, 'c');
        const auto sentences = tests::differences(sample(), found, "WRITE");
        QVERIFY(says(sentences, "one: has another hash"));
        QVERIFY(!says(sentences, "raise engineVersion()"));
        QVERIFY(tests::whyNotWritten(sample(), found).empty());
    }

    void anExperimentOfAnotherNameCannotHideAChangeOfTiming() {
        Transcript found = sample();
        found.lines[0].name = "renamed";
        QVERIFY(tests::whyNotWritten(sample(), found).empty());
        found.lines[0].totalPs += 1;
        QCOMPARE(tests::whyNotWritten(sample(), found).size(), std::size_t{1});
    }

    void whatIsMissingOrNewIsReported() {
        Transcript fewer = sample();
        fewer.lines.pop_back();
        QVERIFY(
            says(tests::differences(sample(), fewer, "WRITE"), "two words: is in the transcript, but no longer run"));
        QVERIFY(says(tests::differences(fewer, sample(), "WRITE"), "two words: is not in the transcript"));
        QVERIFY(tests::whyNotWritten(fewer, sample()).empty());
    }
};

QTEST_APPLESS_MAIN(TestGoldenTranscript)
#include "tst_golden_transcript.moc"
