#include "tests/test_program.h"
#include "ui/shared/measures.h"

#include "sample_trace.h"

#include "ui/timeline/row_tracks.h"

#include <QSignalSpy>
#include <QTest>

using data::TimeRange;
using engine::SpanKind;
using ui::Measures;

class TestMeasures : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void markingTheSameStretchTwiceTakesTheRulerAway() {
        Measures measures;
        measures.mark({10, 20});
        QVERIFY(measures.current() == data::TimeRange({10, 20}));
        measures.mark({10, 30});
        QVERIFY(measures.current() == data::TimeRange({10, 30}));
        measures.mark({10, 30});
        QVERIFY(!measures.current().has_value());
    }

    void anInstantCannotBeMeasured() {
        Measures measures;
        QSignalSpy changed(&measures, &Measures::changed);
        measures.mark({10, 10});
        QVERIFY(measures.empty());
        QCOMPARE(changed.count(), 0);
    }

    void endsThatCrossChangeTheirParts() {
        Measures measures;
        measures.mark({10, 20});
        measures.moveTo({20, 5});
        QVERIFY(measures.current() == data::TimeRange({5, 20}));
    }

    void aKeptRulerStaysWhileAnotherIsLaidAndCanBeTakenBack() {
        Measures measures;
        measures.mark({10, 20});
        measures.keep();
        QVERIFY(!measures.current().has_value());
        measures.mark({30, 40});
        QCOMPARE(measures.kept().size(), std::size_t{1});
        measures.mark({30, 40});
        measures.keep();
        QVERIFY(measures.current() == data::TimeRange({10, 20}));
        QVERIFY(measures.kept().empty());
    }

    void aMomentSnapsToTheNearestEdgeWithinReachAndNoFurther() {
        const std::vector<engine::Span> first{tests::span(SpanKind::linkPacket, 100, 200, 0, 0),
                                              tests::span(SpanKind::linkPacket, 300, 400, 0, 0)};
        const std::vector<engine::Span> second{tests::span(SpanKind::linkPacket, 0, 190, 0, 0)};
        const std::vector<ui::RowTrack> one{{0, data::SpanList(first), 0, 1}};
        QCOMPARE(ui::snapped(one, 210, 10), 200);
        QCOMPARE(ui::snapped(one, 211, 10), 211);
        QCOMPARE(ui::snapped(one, 290, 10), 300);
        QCOMPARE(ui::snapped(one, 90, 10), 100);
        QCOMPARE(ui::snapped(one, 409, 10), 400);
        QCOMPARE(ui::snapped(one, 195, 10), 200);
        const std::vector<ui::RowTrack> two{{0, data::SpanList(first), 0, 1}, {1, data::SpanList(second), 0, 1}};
        QCOMPARE(ui::snapped(two, 192, 10), 190);
        QCOMPARE(ui::snapped(two, 195, 10), 190);  // of two equally near ones, the earlier one
        QCOMPARE(ui::snapped({}, 5, 10), 5);
    }
};

RINGSIDE_CORE_TEST(TestMeasures)
#include "tst_measures.moc"
