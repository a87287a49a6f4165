#include "tests/ui/window_test.h"
#include "ui/look/widget_parts.h"

#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QTest>
#include <QToolTip>
#include <QWidget>

#include <memory>

class TestWidgetEvents : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anActFollowsTheEventsThatWereNamed() {
        QWidget widget;
        int acts = 0;
        ui::onEvents(widget, {QEvent::FontChange}, [&acts] { ++acts; });
        QFont larger = widget.font();
        larger.setPointSizeF(larger.pointSizeF() * 2);
        widget.setFont(larger);
        QCOMPARE(acts, 1);
        widget.setPalette(QPalette(Qt::red));
        QCOMPARE(acts, 1);
    }

    void anActEndsWithItsOwner() {
        QWidget watched;
        auto owner = std::make_unique<QObject>();
        int acts = 0;
        ui::onEvents(
            watched, {QEvent::Move}, [&acts] { ++acts; }, owner.get());
        QEvent moved(QEvent::Move);
        QApplication::sendEvent(&watched, &moved);
        owner.reset();
        QApplication::sendEvent(&watched, &moved);
        QCOMPARE(acts, 1);
    }

    void coloursAreTakenAtOnceAndWhenTheyChange() {
        QWidget widget;
        int acts = 0;
        ui::followColours(widget, [&acts] { ++acts; });
        QCOMPARE(acts, 1);
        widget.setPalette(QPalette(Qt::red));
        QCOMPARE(acts, 2);
    }

    void aKeyThatIsWantedIsKeptFromTheWindow() {
        QWidget widget;
        ui::keepKeys(widget, [](const QKeyEvent& key) { return ui::isArrow(key.key()) && ui::isPlain(key); });
        const auto isKept = [&widget](Qt::Key key, Qt::KeyboardModifiers modifiers) {
            QKeyEvent event(QEvent::ShortcutOverride, key, modifiers);
            event.ignore();
            QApplication::sendEvent(&widget, &event);
            return event.isAccepted();
        };
        QVERIFY(isKept(Qt::Key_Left, Qt::NoModifier));
        QVERIFY(isKept(Qt::Key_Left, Qt::KeypadModifier));
        QVERIFY(!isKept(Qt::Key_Left, Qt::ControlModifier));
        QVERIFY(!isKept(Qt::Key_Home, Qt::NoModifier));
    }

    void eachPartShowsItsOwnTip() {
        QWidget widget;
        widget.resize(100, 100);
        widget.show();
        ui::showTipAt(widget, [](QPoint at) { return ui::Tip{at.x() < 50 ? QStringLiteral("left") : QString(), {}}; });
        QHelpEvent onTheLeft(QEvent::ToolTip, QPoint(10, 10), widget.mapToGlobal(QPoint(10, 10)));
        QApplication::sendEvent(&widget, &onTheLeft);
        QCOMPARE(QToolTip::text(), QStringLiteral("left"));
        QHelpEvent onTheRight(QEvent::ToolTip, QPoint(90, 10), widget.mapToGlobal(QPoint(90, 10)));
        QApplication::sendEvent(&widget, &onTheRight);
        QTRY_VERIFY(!QToolTip::isVisible());
    }
};

RINGSIDE_WINDOW_TEST(TestWidgetEvents)
#include "tst_widget_events.moc"
