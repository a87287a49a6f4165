// What an author changes in the Figure view: parts, texts in the preview, notes, and what becomes of the edits.
#include "tests/ui/sample_figures.h"
#include "tests/ui/window_test.h"

#include "data/figure/figure_document.h"
#include "data/figure/figure_edits.h"
#include "ui/figure/figure_options.h"
#include "ui/figure/figure_view.h"
#include "ui/figure/parts_editor.h"
#include "ui/figure/preview_hits.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QTreeWidget>
#include <QTreeWidgetItemIterator>

#include <array>

using data::FigureSpec;
using ui::FigureView;

namespace {

struct EditingBench {
    explicit EditingBench(FigureSpec figure) {
        view.resize(1280, 900);
        view.show();
        view.take({std::move(figure), {}});
        QApplication::processEvents();
    }

    const FigureSpec& shown() { return view.shown()->spec; }
    const std::vector<std::string>& edits() { return shown().edits; }
    template <class Widget>
    Widget* part(const char* name) {
        return view.findChild<Widget*>(QString::fromLatin1(name));
    }
    QTreeWidgetItem* item(const QString& name) {
        for (QTreeWidgetItemIterator item(part<QTreeWidget>("figureParts")); *item != nullptr; ++item) {
            if ((*item)->text(0) == name && (*item)->parent() != nullptr)
                return *item;
        }
        return nullptr;
    }

    void rename(const QString& name, const QString& other) {
        item(name)->setText(0, other);
        QApplication::processEvents();
    }
    void check(const QString& name, Qt::CheckState state) {
        item(name)->setCheckState(0, state);
        QApplication::processEvents();
    }

    /// Returns the place in the preview of a point of the page.
    QPoint at(const QPointF& page) {
        const ui::PreviewPlaces& places = view.preview().places();
        return (places.figure.topLeft() + page * places.scale).toPoint();
    }
    QWidget* sheet() { return part<QWidget>("figureSheet"); }

    /// Returns the middle of the text on the page.
    QPointF middleOf(const QString& text) {
        for (const ui::DisplayItem& item : view.shown()->laidOut.list.items) {
            const auto* own = std::get_if<ui::TextItem>(&item.shape);
            if (own != nullptr && own->text == text)
                return own->box().center();
        }
        return {-1, -1};
    }

    void rewrite(const QString& text, const QString& value) {
        QTest::mouseDClick(sheet(), Qt::LeftButton, {}, at(middleOf(text)));
        auto* field = part<QLineEdit>("figureText");
        QVERIFY2(field != nullptr, qPrintable(text));
        field->selectAll();
        QTest::keyClicks(field, value);
        QTest::keyClick(field, Qt::Key_Return);
        QApplication::processEvents(QEventLoop::AllEvents);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }

    FigureView view;
};

std::vector<std::string> seriesOf(const FigureSpec& figure) {
    std::vector<std::string> names;
    for (const data::FigureBar& bar : std::get<data::BarMark>(figure.panels[0].marks[0]).bars)
        names.push_back(bar.stack.front().name);
    return names;
}

}  // namespace

class TestFigureEditing : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anEntryOfTheLegendForSeveralSeriesRenamesThemAll() {
        FigureSpec figure = tests::lines();
        auto& mark = std::get<data::LineMark>(figure.panels[0].marks[0]);
        figure.panels[0].annotations.clear();
        mark.series.clear();
        const std::array policies{"T3", "T3-MCA"};
        for (int policy = 0; policy < 2; ++policy) {
            for (int level = 0; level < 2; ++level)
                mark.series.push_back(tests::seriesOf(
                    std::string(policies[policy]) + ", TP degree = " + (level == 0 ? "8" : "16"),
                    "level/" + std::to_string(level) + "/2/" + std::to_string(policy), {31, 52, 98, 190, 372, 741}));
        }
        EditingBench bench(figure);
        const auto change = [&](const QString& text, const QString& value) {
            const auto found = ui::editableAt(*bench.view.shown(), bench.middleOf(text));
            QVERIFY2(found && found->text == text.chopped(text.endsWith(':') ? 1 : 0), qPrintable(text));
            Q_EMIT bench.view.preview().textEdited(*found, value);
        };
        change("T3", "Ours");
        change("16", "sixteen");
        change("TP degree:", "GPUs");
        const auto nameOf = [&](std::size_t series) {
            return std::get<data::LineMark>(bench.shown().panels[0].marks[0]).series.at(series).name;
        };
        const std::array wanted{"Ours, GPUs = 8", "Ours, GPUs = sixteen", "T3-MCA, GPUs = 8", "T3-MCA, GPUs = sixteen"};
        for (std::size_t i = 0; i < wanted.size(); ++i)
            QCOMPARE(nameOf(i), std::string(wanted[i]));
        // Each change is one step.
        bench.view.undoStack().undo();
        QCOMPARE(nameOf(3), std::string("T3-MCA, TP degree = sixteen"));
    }

    void aPartIsRenamedHiddenShownAgainAndMoved() {
        EditingBench bench(tests::speedups(1));
        bench.rename(QStringLiteral("T3-MCA"), QStringLiteral("Ours"));
        QVERIFY(bench.edits() == std::vector<std::string>{"series.T3-MCA.name=Ours"});
        bench.check(QStringLiteral("T3"), Qt::Unchecked);
        QVERIFY(seriesOf(bench.shown()) == (std::vector<std::string>{"Ours", "Ideal overlap", "Ideal overlap, NMC"}));
        bench.part<QTreeWidget>("figureParts")->setCurrentItem(bench.item(QStringLiteral("Ideal overlap")));
        QTest::mouseClick(bench.part<QPushButton>("figurePartUp"), Qt::LeftButton);
        QCOMPARE(seriesOf(bench.shown()).front(), std::string("Ideal overlap"));
        bench.check(QStringLiteral("T3"), Qt::Checked);
        QCOMPARE(seriesOf(bench.shown()).size(), std::size_t{4});
        QCOMPARE(bench.edits().size(), std::size_t{2});
        for (int step = 0; step < 4; ++step)
            bench.view.undoStack().undo();
        QVERIFY(bench.edits().empty());
        QVERIFY(seriesOf(bench.shown()) == seriesOf(tests::speedups(1)));
    }

    void whatCannotBeHiddenStaysAndSaysWhy() {
        FigureSpec figure = tests::lines();
        std::get<data::LineMark>(figure.panels[0].marks[0]).series.resize(1);
        EditingBench bench(figure);
        bench.check(QStringLiteral("Measured (AccelSim)"), Qt::Unchecked);
        QVERIFY(bench.view.findChild<ui::FigureOptions*>()->problem().contains(QStringLiteral("nothing else")));
        QCOMPARE(bench.item(QStringLiteral("Measured (AccelSim)"))->checkState(0), Qt::Checked);
        QVERIFY(bench.edits().empty());
    }

    void aLookIsChosenFromWordsThatPrintAsWell() {
        EditingBench bench(tests::lines());
        bench.part<QTreeWidget>("figureParts")->setCurrentItem(bench.item(QStringLiteral("Ringside")));
        auto* marker = bench.part<QComboBox>("figurePartMarker");
        marker->setCurrentIndex(marker->findText(QStringLiteral("Square")));
        Q_EMIT marker->activated(marker->currentIndex());
        QVERIFY(bench.edits() == std::vector<std::string>{"series.Ringside.marker=square"});
        QCOMPARE(std::get<data::LineMark>(bench.shown().panels[0].marks[0]).series[1].meaning,
                 std::string("series/1;marker=square"));
        QCOMPARE(bench.part<QComboBox>("figurePartMarker")->currentText(), QStringLiteral("Square"));
    }

    void aDoubleClickOnATextChangesIt() {
        EditingBench bench(tests::speedups(1));
        bench.rewrite(QStringLiteral("T3-MCA"), QStringLiteral("Ours"));
        bench.rewrite(QStringLiteral("FC-2"), QStringLiteral("Second"));
        bench.rewrite(QStringLiteral("Geomean"), QStringLiteral("Mean"));
        bench.rewrite(QStringLiteral("0.5"), QStringLiteral("0, 1"));
        QVERIFY(bench.edits() == (std::vector<std::string>{"series.T3-MCA.name=Ours", "category.FC-2.name=Second",
                                                           "group.Geomean.name=Mean", "panel.1.y.ticks=0, 1"}));
        QCOMPARE(bench.view.undoStack().count(), 5);  // one of them added the figure
    }

    void escapeLeavesATextAsItWas() {
        EditingBench bench(tests::speedups(1));
        QTest::mouseDClick(bench.sheet(), Qt::LeftButton, {}, bench.at(bench.middleOf(QStringLiteral("T3-MCA"))));
        auto* field = bench.part<QLineEdit>("figureText");
        QVERIFY(field != nullptr);
        QTest::keyClicks(field, QStringLiteral("Ours"));
        QTest::keyClick(field, Qt::Key_Escape);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QVERIFY(bench.part<QLineEdit>("figureText") == nullptr);
        QVERIFY(bench.edits().empty());
    }

    void anArrowIsPlacedWithTheMouseAndItsWordIsMoved() {
        EditingBench bench(tests::lines());
        const QRectF plot = bench.view.shown()->laidOut.panels[0].plot;
        QTest::mouseClick(bench.part<QPushButton>("figureNote2"), Qt::LeftButton);
        QVERIFY(bench.view.preview().isPlacing());
        const QPointF from(plot.left() + plot.width() * 0.3, plot.top() + plot.height() * 0.25), to = plot.center();
        QTest::mousePress(bench.sheet(), Qt::LeftButton, {}, bench.at(from));
        QTest::mouseMove(bench.sheet(), bench.at(to));
        QTest::mouseRelease(bench.sheet(), Qt::LeftButton, {}, bench.at(to));
        QVERIFY(!bench.view.preview().isPlacing());
        auto* field = bench.part<QLineEdit>("figureText");
        QVERIFY(field != nullptr);
        QTest::keyClicks(field, QStringLiteral("best"));
        QTest::keyClick(field, Qt::Key_Return);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        const data::FigureAnnotation note = bench.shown().panels[0].annotations.back();
        QCOMPARE(note.text, std::string("best"));
        QVERIFY(note.kind == data::FigureAnnotation::Kind::arrow);
        // Within a pixel of where the mouse was.
        const auto wanted = ui::panelPointAt(*bench.view.shown(), to);
        QVERIFY(std::abs(*note.toX / wanted->x - 1) < 0.05 && std::abs(*note.toY / wanted->y - 1) < 0.05);

        const QPointF word = bench.middleOf(QStringLiteral("best"));
        QTest::mousePress(bench.sheet(), Qt::LeftButton, {}, bench.at(word));
        QTest::mouseMove(bench.sheet(), bench.at(word + QPointF(0, -6)));
        QTest::mouseRelease(bench.sheet(), Qt::LeftButton, {}, bench.at(word + QPointF(0, -6)));
        const data::FigureAnnotation moved = bench.shown().panels[0].annotations.back();
        QVERIFY(moved.y > note.y && moved.toX == note.toX && moved.toY == note.toY);
        FigureSpec again = tests::lines();
        QVERIFY(data::applyEdits(again, bench.edits()).empty());
        QVERIFY(again.panels == bench.shown().panels);
    }

    void escapeEndsPlacing() {
        EditingBench bench(tests::lines());
        QTest::mouseClick(bench.part<QPushButton>("figureNote0"), Qt::LeftButton);
        QTest::keyClick(&bench.view.preview(), Qt::Key_Escape);
        QVERIFY(!bench.view.preview().isPlacing());
        QVERIFY(bench.edits().empty());
    }

    void fieldsOfTheFormAreEditsToo() {
        EditingBench bench(tests::speedups(1));
        bench.part<QLineEdit>("figureYTo")->setText(QStringLiteral("2"));
        Q_EMIT bench.part<QLineEdit>("figureYTo")->textEdited(QStringLiteral("2"));
        bench.part<QLineEdit>("figureBreakFrom")->setText(QStringLiteral("0.2"));
        bench.part<QLineEdit>("figureBreakTo")->setText(QStringLiteral("0.9"));
        Q_EMIT bench.part<QLineEdit>("figureBreakTo")->editingFinished();
        bench.part<QCheckBox>("figureValues")->setChecked(true);
        QVERIFY(bench.edits() ==
                (std::vector<std::string>{"panel.1.y.to=2", "panel.1.y.break=0.2,0.9", "panel.1.values=true"}));
    }

    void whatPanelsShareIsChosenInTwoBoxes() {
        EditingBench bench(tests::areas());
        bench.part<QCheckBox>("figureOneRange")->setChecked(true);
        QVERIFY(bench.edits() == std::vector<std::string>{"shared=true"});
        bench.part<QCheckBox>("figureShared")->setChecked(false);
        QVERIFY(bench.edits() == std::vector<std::string>{"shared=ranges"});
        QVERIFY(bench.view.shown()->laidOut.panels[0].y.to == bench.view.shown()->laidOut.panels[1].y.to);
        bench.view.undoStack().undo();
        bench.view.undoStack().undo();
        QVERIFY(!bench.part<QCheckBox>("figureOneRange")->isChecked());
        EditingBench alone(tests::lines());
        QVERIFY(!alone.part<QCheckBox>("figureOneRange")->isEnabled());
    }

    void aBreakOverAValueIsRefusedInWords() {
        EditingBench bench(tests::speedups(1));
        bench.part<QLineEdit>("figureBreakFrom")->setText(QStringLiteral("0.9"));
        bench.part<QLineEdit>("figureBreakTo")->setText(QStringLiteral("1.4"));
        Q_EMIT bench.part<QLineEdit>("figureBreakTo")->editingFinished();
        QVERIFY(bench.view.findChild<ui::FigureOptions*>()->problem().contains(QStringLiteral("leaves out")));
        QVERIFY(!bench.shown().panels[0].y.breakFrom);
    }

    void aHighTimelineBeginsWithWhatFitsAndTheRestIsInTheList() {
        FigureSpec figure = tests::timeline();
        auto& timeline = std::get<data::TimelineMark>(figure.panels[0].marks[0]);
        timeline.lanes.clear();
        timeline.spans.clear();
        for (std::size_t lane = 0; lane < 24; ++lane) {
            timeline.lanes.push_back({"CU", "GPU " + std::to_string(lane / 4)});
            timeline.spans.push_back({lane, 0, 10, "gemm", ""});
        }
        for (int area = 0; area < 5; ++area) {
            figure.panels.push_back(tests::areas().panels.front());
            figure.panels.back().title.clear();
            figure.panels.back().y.title = "area " + std::to_string(area);
        }
        figure.height = 900;
        EditingBench bench(figure);
        QVERIFY(bench.view.shown()->laidOut.list.page.height() <= 300);
        QCOMPARE(bench.item(QStringLiteral("GPU 5"))->checkState(0), Qt::Unchecked);
        const std::size_t panels = bench.shown().panels.size();
        QVERIFY(panels < 6);
        // The first of the hidden panels comes back in its place, and the others stay hidden.
        bench.check(QStringLiteral("Panel %1").arg(panels + 1), Qt::Checked);
        QCOMPARE(bench.shown().panels.size(), panels + 1);
        QCOMPARE(bench.shown().panels.back().y.title, figure.panels[panels].y.title);
    }

    void aPanelComesBackAlthoughALaterOneWasCountedWithoutIt() {
        FigureSpec figure = tests::areas();
        figure.panels.resize(1);
        figure.panels.resize(3, figure.panels.front());
        const std::array names{"a", "b", "c"};
        for (std::size_t i = 0; i < names.size(); ++i)
            figure.panels[i].title = names[i];
        EditingBench bench(figure);
        bench.check(QStringLiteral("a"), Qt::Unchecked);
        bench.check(QStringLiteral("b"), Qt::Unchecked);
        QVERIFY(bench.edits() == (std::vector<std::string>{"panel.1.hidden=true", "panel.1.hidden=true"}));
        bench.check(QStringLiteral("Panel 1"), Qt::Checked);
        QCOMPARE(bench.shown().panels.size(), std::size_t{2});
        QCOMPARE(bench.shown().panels[0].title, std::string("a"));
        QCOMPARE(bench.shown().panels[1].title, std::string("c"));
        QVERIFY(bench.edits() == std::vector<std::string>{"panel.2.hidden=true"});
    }

    void madeAgainAFigureKeepsItsEdits() {
        ui::FigureCollection collection;
        const QString name = collection.figures().front().galleryName;
        QVERIFY(collection.setMade(name, tests::speedups(1)).empty());
        const int id = collection.ofGallery(name)->id;
        FigureSpec edited = *collection.find(id)->spec;
        QVERIFY(data::applyEdits(edited, {"series.T3-MCA.name=Ours", "category.IP.hidden=true"}).empty());
        collection.edit(id, edited, QStringLiteral("edit"));
        FigureSpec other = tests::speedups(2);
        QVERIFY(collection.setMade(name, other).empty());
        QCOMPARE(seriesOf(*collection.find(id)->spec)[1], std::string("Ours"));
        QCOMPARE(collection.find(id)->spec->panels[0].categories.labels.size(), std::size_t{7});
        // A part that is no longer there is named, and the other edits hold.
        std::erase_if(std::get<data::BarMark>(other.panels[0].marks[0]).bars,
                      [](const data::FigureBar& bar) { return bar.stack.front().name == "T3-MCA"; });
        other.panels[0].references.clear();
        const engine::Problems stale = collection.setMade(name, other);
        QCOMPARE(stale.size(), std::size_t{1});
        QCOMPARE(collection.find(id)->spec->edits.size(), std::size_t{1});
    }
};

RINGSIDE_WINDOW_TEST(TestFigureEditing)
#include "tst_figure_editing.moc"
