#include "tests/ui/open_window.h"
#include "tests/ui/window_test.h"

#include "data/laboratory/laboratory.h"
#include "tests/ui/window_parts.h"
#include "ui/editors/parameter_field.h"
#include "ui/lessons/lesson_library.h"
#include "ui/lessons/lesson_state.h"
#include "ui/ringside_window.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QStyle>

#include <memory>
#include <optional>

// Does the tasks of the lessons with mouse and keys.

using ui::RingsideWindow;

namespace {

/// Runs everything at a coarse detail, but returns the requested detail: these tests check only how the lesson uses the
/// run.
data::LaboratoryRun quickRun(const data::ExperimentDraft& draft, const engine::RunOptions& options) {
    data::ExperimentDraft coarse = draft;
    coarse.explicitValues["detail.level"] = std::string("interactive");
    data::LaboratoryRun run = data::Laboratory().run(coarse, options);
    run.draft = draft;
    run.experiment = data::expand(draft).experiment;
    return run;
}

QPoint handleOf(const QSlider& slider) {
    const int length = slider.style()->pixelMetric(QStyle::PM_SliderLength, nullptr, &slider);
    const int x =
        QStyle::sliderPositionFromValue(slider.minimum(), slider.maximum(), slider.value(), slider.width() - length);
    return {x + length / 2, slider.height() / 2};
}

}  // namespace

class TestLessonTasks : public QObject {
    Q_OBJECT

    std::unique_ptr<RingsideWindow> m_window;

    bool isTried() { return m_window->lessons().state().answer().tried; }
    QString task() { return m_window->findChild<QLabel*>(QStringLiteral("lessonTry"))->text(); }
    ui::ParameterField& field() {
        const std::string& path = m_window->lessons().state().step().attempt->parameter;
        auto* found = m_window->findChild<ui::ParameterField*>(QStringLiteral("field:") + QString::fromStdString(path));
        if (found == nullptr || !found->isVisible())
            qFatal("the field does not exist or is hidden");
        return *found;
    }

    /// Goes to the lesson's last step, which has the task, and presses the button that shows where to do it.
    void openTask(const QString& file) {
        const data::LessonReading reading = ui::openLesson(file);
        QVERIFY(reading.lesson.steps.back().attempt.has_value());
        QSignalSpy shown(&m_window->lessons(), &ui::LessonFeature::shown);
        QVERIFY(m_window->lessons().open(file, reading.lesson.steps.size() - 1));
        QVERIFY(!shown.isEmpty() || shown.wait(10'000));
        if (m_window->lessons().state().asks()) {
            shown.clear();
            const bool runsAgain = m_window->lessons().state().step().holds;
            m_window->lessons().state().advance();
            QVERIFY(!runsAgain || !shown.isEmpty() || shown.wait(10'000));
        }
        auto* button = m_window->findChild<QPushButton*>(QStringLiteral("lessonTryButton"));
        QVERIFY(button->isVisible());
        QVERIFY(!isTried());
        QTest::mouseClick(button, Qt::LeftButton);
        QApplication::processEvents();
    }

    void drag(QSlider& slider, int by) {
        const QPoint from = handleOf(slider);
        QTest::mousePress(&slider, Qt::LeftButton, Qt::NoModifier, from);
        for (int i = 1; i <= 4; ++i) {
            QTest::mouseMove(&slider, from + QPoint(by * i / 4, 0));
            QApplication::processEvents();
        }
        QVERIFY(slider.isSliderDown());
        QVERIFY(!isTried());
        QTest::mouseRelease(&slider, Qt::LeftButton, Qt::NoModifier, from + QPoint(by, 0));
    }

private Q_SLOTS:
    void initTestCase() {
        ui::RingsideWindowConfig config = tests::interactiveConfig();
        config.runsWhileEditing = true;
        config.session.simulate = quickRun;
        m_window = tests::openWindow(std::move(config), {1600, 900});
    }
    void cleanup() { m_window->lessons().state().close(); }
    void cleanupTestCase() { m_window.reset(); }

    void aTaskIsDoneByDraggingWhatItNames_data() {
        QTest::addColumn<QString>("file");
        for (const ui::BundledLesson& lesson : ui::bundledLessons()) {
            const data::LessonStep last = ui::openLesson(lesson.file).lesson.steps.back();
            if (last.attempt && last.attempt->value.empty() && !last.attempt->parameter.empty())
                QTest::newRow(qPrintable(lesson.name)) << lesson.file;
        }
    }
    void aTaskIsDoneByDraggingWhatItNames() {
        QFETCH(const QString, file);
        openTask(file);
        auto* slider = field().findChild<QSlider*>();
        QVERIFY(slider != nullptr && slider->isVisible());
        drag(*slider, slider->value() > slider->maximum() / 2 ? -slider->width() / 4 : slider->width() / 4);
        QVERIFY(isTried());
        QVERIFY(task().contains(QStringLiteral("Done.")));
    }

    void aTaskIsDoneByTypingOrChoosing_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("value");
        const QHash<QString, QString> others{{QStringLiteral("link.bandwidth"), QStringLiteral("300 GB/s")},
                                             {QStringLiteral("collective.cu_count"), QStringLiteral("8")},
                                             {QStringLiteral("tracker.entries"), QStringLiteral("32")},
                                             {QStringLiteral("memory.update_cost"), QStringLiteral("3")},
                                             {QStringLiteral("variation.clock_factor"), QStringLiteral("0.5")}};
        for (const ui::BundledLesson& lesson : ui::bundledLessons()) {
            const auto attempt = ui::openLesson(lesson.file).lesson.steps.back().attempt;
            if (!attempt || attempt->parameter.empty())
                continue;
            const QString wanted = QString::fromStdString(attempt->value);
            const QString value = wanted.isEmpty() ? others.value(QString::fromStdString(attempt->parameter)) : wanted;
            QVERIFY2(!value.isEmpty(), qPrintable(lesson.name));
            QTest::newRow(qPrintable(lesson.name)) << lesson.file << value;
        }
    }
    void aTaskIsDoneByTypingOrChoosing() {
        QFETCH(const QString, file);
        QFETCH(const QString, value);
        openTask(file);
        if (auto* choice = field().findChild<QComboBox*>()) {
            QVERIFY(choice->hasFocus());
            QTest::keyClicks(choice, value);  // a choice is searched by its first letters
        } else {
            auto* edit = field().findChild<QLineEdit*>();
            QVERIFY(edit->hasFocus());
            QTest::mouseDClick(edit, Qt::LeftButton);
            QTest::keyClick(edit, Qt::Key_A, Qt::ControlModifier);
            QTest::keyClicks(edit, value);
            QTest::keyClick(edit, Qt::Key_Return);
        }
        QTRY_VERIFY(isTried());
        QVERIFY(task().contains(QStringLiteral("Done.")));
    }

    void goingThroughAFieldWithoutAChangeIsNoAttempt() {
        openTask(ui::bundledLessons().front().file);
        auto* edit = field().findChild<QLineEdit*>();
        edit->setFocus();
        QTest::keyClick(edit, Qt::Key_Return);
        QTest::keyClick(edit, Qt::Key_Tab);
        QTest::mouseClick(field().findChild<QSlider*>(), Qt::LeftButton, Qt::NoModifier,
                          handleOf(*field().findChild<QSlider*>()));
        QVERIFY(!isTried());
    }
};

RINGSIDE_WINDOW_TEST(TestLessonTasks)
#include "tst_lesson_tasks.moc"
