#include "tests/ui/window_test.h"

#include "ui/workbench/explore_page.h"

#include <QElapsedTimer>

using ui::WaitingOverlay;

class TestWaitingOverlay : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void itAppearsOnlyAfterAWhileAndThenCoversThePicture() {
        QWidget picture;
        picture.resize(400, 300);
        picture.show();
        WaitingOverlay overlay(picture);
        overlay.start();
        QVERIFY(!overlay.isVisible());
        QTRY_VERIFY(overlay.isVisible());
        QCOMPARE(overlay.size(), picture.size());
        picture.resize(500, 200);
        QTRY_COMPARE(overlay.size(), picture.size());
        overlay.stop();
        QVERIFY(!overlay.isVisible());
    }

    void whatIsThereInAMomentNeverDimsThePicture() {
        QWidget picture;
        picture.show();
        WaitingOverlay overlay(picture);
        for (int i = 0; i < 8; ++i) {
            QElapsedTimer sinceStart;
            sinceStart.start();
            overlay.start();
            QTest::qWait(50);  // may take longer on a busy machine
            QVERIFY(!overlay.isVisible() || sinceStart.elapsed() >= WaitingOverlay::kDelayMs);
            overlay.stop();
        }
        QTest::qWait(WaitingOverlay::kDelayMs + 50);
        QVERIFY(!overlay.isVisible());
    }

    void beingAskedAgainDoesNotPutItOff() {
        QWidget picture;
        picture.show();
        WaitingOverlay overlay(picture);
        for (int i = 0; i < 12 && !overlay.isVisible(); ++i) {
            overlay.start();
            QTest::qWait(50);
        }
        QVERIFY(overlay.isVisible());
    }

    void clicksGoThroughToThePicture() {
        QWidget picture;
        picture.resize(400, 300);
        picture.show();
        WaitingOverlay overlay(picture);
        overlay.start();
        overlay.setText(QStringLiteral("3 s left"));
        QTRY_VERIFY(overlay.isVisible());
        QVERIFY(overlay.testAttribute(Qt::WA_TransparentForMouseEvents));
        QCOMPARE(picture.childAt(200, 150), nullptr);
        QCOMPARE(overlay.accessibleName(), QStringLiteral("3 s left"));
        overlay.stop();
        QVERIFY(overlay.text().isEmpty());
    }
};

RINGSIDE_WINDOW_TEST(TestWaitingOverlay)
#include "tst_waiting_overlay.moc"
