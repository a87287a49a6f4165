#include "tests/ui/window_test.h"

#include "data/experiment/experiment_document.h"
#include "ui/look/tile_style.h"

#include <QTest>

using data::TileState;
using ui::TileWords;

namespace {

TileWords wordsOf(const std::string& name, const std::string& policy, const std::string& sublayer = {}) {
    data::DraftReading reading = data::openDraft(name);
    reading.draft.explicitValues["policy.preset"] = policy;
    if (!sublayer.empty())
        reading.draft.explicitValues["workload.sublayer"] = sublayer;
    return TileWords(data::expand(reading.draft).experiment);
}

bool saysReduced(const TileWords& words) {
    for (const data::TileState state : ui::kAllTileStates) {
        if (words.nameOf(state).contains(QStringLiteral("reduce")) ||
            words.nameOf(state).contains(QStringLiteral("update")) ||
            words.meaningOf(state).contains(QStringLiteral("contribution")))
            return true;
    }
    return false;
}

class TestTileWords : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyStateHasANameOfItsOwnAndAMeaning() {
        for (const TileWords& words : {TileWords(), wordsOf("collective/all-gather/tp8", "sequential"),
                                       wordsOf("collective/reduce-scatter/tp8", "sequential")}) {
            QStringList names;
            for (const data::TileState state : ui::kAllTileStates) {
                QVERIFY(!words.meaningOf(state).isEmpty());
                names << words.nameOf(state);
            }
            QCOMPARE(names.removeDuplicates(), 0);
            QVERIFY(!names.contains(QString()));
        }
    }

    void nothingIsReducedWhereNothingIsSummed() {
        QVERIFY(!saysReduced(wordsOf("collective/all-gather/tp8", "sequential")));
        QVERIFY(!saysReduced(wordsOf("collective/reduce-scatter/tp8", "sequential", "all-to-all")));
        QVERIFY(!saysReduced(wordsOf("collective/reduce-scatter/tp8", "t3-mca", "all-to-all")));
        QVERIFY(saysReduced(wordsOf("collective/reduce-scatter/tp8", "sequential")));
        QVERIFY(saysReduced(wordsOf("t-nlg/fc-2/tp8", "t3-mca")));
    }

    void inputThatNothingHasReachedIsNoUpdate() {
        QCOMPARE(wordsOf("collective/reduce-scatter/tp8", "t3-mca").nameOf(data::TileState::oneUpdate),
                 QStringLiteral("own input"));
        QCOMPARE(wordsOf("t-nlg/fc-2/tp8", "t3-mca").nameOf(data::TileState::oneUpdate), QStringLiteral("one update"));
    }

    void contributionsThatKernelsAddAreNoUpdates() {
        QCOMPARE(wordsOf("t-nlg/fc-2/tp8", "sequential").nameOf(data::TileState::oneUpdate),
                 QStringLiteral("incomplete"));
    }
};

}  // namespace

RINGSIDE_WINDOW_TEST(TestTileWords)
#include "tst_tile_words.moc"
