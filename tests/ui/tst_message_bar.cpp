#include "tests/ui/window_test.h"

#include "ui/workbench/message_bar.h"

#include <QCursor>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include <memory>

using ui::MessageBar;

namespace {

/// A view with some buttons one above the other, and the message card over them.
struct MessageBarBench {
    QWidget view;
    QList<QPushButton*> buttons;
    MessageBar* bar;

    MessageBarBench() {
        auto* column = new QVBoxLayout(&view);
        for (const char* text : {"Play", "Run", "Export"}) {
            buttons << new QPushButton(QString::fromLatin1(text), &view);
            column->addWidget(buttons.back());
        }
        bar = new MessageBar(view);
        view.resize(600, 400);
        view.show();
    }
    QList<QRect> places() const {
        QList<QRect> all;
        for (const QPushButton* button : buttons)
            all << button->geometry();
        return all;
    }
    void pointAt(int y) { QCursor::setPos(view.mapToGlobal(QPoint(300, y))); }
};

QImage iconOf(const MessageBar& bar) { return bar.findChild<QLabel*>()->pixmap().toImage(); }

}  // namespace

class TestMessageBar : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aMessageMovesNothing() {
        MessageBarBench bench;
        bench.pointAt(20);
        const QList<QRect> before = bench.places();
        bench.bar->showMessage(MessageBar::Kind::error, QStringLiteral("It failed.\nTwice."));
        QApplication::processEvents();
        QCOMPARE(bench.places(), before);
        QVERIFY(bench.bar->isVisible());
        QVERIFY(bench.view.rect().contains(bench.bar->geometry()));
        bench.bar->clear();
        QApplication::processEvents();
        QCOMPARE(bench.places(), before);
    }

    void itNeverComesUnderThePointer() {
        for (const int y : {10, 200, 390}) {
            MessageBarBench bench;
            bench.pointAt(y);
            bench.bar->showMessage(MessageBar::Kind::notice, QStringLiteral("Something to know."));
            QVERIFY2(!bench.bar->geometry().contains(300, y), std::to_string(y).c_str());
        }
    }

    void anotherTextWhileItIsOpenStaysWhereTheFirstWas() {
        MessageBarBench bench;
        bench.pointAt(10);
        bench.bar->showMessage(MessageBar::Kind::notice, QStringLiteral("First."));
        const int foot = bench.bar->geometry().bottom();
        bench.pointAt(380);  // on the card, before pressing its button
        bench.bar->showMessage(MessageBar::Kind::notice, QStringLiteral("Second."));
        QCOMPARE(bench.bar->geometry().bottom(), foot);
    }

    void itFollowsTheSizeOfItsParentAndKeepsALongTextWhole() {
        MessageBarBench bench;
        bench.pointAt(10);
        bench.bar->showMessage(MessageBar::Kind::error, QStringLiteral("Words and more words of it. ").repeated(12));
        const int wide = bench.bar->height();
        bench.view.resize(300, 500);
        QTRY_COMPARE(bench.bar->width(), 300 - 20);
        QVERIFY(bench.bar->height() > wide);
        const auto* text = bench.bar->findChildren<QLabel*>().at(1);
        QVERIFY(text->height() >= text->heightForWidth(text->width()));
    }

    void aShortMessageCoversNoMoreThanItsWords() {
        MessageBarBench bench;
        bench.pointAt(10);
        bench.bar->showMessage(MessageBar::Kind::done, QStringLiteral("Written."));
        QVERIFY(bench.bar->width() < 300);
        const auto* text = bench.bar->findChildren<QLabel*>().at(1);
        QVERIFY(text->width() >= text->fontMetrics().horizontalAdvance(text->text()));
        QCOMPARE(bench.bar->geometry().center().x(), bench.view.rect().center().x());
    }

    void itRestsAboveWhatIsReadAllTheTimeWhileThatIsShown() {
        MessageBarBench bench;
        bench.pointAt(10);
        bench.bar->restAbove(*bench.buttons[2]);
        bench.bar->showMessage(MessageBar::Kind::done, QStringLiteral("Written."));
        QVERIFY(bench.bar->geometry().bottom() < bench.buttons[2]->geometry().top());
        bench.buttons[2]->hide();
        QTRY_VERIFY(bench.bar->geometry().bottom() > 380);
    }

    void whatWasDoneHasNoWarningSign() {
        MessageBarBench bench;
        QList<QImage> icons;
        for (const auto kind : {MessageBar::Kind::done, MessageBar::Kind::notice, MessageBar::Kind::error}) {
            bench.bar->showMessage(kind, QStringLiteral("x"));
            icons << iconOf(*bench.bar).convertToFormat(QImage::Format_Alpha8);  // only the shape, not the colour
        }
        QVERIFY(icons[0] != icons[2]);
        QVERIFY(icons[1] != icons[2]);
        QVERIFY(icons[0] != icons[1]);
    }

    void aRemedyGoesWithTheMessageThatItWasChosenOn() {
        MessageBarBench bench;
        int chosen = 0;
        bench.bar->showMessage(MessageBar::Kind::notice, QStringLiteral("x"), QStringLiteral("Undo"),
                               [&] { ++chosen; });
        bench.bar->findChild<QToolButton*>(QStringLiteral("remedy"))->click();
        QCOMPARE(chosen, 1);
        QVERIFY(bench.bar->isHidden());
    }
};

RINGSIDE_WINDOW_TEST(TestMessageBar)
#include "tst_message_bar.moc"
