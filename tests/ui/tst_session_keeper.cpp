#include "tests/ui/window_test.h"

#include "ui/workbench/window_session.h"

#include <QLineEdit>

using ui::SessionKeeper;

class TestSessionKeeper : public QObject {
    Q_OBJECT

    int m_saved = 0;

private Q_SLOTS:
    void init() { m_saved = 0; }

    void aMomentAfterTheLastChangeItIsKeptOnce() {
        SessionKeeper keeper([this] { ++m_saved; });
        for (int i = 0; i < 5; ++i)
            keeper.noteChange();
        QCOMPARE(m_saved, 0);
        QTRY_COMPARE_WITH_TIMEOUT(m_saved, 1, 3'000);
        QTest::qWait(1'200);
        QCOMPARE(m_saved, 1);
    }

    void whatAPersonDoesIsAChange() {
        QLineEdit field;
        field.show();
        SessionKeeper keeper([this] { ++m_saved; });
        QTest::keyClick(&field, Qt::Key_A);
        QTRY_COMPARE_WITH_TIMEOUT(m_saved, 1, 3'000);
        QTest::mouseClick(&field, Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(m_saved, 2, 3'000);
    }

    void whereNothingChangesNothingRuns() {
        QLineEdit field;
        field.show();
        SessionKeeper keeper([this] { ++m_saved; });
        QTest::mouseMove(&field);
        QTest::qWait(1'500);
        QCOMPARE(m_saved, 0);
    }
};

RINGSIDE_WINDOW_TEST(TestSessionKeeper)
#include "tst_session_keeper.moc"
