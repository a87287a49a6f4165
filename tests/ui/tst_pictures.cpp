#include "tests/ui/window_test.h"

#include "ui/workbench/pictures.h"

#include <QSignalSpy>
#include <QToolButton>

using ui::Pictures;

namespace {

struct CentreViewsBench {
    CentreViewsBench() {
        for (QWidget* view : {timeline, machine, chunks})
            view->setFocusPolicy(Qt::StrongFocus);
        views.addView(QStringLiteral("timeline"), QStringLiteral("Timeline"), timeline);
    }
    void addOthers() {
        views.addView(QStringLiteral("machine"), QStringLiteral("Machine"), machine);
        views.addView(QStringLiteral("chunks"), QStringLiteral("Chunk map"), chunks);
        views.resize(1200, 800);
        views.show();
        views.activateWindow();
        QApplication::processEvents();
    }
    QToolButton* button(const char* name) { return views.findChild<QToolButton*>(QString::fromLatin1(name)); }

    Pictures views;
    QWidget* timeline = new QWidget;
    QWidget* machine = new QWidget;
    QWidget* chunks = new QWidget;
};

}  // namespace

class TestPictures : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void oneViewNeedsNoSwitch() {
        CentreViewsBench bench;
        QVERIFY(bench.views.switcher()->isHidden());
        bench.addOthers();
        QVERIFY(!bench.views.switcher()->isHidden());
        QCOMPARE(bench.views.names(), QStringList({"timeline", "machine", "chunks"}));
        QCOMPARE(bench.views.current(), QStringLiteral("timeline"));
    }

    void oneClickFillsTheCentreWithAView() {
        CentreViewsBench bench;
        bench.addOthers();
        const QSignalSpy changed(&bench.views, &Pictures::currentChanged);
        QTest::mouseClick(bench.button("view:machine"), Qt::LeftButton);
        QCOMPARE(bench.views.current(), QStringLiteral("machine"));
        QVERIFY(bench.machine->isVisible() && bench.machine->hasFocus());
        QVERIFY(!bench.timeline->isVisible() && !bench.chunks->isVisible());
        QCOMPARE(changed.size(), 1);
    }

    void besideKeepsTheTimelineInSightBeneath() {
        CentreViewsBench bench;
        bench.addOthers();
        QVERIFY(!bench.button("beside")->isVisible());  // the timeline is not offered beneath itself
        bench.views.showView(QStringLiteral("chunks"));
        QTest::mouseClick(bench.button("beside"), Qt::LeftButton);
        QVERIFY(bench.chunks->isVisible() && bench.timeline->isVisible() && !bench.machine->isVisible());
        QVERIFY(bench.chunks->y() < bench.timeline->y());
        QVERIFY(bench.chunks->height() > 200 && bench.timeline->height() > 300);
        bench.views.showView(QStringLiteral("machine"));
        QVERIFY(bench.machine->isVisible() && bench.timeline->isVisible());
        QTest::mouseClick(bench.button("beside"), Qt::LeftButton);
        QVERIFY(bench.machine->isVisible() && !bench.timeline->isVisible());
    }

    void aClickWithControlShowsAViewAboveTheTimeline() {
        CentreViewsBench bench;
        bench.addOthers();
        QTest::mouseClick(bench.button("view:machine"), Qt::LeftButton, Qt::ControlModifier);
        QVERIFY(bench.machine->isVisible() && bench.timeline->isVisible());
        QVERIFY(bench.views.isBeside());
    }

    void aViewThatIsNotThereIsRefusedAndTheOtherStays() {
        CentreViewsBench bench;
        bench.addOthers();
        bench.views.showView(QStringLiteral("chunks"));
        QVERIFY(!bench.views.showView(QStringLiteral("figure")));
        QCOMPARE(bench.views.current(), QStringLiteral("chunks"));
    }
};

RINGSIDE_WINDOW_TEST(TestPictures)
#include "tst_pictures.moc"
