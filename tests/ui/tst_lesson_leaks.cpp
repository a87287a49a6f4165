#include "tests/ui/open_window.h"
#include "tests/ui/window_test.h"

#include "tests/ui/window_parts.h"
#include "ui/drawing/figure_canvas.h"
#include "ui/lessons/lesson_library.h"
#include "ui/model/memory_page.h"

#include <QFile>
#include <QPaintDevice>
#include <QPaintEngine>
#include <QRegularExpression>
#include <QTemporaryDir>

#include <algorithm>
#include <memory>
#include <vector>

// Finds answers that the window gives away: the number of an answer that stands anywhere in the window before the
// answer is shown.

namespace {

struct SeenText {
    QPointF place;  ///< of its baseline, in the window
    QString text;
};

/// A paint device that records only texts, with their places.
class SeenTexts final : public QPaintDevice {
public:
    explicit SeenTexts(QSize size) : m_size(size) {}
    QPaintEngine* paintEngine() const override { return &m_engine; }
    const std::vector<SeenText>& texts() const { return m_engine.texts; }

protected:
    int metric(PaintDeviceMetric metric) const override {
        constexpr int kDots = 96, kMillimetres = 500;
        switch (metric) {
        case PdmWidth: return m_size.width();
        case PdmHeight: return m_size.height();
        case PdmWidthMM:
        case PdmHeightMM: return kMillimetres;
        case PdmDpiX:
        case PdmDpiY:
        case PdmPhysicalDpiX:
        case PdmPhysicalDpiY: return kDots;
        case PdmNumColors: return 1 << 24;
        case PdmDepth: return 24;
        case PdmDevicePixelRatio: return 1;
        default: return QPaintDevice::metric(metric);
        }
    }

private:
    class Engine final : public QPaintEngine {
    public:
        Engine() : QPaintEngine(AllFeatures) {}
        bool begin(QPaintDevice*) override { return true; }
        bool end() override { return true; }
        void updateState(const QPaintEngineState&) override {}
        Type type() const override { return User; }
        void drawPath(const QPainterPath&) override {}
        void drawPolygon(const QPointF*, int, PolygonDrawMode) override {}
        void drawPolygon(const QPoint*, int, PolygonDrawMode) override {}
        void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}
        void drawTextItem(const QPointF& at, const QTextItem& item) override {
            texts.push_back({painter()->deviceTransform().map(at), item.text()});
        }
        std::vector<SeenText> texts;
    };

    QSize m_size;
    mutable Engine m_engine;
};

/// Returns all texts that the window shows, line by line, without those under the cover of the headlines.
QString windowTexts(QWidget& window) {
    tests::settleLayouts();
    SeenTexts device(window.size());
    window.render(&device);
    std::vector<SeenText> texts = device.texts();
    for (const QWidget* cover : window.findChildren<QWidget*>(QStringLiteral("answerCover"))) {
        if (!cover->isVisible())
            continue;
        const QRectF covered(cover->mapTo(&window, QPoint()), cover->size());
        std::erase_if(texts, [&covered](const SeenText& text) { return covered.contains(text.place); });
    }
    std::ranges::stable_sort(
        texts, {}, [](const SeenText& text) { return std::pair(std::lround(text.place.y()), text.place.x()); });
    QStringList words;
    for (const SeenText& text : texts)
        words << text.text;
    return words.join(u' ').replace(QChar(0xa0), u' ');
}

/// Returns the first number in `shown` that is the answer, with the words around it; empty if there is none.
QString leakIn(const QString& shown, const data::Lesson& lesson, const data::LessonClaim& answer) {
    static const QRegularExpression kNumber(
        QStringLiteral("(?<![\\w.,])[0-9]+(?:\\.[0-9]+)?(?: ?(?:%|×|[munµp]s|s|[kMGT]?i?B(?:/s)?))?(?![\\w])"));
    const bool hasUnit = QString::fromStdString(answer.text).contains(u' ');
    constexpr qsizetype kAround = 30;
    for (auto at = kNumber.globalMatch(shown); at.hasNext();) {
        const QRegularExpressionMatch match = at.next();
        QString number = match.captured();
        if (hasUnit && !number.back().isLetter() && number.back() != u'%')
            continue;  // a bare number may be anything
        number.remove(u'×');
        const auto read = data::lessonNumber(number.toStdString(), lesson, answer);
        if (read && data::lessonNumberText(lesson, answer, read->value) == answer.text)
            return shown.mid(std::max<qsizetype>(0, match.capturedStart() - kAround), 2 * kAround);
    }
    return {};
}

class LeakWindow {
public:
    LeakWindow() : m_window(tests::openWindow(tests::interactiveConfig(), {1600, 1000})) {}

    ui::RingsideWindow& get() { return *m_window; }
    ui::LessonState& lesson() { return m_window->lessons().state(); }
    /// Does something that shows another step or its answer, and waits until the window shows it.
    template <class Act>
    void doAndWait(Act act) {
        const QSignalSpy started(&m_window->runs().session(), &ui::RunSession::runStarted);
        const QSignalSpy logged(&m_window->logs(), &ui::RunLogBuilder::settled);
        const QSignalSpy shown(&m_window->lessons(), &ui::LessonFeature::shown);
        act();
        QTRY_VERIFY_WITH_TIMEOUT(!shown.isEmpty(), 30'000);
        QTRY_VERIFY_WITH_TIMEOUT(logged.size() >= started.size(), 30'000);
    }
    void open(const QString& file, std::size_t step = 0) {
        doAndWait([&] { m_window->lessons().open(file, step); });
    }
    void reveal() {
        if (!lesson().asks())
            return;
        if (lesson().step().holds)
            doAndWait([this] { lesson().reveal(); });
        else
            lesson().reveal();
    }
    void goTo(std::size_t step) {
        // A step that holds still shows the step before it, which is shown again at once.
        doAndWait([&] { lesson().goTo(step); });
    }

    /// Walks through the lesson and returns the answers that stand in the window before they are shown.
    QStringList leaks() {
        const data::Lesson& lesson = this->lesson().lesson();
        QStringList shown, found;
        for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
            if (i > 0)
                goTo(i);
            shown << windowTexts(*m_window);
            const auto& question = lesson.steps[i].question;
            if (question && !question->claim.empty()) {
                for (qsizetype step = 0; step < shown.size(); ++step) {
                    const QString leak = leakIn(shown[step], lesson, *lesson.claim(question->claim));
                    if (!leak.isEmpty())
                        found << QStringLiteral("the answer of step %1 stands in text %2: %3")
                                     .arg(i + 1)
                                     .arg(step)
                                     .arg(leak);
                }
            }
            if (this->lesson().asks()) {
                reveal();
                shown << windowTexts(*m_window);
            }
        }
        return found;
    }

private:
    std::unique_ptr<ui::RingsideWindow> m_window;
};

}  // namespace

class TestLessonLeaks : public QObject {
    Q_OBJECT

    std::unique_ptr<LeakWindow> m_window;

    QString fileOf(const QTemporaryDir& folder, const QByteArray& text) {
        const QString path = folder.filePath(QStringLiteral("own.json"));
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly))
            qFatal("the lesson's file cannot be written");
        file.write(text);
        return path;
    }
    /// Returns the width of a byte in the bars of the page Memory.
    double memoryScale() {
        ui::MemoryPage& page = m_window->get().model().view().memory();
        const engine::FootprintBytes& bytes = page.facts().bars.front().stage.bytes;
        const std::size_t holder = ui::holdersOf(page.facts()).front();
        const auto held = static_cast<double>((bytes.*ui::memoryHolders()[holder].bytes).count);
        return page.bars().boxOf(0, 0, 0)->width() / held;
    }

private Q_SLOTS:
    void initTestCase() { m_window = std::make_unique<LeakWindow>(); }
    void cleanup() { m_window->lesson().close(); }
    void cleanupTestCase() { m_window.reset(); }

    void aNumberOfTheTrackerThatIsAskedForLaterIsFound() {
        const QTemporaryDir folder;
        m_window->open(fileOf(folder, R"({"format":"ringside-lesson","version":1,"title":"Leaks","experiment":{
            "workload":{"model":"t-nlg","sublayer":"fc-2"},"parallel":{"tp":8},"policy":"t3-mca"},"steps":[
            {"text":"one","scene":{"view":"tracker","moment":"24 %"}},
            {"text":"two","scene":{"view":"timeline"},"question":{"text":"How many?","answer":"peak"},"reveal":"{peak}",
             "claims":{"peak":{"metric":"tracker.peak_entries","value":"136"}}}]})"));
        const QStringList leaks = m_window->leaks();
        QCOMPARE(leaks.size(), 1);
        QVERIFY2(leaks.front().contains(QStringLiteral("peak 136")), qPrintable(leaks.front()));
    }

    void theHeadlinesThatAreCoveredAreNoLeakAndTheSameNumberInATextIsOne() {
        const QByteArray lesson = R"({"format":"ringside-lesson","version":1,"title":"Leaks","experiment":{
            "workload":{"model":"t-nlg","sublayer":"op"},"parallel":{"tp":8},"policy":"t3",
            "detail":{"level":"interactive"}},"steps":[
            {"text":"One%1.","scene":{"view":"timeline"},"question":{"text":"How long?","answer":"t"},"reveal":"{t}",
             "claims":{"t":{"metric":"time_ps.gemm","value":"%2"}}}]})";
        const QTemporaryDir folder;
        m_window->open(fileOf(folder, QByteArray(lesson).replace("%1", "").replace("%2", "1 us")));
        const double ps = static_cast<double>(m_window->get().runs().shown()->run.result.last.time.gemm.ps);
        const QByteArray gemm = QByteArray::number(ps / 1e6, 'f', 1) + " µs";
        m_window->lesson().close();
        m_window->open(fileOf(folder, QByteArray(lesson).replace("%1", "").replace("%2", gemm)));
        const QStringList covered = m_window->leaks();
        QVERIFY2(covered.isEmpty(), qPrintable(covered.join(u'\n')));
        m_window->lesson().close();
        m_window->open(fileOf(folder, QByteArray(lesson).replace("%1", " takes {t}").replace("%2", gemm)));
        QCOMPARE(m_window->leaks().size(), 1);
    }

    void noBundledLessonGivesAnAnswerAway_data() {
        QTest::addColumn<QString>("file");
        for (const ui::BundledLesson& lesson : ui::bundledLessons())
            QTest::newRow(qPrintable(lesson.name)) << lesson.file;
    }
    void noBundledLessonGivesAnAnswerAway() {
        QFETCH(QString, file);
        m_window->open(file);
        const QStringList leaks = m_window->leaks();
        QVERIFY2(leaks.isEmpty(), qPrintable(leaks.join(u'\n')));
    }

    void theStepsOfALessonThatShowTheMemoryHaveOneAxis() {
        const QString file = ui::bundledLesson(QStringLiteral("what-must-fit"))->file;
        m_window->open(file);
        const double scale = memoryScale();
        QVERIFY(scale > 0);
        for (const std::size_t step : {1, 2, 3, 4, 5}) {
            m_window->goTo(step);
            m_window->reveal();
            QVERIFY2(std::abs(memoryScale() / scale - 1) < 1e-9, qPrintable(QString::number(step + 1)));
        }
        m_window->lesson().close();
        m_window->open(file, 2);  // directly, as by a link
        m_window->reveal();
        QVERIFY(std::abs(memoryScale() / scale - 1) < 1e-9);
        m_window->get().model().view().memory().shareAxis({});
        QVERIFY(memoryScale() / scale > 10);  // a bar alone has the axis that suits it
    }
};

RINGSIDE_WINDOW_TEST(TestLessonLeaks)
#include "tst_lesson_leaks.moc"
