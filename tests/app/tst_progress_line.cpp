#include "app/ringside_cli_watch.h"

#include <QTest>

#include <sstream>

using cli::ProgressLine;
using cli::ProgressPlace;

namespace {

/// A place to print to, with a clock that advances only when the test sets it.
struct Place {
    std::ostringstream out;
    double seconds = 0;

    ProgressPlace on(bool terminal) {
        return {&out, terminal, [this] {
                    const std::chrono::duration<double> since(seconds);
                    return ProgressPlace::Clock::time_point(
                        std::chrono::duration_cast<ProgressPlace::Clock::duration>(since));
                }};
    }
};

}  // namespace

class TestProgressLine : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void shortWorkSaysNothing() {
        for (const auto& [terminal, seconds] : {std::pair{true, 0.29}, std::pair{false, 4.99}}) {
            Place place;
            {
                ProgressLine line(place.on(terminal));
                place.seconds = seconds;
                line.callback()(0.9);
            }
            QCOMPARE(place.out.str(), std::string());
        }
    }

    void aTerminalHasOneLineThatIsDrawnAgainAndWipedAtTheEnd() {
        Place place;
        {
            ProgressLine line(place.on(true));
            const auto report = line.callback();
            place.seconds = 0.31;
            report(0.01);
            place.seconds = 0.4;  // too early for the line to change
            report(0.2);
            place.seconds = 2;
            report(0.25);
        }
        QCOMPARE(place.out.str(), std::string("\r\x1b[K1 %\r\x1b[K25 %, 12.5 %/s, 6 s left\r\x1b[K"));
    }

    void aFileHasLinesThatComeEverMoreRarely() {
        Place place;
        ProgressLine line(place.on(false));
        const auto report = line.callback();
        std::vector<int> written;
        for (int second = 1; second <= 4000; ++second) {
            const std::size_t before = place.out.str().size();
            place.seconds = second;
            report(second / 8000.0);
            if (place.out.str().size() > before)
                written.push_back(second);
        }
        QCOMPARE(written, (std::vector{5, 10, 20, 40, 80, 160, 320, 640, 1240, 1840, 2440, 3040, 3640}));
        const std::string text = place.out.str();
        QVERIFY(text.find('\x1b') == std::string::npos && text.find('\r') == std::string::npos);
        QCOMPARE(std::count(text.begin(), text.end(), '\n'), std::ptrdiff_t{13});
        QVERIFY(text.find("\n4 %, 0.8 %/min, 2 h 8 min left\n") != std::string::npos);
    }

    void theTimeLeftIsNotReportedWhileItIsUnknown() {
        Place place;
        ProgressLine line(place.on(false));
        place.seconds = 6;
        line.callback()(0.01);
        QCOMPARE(place.out.str(), std::string("1 %\n"));
    }
};

QTEST_GUILESS_MAIN(TestProgressLine)
#include "tst_progress_line.moc"
