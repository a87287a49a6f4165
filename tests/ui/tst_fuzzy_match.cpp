#include "tests/test_program.h"
#include "ui/workbench/command_palette.h"

#include <QTest>

using ui::fuzzyMatch;

namespace {

int scoreOf(const char16_t* typed, const char16_t* text) {
    const auto match = fuzzyMatch(typed, text);
    return match ? match->score : -1;
}

}  // namespace

class TestFuzzyMatch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nothingTypedFindsEverything() {
        QVERIFY(fuzzyMatch(u"", u"Zoom In"));
        QVERIFY(fuzzyMatch(u"   ", u""));
    }

    void lettersCountInTheirOrderWhateverTheirCase() {
        QVERIFY(fuzzyMatch(u"ZI", u"zoom in"));
        QVERIFY(!fuzzyMatch(u"nooz", u"Zoom In"));
        QVERIFY(!fuzzyMatch(u"zoomin", u"Zoom"));
        QVERIFY(!fuzzyMatch(u"a", u""));
    }

    void wordsCountInAnyOrderAndEachHasToBeThere() {
        QVERIFY(fuzzyMatch(u"bandwidth link", u"Link bandwidth"));
        QVERIFY(!fuzzyMatch(u"link zoom", u"Link bandwidth"));
    }

    void theFoundLettersAreThoseThatStandTogether() {
        // "in" is a part of "Link" and also a whole word: the whole word has priority.
        QCOMPARE(fuzzyMatch(u"in", u"Link In")->positions, (QList<int>{5, 6}));
        QCOMPARE(fuzzyMatch(u"lb", u"Link bandwidth")->positions, (QList<int>{0, 5}));
        QCOMPARE(fuzzyMatch(u"li li", u"Link")->positions, (QList<int>{0, 1}));
    }

    void beginningsOfWordsBeatTheirMiddleAndThatBeatsStrewnLetters() {
        QVERIFY(scoreOf(u"run", u"Run") > scoreOf(u"run", u"Prune"));
        QVERIFY(scoreOf(u"run", u"Prune") > scoreOf(u"run", u"Threw out a stone"));
        QVERIFY(scoreOf(u"zoom", u"Zoom In") > scoreOf(u"zoom", u"Box Zoom"));
    }

    void lettersStrewnOverALongTextAreNotFound() {
        QVERIFY(!fuzzyMatch(u"loop", u"llllllllllllllllllllolllllllllllllllllllolllllllllllllllllp"));
        QVERIFY(!fuzzyMatch(u"xyz", QString(1'000, u'x') + u'y' + QString(1'000, u'x') + u'z'));
    }
};

RINGSIDE_CORE_TEST(TestFuzzyMatch)
#include "tst_fuzzy_match.moc"
