#include "tests/ui/sample_figures.h"
#include "tests/ui/window_test.h"

#include "data/figure/figure_gallery.h"
#include "data/figure/figure_size.h"
#include "ui/drawing/figure_layout.h"
#include "ui/drawing/figure_style.h"
#include "ui/figure/figure_bundle.h"
#include "ui/figure/figure_writers.h"

using namespace ui;

// The marks of reference values at single bars: they must not hide what they are compared with.

namespace {

/// Returns bars of which some are higher than the reference value at them, some lower and some equal to it, and one is
/// too low to be seen under a mark.
data::FigureSpec comparedBars() {
    data::FigureSpec figure = tests::speedups(1);
    data::FigurePanel& panel = figure.panels.front();
    panel.references.clear();
    panel.categories = {{"higher", "lower", "equal", "low"}, {}};
    const double shares[]{1.02, 0.98, 1, 0.01};
    auto& bars = std::get<data::BarMark>(panel.marks.front()).bars;
    for (std::size_t bar = 0; bar < bars.size(); ++bar) {
        data::FigureValues& values = bars[bar].stack.front().values;
        values.clear();
        for (std::size_t category = 0; category < std::size(shares); ++category) {
            const double published = category == 3 ? 0.012 : 1.2 + 0.1 * static_cast<double>(bar);
            values.emplace_back(category == 3 ? 0.012 : published * shares[category]);
            panel.references.push_back({published, "Published", "published", category, bar});
        }
    }
    return figure;
}

/// Returns the bundled figure whose smallest bar is a hundredth of the highest and equals its published value.
const data::FigureSpec& modelStates() {
    static const data::FigureSpec kFigure = data::Gallery({}).make("zero-states");
    return kFigure;
}

/// The place of an item in the display list, with its box.
struct Placed {
    std::size_t index = 0;
    QRectF box;
    QColor colour;
};

std::vector<Placed> barsOf(const DisplayList& list) {
    std::vector<Placed> bars;
    for (std::size_t i = 0; i < list.items.size(); ++i) {
        const auto* rect = std::get_if<RectItem>(&list.items[i].shape);
        if (rect != nullptr && list.items[i].part == FigurePart::mark)
            bars.push_back({i, rect->box, rect->fill->colour});
    }
    return bars;
}

/// Returns the lines of reference values, as wide as they are drawn.
std::vector<Placed> linesOf(const DisplayList& list) {
    std::vector<Placed> lines;
    for (std::size_t i = 0; i < list.items.size(); ++i) {
        const auto* line = std::get_if<PolylineItem>(&list.items[i].shape);
        if (line == nullptr || list.items[i].part != FigurePart::reference)
            continue;
        const double half = line->pen.width / 2;
        const QRectF box = line->points.boundingRect();
        lines.push_back({i,
                         box.width() > box.height() ? box.adjusted(0, -half, 0, half) : box.adjusted(-half, 0, half, 0),
                         line->pen.colour});
    }
    return lines;
}

}  // namespace

class TestFigureMarks : public QObject {
    Q_OBJECT

    static void everyLook(const std::function<void(const ReadyFigure&)>& see) {
        for (data::FigureSpec figure : {comparedBars(), modelStates()}) {
            for (const data::FigureSizePreset& size : data::figureSizes()) {
                for (const auto theme :
                     {data::FigureTheme::paper, data::FigureTheme::greyPrint, data::FigureTheme::darkSlide}) {
                    figure.size = size.size;
                    figure.theme = theme;
                    see(ready(figure));
                }
            }
        }
    }

private Q_SLOTS:
    void noLineOfAReferenceCoversABar() {
        everyLook([](const ReadyFigure& figure) {
            const auto bars = barsOf(figure.laidOut.list), lines = linesOf(figure.laidOut.list);
            QVERIFY(lines.size() >= figure.spec.panels.front().references.size());
            for (const Placed& line : lines) {
                // A rim in the colour of the page would cut the bar off below its end.
                QVERIFY(line.colour != styleOf(figure.spec.theme).background);
                for (const Placed& bar : bars)
                    QVERIFY(line.index < bar.index || !line.box.intersects(bar.box));
            }
        });
    }

    void aMarkIsVisibleOnBothSidesOfItsBar() {
        everyLook([](const ReadyFigure& figure) {
            const auto bars = barsOf(figure.laidOut.list);
            std::size_t marks = 0;
            for (const Placed& line : linesOf(figure.laidOut.list)) {
                if (line.box.height() > line.box.width())
                    continue;  // leads to a text
                const auto own = std::find_if(bars.begin(), bars.end(), [&](const Placed& bar) {
                    return bar.box.left() > line.box.left() && bar.box.right() < line.box.right();
                });
                QVERIFY(own != bars.end());
                const QRectF left(line.box.left(), line.box.top(), own->box.left() - line.box.left(),
                                  line.box.height());
                const QRectF right(own->box.right(), line.box.top(), line.box.right() - own->box.right(),
                                   line.box.height());
                for (const QRectF& end : {left, right}) {
                    QVERIFY(end.width() > 0.8);
                    for (const Placed& bar : bars)
                        QVERIFY(!end.intersects(bar.box));
                }
                ++marks;
            }
            QCOMPARE(marks, figure.spec.panels.front().references.size());
        });
    }

    void aLowBarAtItsReferenceIsSeen() {
        everyLook([](const ReadyFigure& figure) {
            constexpr double kDpi = 300;
            const QImage image = imageOf(figure, kDpi);
            const auto isOf = [](const QColor& pixel, const QColor& colour) {
                return std::abs(pixel.red() - colour.red()) + std::abs(pixel.green() - colour.green()) +
                           std::abs(pixel.blue() - colour.blue()) <
                       60;
            };
            for (const Placed& bar : barsOf(figure.laidOut.list)) {
                const double x = bar.box.center().x() * kDpi / 72;
                int seen = 0;
                for (double y = bar.box.top(); y < bar.box.bottom(); y += 72 / kDpi)
                    for (int dx = -8; dx <= 8; ++dx)
                        seen += isOf(image.pixelColor(static_cast<int>(x) + dx, static_cast<int>(y * kDpi / 72)),
                                     bar.colour)
                                    ? 1
                                    : 0;
                QVERIFY2(seen > 0 || bar.box.height() < 0.8, qPrintable(QString::number(bar.box.height())));
            }
        });
    }

    void publishedStandsInTheLegendOfEachFigureWithMarks() {
        const auto textsIn = [](const data::FigureSpec& spec, FigurePart part) {
            QStringList texts;
            for (const DisplayItem& item : layOut(spec).list.items) {
                const auto* text = std::get_if<TextItem>(&item.shape);
                if (text != nullptr && item.part == part)
                    texts << text->text;
            }
            return texts;
        };
        data::FigureSpec figure = tests::speedups(1);
        auto& references = figure.panels.front().references;
        const QString word = QStringLiteral("Published");
        references = {{1.3, "Published: 1.30", "published", 0, 0}};  // a single mark
        QVERIFY(textsIn(figure, FigurePart::legend).contains(word));
        QCOMPARE(textsIn(figure, FigurePart::reference), QStringList{QStringLiteral("1.30")});
        references.push_back({1.25, "Target: 1.25", {}, 1, 0});  // a mark of the author beside it
        QVERIFY(textsIn(figure, FigurePart::legend).contains(word));
        QVERIFY(textsIn(figure, FigurePart::reference).contains(QStringLiteral("Target: 1.25")));
        references = {{1.2, "T3: 1.20", "second-hand", {}, {}}};  // a line across
        QVERIFY(textsIn(figure, FigurePart::legend).contains(word));
        QCOMPARE(textsIn(figure, FigurePart::reference), QStringList{QStringLiteral("T3: 1.20")});
        references = {{1.3, "Target: 1.30", {}, 0, 0}};  // nothing published
        QVERIFY(!textsIn(figure, FigurePart::legend).contains(word));
        references = {{1.3, "Published: 1.30", "published", 0, 0}};
        figure.legend = data::FigureLegend::none;  // then the mark says it
        QCOMPARE(textsIn(figure, FigurePart::reference), QStringList{QStringLiteral("Published: 1.30")});
        QVERIFY(textsIn(modelStates(), FigurePart::legend).contains(word));
    }

    void timelinesOfOneRangeWriteItsNumbersOnce() {
        const auto numbersIn = [](std::optional<double> to, double other) {
            data::FigureSpec figure;
            figure.alternative = "Two timelines.";
            for (const double end : {to.value_or(30), other}) {
                data::FigurePanel& panel = figure.panels.emplace_back();
                panel.x.title = "Time";
                panel.x.unit = "s";
                if (to) {
                    panel.x.from = 0;
                    panel.x.to = end;
                }
                panel.marks = {data::TimelineMark{{{"Stage 0", ""}}, {{0, 0, 10, "gemm", ""}, {0, 20, 30, "dma", ""}}}};
            }
            int zeros = 0;
            for (const DisplayItem& item : layOut(figure).list.items) {
                const auto* text = std::get_if<TextItem>(&item.shape);
                zeros += text != nullptr && item.part == FigurePart::axis && text->text == QStringLiteral("0") ? 1 : 0;
            }
            return zeros;
        };
        QCOMPARE(numbersIn(30, 30), 1);
        QCOMPARE(numbersIn(30, 40), 2);            // other numbers
        QCOMPARE(numbersIn(std::nullopt, 30), 2);  // ranges that follow the data may differ
    }

    // Numbers crowd over the bars, and points between them are named with leaders.
    void noLeaderCrossesANumber() {
        int leaders = 0;
        for (const data::FigureSizePreset& size : data::figureSizes()) {
            data::FigureSpec figure = comparedBars();
            figure.size = size.size;
            data::FigurePanel& panel = figure.panels.front();
            std::get<data::BarMark>(panel.marks.front()).valuesWritten = true;
            for (data::FigureReference& reference : panel.references)
                reference.text = "Published: 1.30";
            for (int i = 0; i < 4; ++i)
                panel.annotations.push_back({static_cast<double>(i), 1.2, "note " + std::to_string(i)});
            const LaidOutFigure laidOut = layOut(figure);
            for (const DisplayItem& item : laidOut.list.items) {
                const auto* line = std::get_if<PolylineItem>(&item.shape);
                const bool upright = line != nullptr && line->points.size() == 2 &&
                                     std::abs(line->points[0].y() - line->points[1].y()) > 1;
                if (!upright || (item.part != FigurePart::reference && item.part != FigurePart::annotation))
                    continue;
                ++leaders;
                for (const DisplayItem& other : laidOut.list.items) {
                    const auto* text = std::get_if<TextItem>(&other.shape);
                    if (text == nullptr || other.part == FigurePart::axis || other.part == FigurePart::legend)
                        continue;
                    for (int step = 1; step < 40; ++step)
                        QVERIFY2(!text->box()
                                      .adjusted(0.3, 0.3, -0.3, -0.3)
                                      .contains(QLineF(line->points[0], line->points[1]).pointAt(step / 40.0)),
                                 qPrintable(text->text));
                }
            }
        }
        QVERIFY(leaders > 0);
    }

    void scriptsDrawTheMarksBeforeTheBars() {
        const ReadyFigure figure = ready(comparedBars());
        const QString tikz = QString::fromUtf8(tikzOf(figure)), python = QString::fromUtf8(pythonOf(figure));
        const auto countBefore = [](const QString& text, const QString& what, const QString& first) {
            return text.left(text.indexOf(first)).count(what);
        };
        const auto marks = static_cast<qsizetype>(figure.spec.panels.front().references.size());
        QCOMPARE(
            countBefore(tikz, QStringLiteral("\n\\addplot[mark=none,draw=reference"), QStringLiteral("\\addplot[ybar")),
            marks);
        static const QRegularExpression kMark("\naxes\\.hlines\\(.*, zorder=0.9, ");
        QCOMPARE(python.count(kMark), marks);  // behind bars, which begin at 1
    }

    void barsWithoutMarksAreAsCloseAsBefore() {
        data::FigureSpec figure = comparedBars();
        const auto gapOf = [](const data::FigureSpec& spec) {
            const auto bars = barsOf(layOut(spec).list);
            return (bars[1].box.left() - bars[0].box.right()) / bars[0].box.width();
        };
        QVERIFY(gapOf(figure) > 0.2);
        figure.panels.front().references = {{1.2, "Published", "published", {}, {}}};  // a line across
        QVERIFY(gapOf(figure) < 0.07);
    }
};

RINGSIDE_WINDOW_TEST(TestFigureMarks)
#include "tst_figure_marks.moc"
