#include "app/ringside_figure_again.h"
#include "data/document/whole_file.h"
#include "data/figure/figure_document.h"
#include "data/figure/figure_edits.h"
#include "engine/api/runner.h"
#include "ui/figure/figure_bundle.h"
#include "ui/figure/figure_feature.h"
#include "ui/figure/figure_view.h"
#include "ui/look/application_style.h"
#include "ui/ringside_window.h"
#include "ui/workbench/commands.h"
#include "ui/workbench/pictures.h"

#include <QApplication>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <stop_token>

namespace {

QString g_program;

/// Returns what the program makes of these words.
data::FigureSpec made(const QTemporaryDir& folder, const QStringList& words) {
    const QString out = folder.filePath(QStringLiteral("first.json"));
    QProcess process;
    process.start(g_program, QStringList{QStringLiteral("figure")} + words + QStringList{QStringLiteral("--out"), out});
    process.waitForFinished(60'000);
    return ui::openFigure(out).figure.value_or(data::FigureSpec{});
}

/// Returns why a figure cannot be made again; empty if it can.
QString refusalOf(const data::FigureSpec& figure) {
    try {
        app::figureAgain(g_program, {})(figure, {});
        return {};
    } catch (const std::exception& error) { return QString::fromUtf8(error.what()); }
}

}  // namespace

class TestFigureAgain : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aFigureOfAViewHasItsNumbersAgainAndNoEdits() {
        const QTemporaryDir folder;
        const data::FigureSpec first = made(folder, {"timeline", "t-nlg/op/tp8", "--from", "0us", "--to", "100us"});
        QVERIFY(first.from.kind == data::FigureSource::Kind::view && !first.panels.empty());
        data::FigureSpec edited = first;
        QVERIFY(data::applyEdits(edited, {"theme=grey-print", "panel.1.title=Ours"}).empty());
        const data::FigureSpec again = app::figureAgain(g_program, {})(edited, {});
        QVERIFY(again.panels == first.panels && again.from == first.from);
        QVERIFY(again.edits.empty() && again.theme == first.theme);
    }

    void aPictureIsDrawnForTheThemeOfItsAuthor() {
        const QTemporaryDir folder;
        const data::FigureSpec first = made(folder, {"machine", "t-nlg/op/tp8"});
        data::FigureSpec edited = first;
        QVERIFY(data::applyEdits(edited, {"theme=grey-print"}).empty());
        const data::FigureSpec again = app::figureAgain(g_program, {})(edited, {});
        QVERIFY(again.theme == data::FigureTheme::greyPrint && !again.panels.empty() && again.panels != first.panels);
    }

    void theWindowMakesTheFigureOfAViewAgainAndItIsTheSame() {
        ui::RingsideWindowConfig config;
        config.draft = data::openDraft("t-nlg/op/tp8").draft;
        config.theme = ui::Theme::light;
        config.figureAgain = app::figureAgain(g_program, {});
        ui::RingsideWindow window(std::move(config));
        QSignalSpy settled(&window.logs(), &ui::RunLogBuilder::settled);
        window.show();
        QVERIFY(settled.wait(30'000));
        window.workbench().pictures().showView(QStringLiteral("timeline"));
        window.figures().exportFigure();
        ui::FigureView& view = window.figures().view();
        const data::FigureSpec before = view.shown()->spec;
        QAction* make = window.workbench().commands().find(QStringLiteral("figure.make"))->action;
        QVERIFY(make->isEnabled());
        make->trigger();
        QVERIFY(view.session().isRunning());
        QTRY_VERIFY_WITH_TIMEOUT(!view.session().isRunning(), 60'000);
        QVERIFY(view.undoStack().undoText().contains(QStringLiteral("Again")));
        QVERIFY(view.shown()->spec.panels == before.panels && view.shown()->spec.edits == before.edits);
    }

    void aFigureWithoutASourceOrWithAWrongOneSaysWhy() {
        const QTemporaryDir folder;
        data::FigureSpec figure = made(folder, {"split", "t-nlg/op/tp8"});
        QVERIFY(!figure.panels.empty());
        figure.from.document.replace(figure.from.document.find('{'), 1, "{ \"nonsense\": 1, ");
        QVERIFY2(refusalOf(figure).contains(QStringLiteral("nonsense")), qPrintable(refusalOf(figure)));
        figure.from = {};
        QVERIFY2(refusalOf(figure).contains(QStringLiteral("does not say where its numbers come from")),
                 qPrintable(refusalOf(figure)));
        g_program.swap(m_none);
        QVERIFY(!refusalOf(figure).isEmpty());
        g_program.swap(m_none);
    }

    void oneThatIsStoppedEndsItsProcess() {
        const QTemporaryDir folder;
        const data::FigureSpec figure = made(folder, {"split", "t-nlg/op/tp8"});
        std::stop_source source;
        source.request_stop();
        QVERIFY_EXCEPTION_THROWN(app::figureAgain(g_program, {})(figure, source.get_token()), engine::RunStopped);
    }

private:
    QString m_none = QStringLiteral("/no/such/program");
};

int main(int count, char** values) {
    QApplication::setStyle(new ui::WindowStyle);
    QApplication application(count, values);
    ui::usePlainLocale();
    ui::loadApplicationFont(application);
    g_program = QString::fromLocal8Bit(values[count - 1]);
    TestFigureAgain test;
    return QTest::qExec(&test, count - 1, values);
}

#include "tst_figure_again.moc"
