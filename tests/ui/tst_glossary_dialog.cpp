#include "tests/ui/window_test.h"

#include "ui/lessons/glossary_dialog.h"

#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSignalSpy>

class TestGlossaryDialog : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aNameGoesBeforeASentence() {
        ui::GlossaryDialog dialog;
        auto* search = dialog.findChild<QLineEdit*>();
        QTest::keyClicks(search, QStringLiteral("SLOT"));  // the entry "wave" contains this word, too
        QCOMPARE(dialog.shownTerm(), QStringLiteral("slot"));
        search->clear();
        QTest::keyClicks(search, QStringLiteral("no such word"));
        QCOMPARE(dialog.shownTerm(), QString());
        QVERIFY(!dialog.findChild<QLabel*>(QStringLiteral("glossaryText"))->text().isEmpty());
    }

    void theArrowsOfTheSearchLineMoveTheChoice() {
        ui::GlossaryDialog dialog;
        dialog.show();
        const QString first = dialog.shownTerm();
        QTest::keyClick(dialog.findChild<QLineEdit*>(), Qt::Key_Down);
        QVERIFY(dialog.shownTerm() != first);
        QTest::keyClick(dialog.findChild<QLineEdit*>(), Qt::Key_Up);
        QCOMPARE(dialog.shownTerm(), first);
    }

    void onlyAPartOfAGpuIsShownInIt() {
        ui::GlossaryDialog dialog;
        dialog.show();
        auto* show = dialog.findChild<QPushButton*>(QStringLiteral("glossaryShow"));
        dialog.showTerm(QStringLiteral("granule"));
        QVERIFY(!show->isVisible());
        dialog.showTerm(QStringLiteral("tracker"));
        QVERIFY(show->isVisible());
        QSignalSpy asked(&dialog, &ui::GlossaryDialog::partRequested);
        show->click();
        QCOMPARE(asked.front().front().toString(), QStringLiteral("tracker"));
    }
};

RINGSIDE_WINDOW_TEST(TestGlossaryDialog)
#include "tst_glossary_dialog.moc"
