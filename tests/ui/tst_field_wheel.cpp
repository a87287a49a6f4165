#include "tests/ui/open_window.h"
#include "tests/ui/sample_figures.h"
#include "tests/ui/window_test.h"

#include "tests/ui/window_parts.h"
#include "ui/figure/figure_options.h"
#include "ui/ringside_window.h"
#include "ui/workbench/field_wheel.h"
#include "ui/workbench/window_views.h"

#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QPlainTextEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSlider>
#include <QVBoxLayout>
#include <QWheelEvent>
#include <QtTest/qtestspontaneevent.h>

#include <memory>

namespace {

/// Turns the wheel over a widget as the window system does, which may set the focus to the widget first.
void turnWheel(QWidget& target, int delta = -120) {
    const QPointF at = QRectF(target.rect()).center();
    QWheelEvent event(at, target.mapToGlobal(at), {}, {0, delta}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase,
                      false);
    QSpontaneKeyEvent::setSpontaneous(&event);
    qApp->notify(&target, &event);
}

QString valueOf(const QWidget& field) {
    if (const auto* combo = qobject_cast<const QComboBox*>(&field))
        return combo->currentText();
    if (const auto* spin = qobject_cast<const QAbstractSpinBox*>(&field))
        return spin->text();
    return QString::number(qobject_cast<const QAbstractSlider*>(&field)->value());
}

QList<QWidget*> fieldsIn(const QWidget& panel) {
    QList<QWidget*> fields;
    for (QWidget* widget : panel.findChildren<QWidget*>()) {
        if (qobject_cast<QComboBox*>(widget) != nullptr || qobject_cast<QAbstractSpinBox*>(widget) != nullptr ||
            qobject_cast<QSlider*>(widget) != nullptr)
            fields << widget;
    }
    return fields;
}

}  // namespace

class TestFieldWheel : public QObject {
    Q_OBJECT

    std::unique_ptr<ui::FieldWheel> m_wheel;

private Q_SLOTS:
    void initTestCase() { m_wheel = std::make_unique<ui::FieldWheel>(nullptr); }
    void cleanupTestCase() { m_wheel.reset(); }

    void overTheOptionsOfAFigureItScrollsAndEditsNothing() {
        const data::FigureSpec figure = tests::speedups();
        ui::FigureOptions options;
        options.resize(320, 240);
        options.showFigure(&figure);
        options.show();
        options.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&options));
        const QSignalSpy edits(&options, &ui::FigureOptions::edited);
        QScrollBar* bar = options.verticalScrollBar();
        QVERIFY(bar->maximum() > 0);
        QList<QWidget*> fields = fieldsIn(options);
        for (auto* words : options.findChildren<QPlainTextEdit*>())
            fields << words->viewport();
        QVERIFY(fields.size() >= 8);
        for (QWidget* field : fields) {
            if (!field->isVisible() || !field->isEnabled())
                continue;
            bar->setValue(0);
            if (options.focusWidget() != nullptr)
                options.focusWidget()->clearFocus();
            turnWheel(*field);
            QVERIFY2(bar->value() > 0, field->metaObject()->className());
            QVERIFY(!field->hasFocus());
        }
        QCOMPARE(edits.size(), 0);
    }

    void aFieldThatHasTheFocusTakesIt() {
        QWidget panel;
        auto* column = new QVBoxLayout(&panel);
        auto* spin = new QDoubleSpinBox;
        column->addWidget(spin);
        panel.show();
        panel.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&panel));
        spin->clearFocus();
        turnWheel(*spin, 120);
        QCOMPARE(spin->value(), 0.0);
        spin->setFocus();
        turnWheel(*spin, 120);
        QCOMPARE(spin->value(), 1.0);
    }

    void aLongTextOutsideOfAPanelStillScrolls() {
        QPlainTextEdit text;
        text.setPlainText(QStringLiteral("line\n").repeated(200));
        text.show();
        turnWheel(*text.viewport());
        QVERIFY(text.verticalScrollBar()->value() > 0);
    }

    void noFieldOfTheWindowChangesUnderThePointer_data() {
        QTest::addColumn<QString>("view");
        for (const char* view : {"explore", "compare", "sweep", "figure", "model"})
            QTest::newRow(view) << QString::fromLatin1(view);
    }
    void noFieldOfTheWindowChangesUnderThePointer() {
        QFETCH(const QString, view);
        m_wheel.reset();  // the window has its own filter
        const auto window = tests::openWindow();
        if (view == QLatin1String("figure")) {
            QSignalSpy shown(&window->figures().view(), &ui::FigureView::figureShown);
            QVERIFY(window->figures().showFigure(QStringLiteral("machine")));
            QVERIFY(!shown.isEmpty() || shown.wait(10'000));
        }
        QVERIFY(window->workbench().views().showView(view));
        QApplication::processEvents();
        if (window->focusWidget() != nullptr)
            window->focusWidget()->clearFocus();
        int tried = 0;
        for (QWidget* field : fieldsIn(*window)) {
            if (!field->isVisible() || !field->isEnabled() || field->hasFocus())
                continue;
            const QString before = valueOf(*field);
            for (const int delta : {120, -120, -120, 120, 120}) {
                turnWheel(*field, delta);
                QCOMPARE(valueOf(*field), before);
            }
            QVERIFY2(!field->hasFocus(), qPrintable(field->objectName()));
            ++tried;
        }
        QVERIFY(tried > 0);
    }
};

RINGSIDE_WINDOW_TEST(TestFieldWheel)
#include "tst_field_wheel.moc"
