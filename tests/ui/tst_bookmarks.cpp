#include "tests/test_program.h"
#include "ui/shared/bookmarks.h"

#include "ui/shared/view_state.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QSignalSpy>
#include <QTest>

using ui::Bookmark;
using ui::Bookmarks;
using ui::ViewState;

namespace {

constexpr std::int64_t kEnd = 10'000'000;

Bookmark full() {
    return {{1'000'000, 2'000'000}, 1'500'000, data::SpanRef{1, 2, 3}, data::Area{{1'100'000, 1'200'000}, 0, 3}};
}

}  // namespace

class TestBookmarks : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void oneComesBackToRangeCursorAndSelection() {
        ViewState state;
        state.setRunEnd(kEnd);
        state.setRange({1'000'000, 2'000'000});
        state.setCursor(1'234'567);
        state.selectSpan({1, 2, 3});
        const Bookmark bookmark = ui::bookmarkOf(state);
        state.showAll();
        state.setCursor(std::nullopt);
        state.clearSelection();
        ui::goTo(bookmark, state, [](data::SpanRef) { return true; });
        QVERIFY(ui::bookmarkOf(state) == bookmark);
    }

    void aSpanThatTheRunDoesNotHaveIsNotSelected() {
        ViewState state;
        state.setRunEnd(kEnd);
        state.selectSpan({9, 9, 9});
        ui::goTo({{0, kEnd}, std::nullopt, data::SpanRef{1, 2, 3}, std::nullopt}, state,
                 [](data::SpanRef) { return false; });
        QVERIFY(!state.selectedSpan().has_value());
    }

    void whatIsSavedIsRestored() {
        Bookmarks bookmarks;
        QVERIFY(bookmarks.save().isNull());
        bookmarks.set(1, full());
        bookmarks.set(9, {{0, kEnd}, std::nullopt, std::nullopt, std::nullopt});
        Bookmarks other;
        QSignalSpy changed(&other, &Bookmarks::changed);
        QVERIFY(other.restore(bookmarks.save(), kEnd));
        QCOMPARE(changed.count(), 1);
        for (int number = 1; number <= Bookmarks::kLast; ++number)
            QVERIFY(other.at(number) == bookmarks.at(number));
        QCOMPARE(*other.firstFree(), 2);
    }

    void bookmarksThatWereNotSavedAreRefusedCompletely_data() {
        QTest::addColumn<QJsonValue>("kept");
        const QJsonArray range{1000, 2000};
        const auto one = [&](QJsonObject more) {
            QJsonObject mark{{"number", 1}, {"rangePs", range}};
            for (auto it = more.begin(); it != more.end(); ++it)
                mark.insert(it.key(), it.value());
            return QJsonValue(QJsonArray{QJsonObject{{"number", 2}, {"rangePs", range}}, mark});
        };
        QTest::newRow("no list") << QJsonValue(3);
        QTest::newRow("number 0") << one({{"number", 0}});
        QTest::newRow("number 10") << one({{"number", 10}});
        QTest::newRow("range backwards") << one({{"rangePs", QJsonArray{2000, 1000}}});
        QTest::newRow("range beyond the end") << one({{"rangePs", QJsonArray{0, qint64{kEnd} + 1}}});
        QTest::newRow("range of three") << one({{"rangePs", QJsonArray{0, 1, 2}}});
        QTest::newRow("cursor negative") << one({{"cursorPs", -5}});
        QTest::newRow("cursor a word") << one({{"cursorPs", "here"}});
        QTest::newRow("span too large") << one({{"span", QJsonArray{0, 0, 0x100000000LL}}});
        QTest::newRow("area backwards") << one({{"area", QJsonArray{0, 10, 3, 2}}});
    }
    void bookmarksThatWereNotSavedAreRefusedCompletely() {
        QFETCH(QJsonValue, kept);
        Bookmarks bookmarks;
        bookmarks.set(5, full());
        QVERIFY(!bookmarks.restore(kept, kEnd));
        QVERIFY(bookmarks.at(5) == full());
        QVERIFY(!bookmarks.at(2).has_value());
    }

    void settingWhatIsSetSaysNothing() {
        Bookmarks bookmarks;
        bookmarks.set(3, full());
        QSignalSpy changed(&bookmarks, &Bookmarks::changed);
        bookmarks.set(3, full());
        QCOMPARE(changed.count(), 0);
    }

    void aFlagStandsAtTheCursorOrInTheMiddle() {
        QCOMPARE(full().moment(), 1'500'000);
        QCOMPARE((Bookmark{{100, 300}, std::nullopt, std::nullopt, std::nullopt}.moment()), 200);
    }
};

RINGSIDE_CORE_TEST(TestBookmarks)
#include "tst_bookmarks.moc"
