#include "tests/ui/window_test.h"

#include "ui/workbench/explore_page.h"

using ui::Veil;

class TestVeil : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void itFallsOnlyAfterAWhileAndThenCoversThePicture() {
        QWidget picture;
        picture.resize(400, 300);
        picture.show();
        Veil veil(picture);
        veil.drop();
        QVERIFY(!veil.isVisible());
        QTRY_VERIFY(veil.isVisible());
        QCOMPARE(veil.size(), picture.size());
        picture.resize(500, 200);
        QTRY_COMPARE(veil.size(), picture.size());
        veil.lift();
        QVERIFY(!veil.isVisible());
    }

    void whatIsThereInAMomentNeverDimsThePicture() {
        QWidget picture;
        picture.show();
        Veil veil(picture);
        for (int i = 0; i < 8; ++i) {
            veil.drop();
            QTest::qWait(50);
            QVERIFY(!veil.isVisible());
            veil.lift();
        }
        QTest::qWait(Veil::kDelayMs + 50);
        QVERIFY(!veil.isVisible());
    }

    void beingAskedAgainDoesNotPutItOff() {
        QWidget picture;
        picture.show();
        Veil veil(picture);
        for (int i = 0; i < 12 && !veil.isVisible(); ++i) {
            veil.drop();
            QTest::qWait(50);
        }
        QVERIFY(veil.isVisible());
    }

    void clicksGoThroughToThePicture() {
        QWidget picture;
        picture.resize(400, 300);
        picture.show();
        Veil veil(picture);
        veil.drop();
        veil.say(QStringLiteral("3 s left"));
        QTRY_VERIFY(veil.isVisible());
        QVERIFY(veil.testAttribute(Qt::WA_TransparentForMouseEvents));
        QCOMPARE(picture.childAt(200, 150), nullptr);
        QCOMPARE(veil.accessibleName(), QStringLiteral("3 s left"));
        veil.lift();
        QVERIFY(veil.words().isEmpty());
    }
};

RINGSIDE_WINDOW_TEST(TestVeil)
#include "tst_veil.moc"
