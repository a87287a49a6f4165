#include "tests/ui/window_test.h"

#include "tests/ui/window_parts.h"
#include "ui/editors/parameter_field.h"
#include "ui/lessons/lesson_library.h"
#include "ui/ringside_window.h"
#include "ui/welcome/welcome_card.h"
#include "ui/workbench/commands.h"
#include "ui/workbench/pictures.h"
#include "ui/workbench/spotlight.h"
#include "ui/workbench/window_views.h"

#include <QLabel>
#include <QSignalSpy>
#include <QSlider>
#include <QTemporaryDir>
#include <QToolButton>

#include <memory>

using ui::RingsideWindow;

namespace {

std::unique_ptr<RingsideWindow> openWelcome(const QString& settings, bool welcomes = true) {
    ui::RingsideWindowConfig config;
    config.draft = data::openDraft("t-nlg/fc-2/tp8").draft;
    config.settingsFile = settings;
    config.welcomes = welcomes;
    auto window = std::make_unique<RingsideWindow>(std::move(config));
    window->resize(1400, 850);
    window->show();
    window->activateWindow();
    QSignalSpy shown(&window->runs(), &ui::RunController::settled);
    if (!window->runs().shown() && !shown.wait(5'000))
        qFatal("the window shows no run in time");
    QApplication::processEvents();
    return window;
}

ui::WelcomeCard* cardOf(const RingsideWindow& window) {
    return window.findChild<ui::WelcomeCard*>(QStringLiteral("welcome"));
}

QToolButton* stepOf(const RingsideWindow& window, const char* id) {
    return window.findChild<QToolButton*>(QStringLiteral("welcome:") + QString::fromLatin1(id));
}

bool isDone(const QToolButton* step) { return step->accessibleName().endsWith(QStringLiteral("done")); }

}  // namespace

class TestWelcome : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QString m_settings = m_folder.filePath(QStringLiteral("window.ini"));

private Q_SLOTS:
    void cleanup() { QFile::remove(m_settings); }

    void theCardIsThereAtTheFirstStartAndCoversNothing() {
        const auto window = openWelcome(m_settings);
        QVERIFY(cardOf(*window)->isVisible());
        const auto* timeline = window->findChild<QWidget*>(QStringLiteral("timeline"));
        const QRect card(cardOf(*window)->mapTo(window.get(), QPoint()), cardOf(*window)->size());
        QVERIFY(!card.intersects(QRect(timeline->mapTo(window.get(), QPoint()), timeline->size())));
        QVERIFY(cardOf(*openWelcome(m_settings, false)) == nullptr);  // the card is not shown in pictures
    }

    void aStepIsTickedHoweverItWasTaken() {
        const auto window = openWelcome(m_settings);
        QTest::mouseClick(stepOf(*window, "play"), Qt::LeftButton);
        QTRY_VERIFY(window->viewState().cursor().value_or(0) > 0);
        QVERIFY(isDone(stepOf(*window, "play")));
        QVERIFY(!isDone(stepOf(*window, "find")));
        QTest::keyClick(window.get(), Qt::Key_K, Qt::ControlModifier);
        QVERIFY(isDone(stepOf(*window, "find")));
    }

    void theSliderIsFramedUntilItIsDragged() {
        const auto window = openWelcome(m_settings);
        QTest::mouseClick(stepOf(*window, "tune"), Qt::LeftButton);
        auto* field = window->findChild<ui::ParameterField*>(QStringLiteral("field:link.bandwidth"));
        auto* mark = window->findChild<ui::SpotlightFrame*>();
        QVERIFY(mark != nullptr && mark->isVisible());
        QVERIFY(mark->geometry().contains(field->geometry()));
        QVERIFY(cardOf(*window)->words().contains(QStringLiteral("Drag the framed slider")));
        auto* slider = field->findChild<QSlider*>();
        slider->setSliderDown(true);
        slider->setValue(slider->value() - 20);
        QVERIFY(window->findChild<ui::SpotlightFrame*>() == nullptr);
        QVERIFY(isDone(stepOf(*window, "tune")));
        QTRY_VERIFY(window->runs().shown()->preview);
        slider->setSliderDown(false);
        QTRY_VERIFY(!window->runs().shown()->preview);
    }

    void theRunBeforeStaysOutlinedWhileTheSliderIsDragged() {
        const auto window = openWelcome(m_settings);
        const auto before = window->runs().shown();
        QTest::mouseClick(stepOf(*window, "tune"), Qt::LeftButton);
        QCOMPARE(window->runs().pinned(), before);
        auto* slider =
            window->findChild<ui::ParameterField*>(QStringLiteral("field:link.bandwidth"))->findChild<QSlider*>();
        slider->setValue(slider->value() - 20);
        QTRY_VERIFY(window->runs().shown() != before);
        QCOMPARE(window->runs().pinned(), before);
        QVERIFY(cardOf(*window)->words().contains(QStringLiteral("numbers beneath the picture show the differences")));
    }

    void oneStepComparesWithTheBaseline() {
        const auto window = openWelcome(m_settings);
        QSignalSpy shown(&window->compare().view(), &ui::CompareView::compareShown);
        QTest::mouseClick(stepOf(*window, "compare"), Qt::LeftButton);
        QVERIFY(!shown.isEmpty() || shown.wait(5'000));
        QCOMPARE(window->workbench().views().current(), QStringLiteral("compare"));
        QTRY_VERIFY(isDone(stepOf(*window, "compare")));
    }

    void closedItStaysAwayUntilItIsAskedFor() {
        {
            const auto window = openWelcome(m_settings);
            auto* close = cardOf(*window)->findChild<QToolButton*>(QString(), Qt::FindDirectChildrenOnly);
            QTest::mouseClick(close, Qt::LeftButton);
            QTRY_VERIFY(cardOf(*window) == nullptr);
        }
        const auto window = openWelcome(m_settings);
        QVERIFY(cardOf(*window) == nullptr);
        window->workbench().commands().find("help.welcome")->action->trigger();
        QVERIFY(cardOf(*window)->isVisible());
        window->workbench().commands().find("help.welcome")->action->trigger();  // the card is already shown
        QCOMPARE(window->findChildren<ui::WelcomeCard*>().size(), 1);
        QVERIFY(cardOf(*openWelcome(m_settings))->isVisible());
    }

    void theCardAndEveryViewFitOnASmallScreen() {
        const auto window = openWelcome(m_settings);
        const QSize screen(1280, 720);
        window->resize(screen);
        QApplication::processEvents();
        const auto fits = [&](const QString& name) {
            tests::settleLayouts();
            const QSize least = window->minimumSizeHint();
            return least.width() <= screen.width() && least.height() <= screen.height()
                       ? QString()
                       : QStringLiteral("%1 needs %2 x %3").arg(name).arg(least.width()).arg(least.height());
        };
        for (const QString& name : window->workbench().viewNames()) {
            if (!window->workbench().views().showView(name))
                continue;
            QCOMPARE(fits(name), QString());
        }
        window->workbench().views().showView(QStringLiteral("explore"));
        for (const bool beside : {true, false}) {
            for (const QString& name : window->workbench().pictures().names()) {
                window->workbench().pictures().showView(name);
                window->workbench().pictures().setBeside(beside);
                QCOMPARE(fits(name + (beside ? QStringLiteral(" and timeline") : QString())), QString());
            }
        }
        window->workbench()
            .commands()
            .find(QStringLiteral("lesson.open-") + ui::bundledLessons().front().name)
            ->action->trigger();
        QCOMPARE(fits(QStringLiteral("a lesson")), QString());
        QCOMPARE(window->size(), screen);
    }

    void wordsOfTheCardAreNeverCut() {
        const auto window = openWelcome(m_settings);
        const auto* words = cardOf(*window)->findChild<QLabel*>();
        for (const int width : {1280, 1440, 1920}) {
            window->resize(width, 900);
            QApplication::processEvents();
            QVERIFY(words->heightForWidth(words->width()) <= words->height());
        }
    }

    void aNarrowWindowKeepsTheFirstSteps() {
        const auto window = openWelcome(m_settings);
        window->resize(window->minimumSizeHint());
        QApplication::processEvents();
        QVERIFY(stepOf(*window, "play")->isVisible());
        QVERIFY(stepOf(*window, "find")->geometry().right() <= stepOf(*window, "find")->parentWidget()->width() ||
                !stepOf(*window, "find")->isVisible());
    }
};

RINGSIDE_WINDOW_TEST(TestWelcome)
#include "tst_welcome.moc"
