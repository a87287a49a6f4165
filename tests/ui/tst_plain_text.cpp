#include "tests/ui/open_window.h"
#include "tests/ui/sample_evaluation.h"
#include "tests/ui/window_test.h"

#include "ui/evaluations/evaluations_feature.h"
#include "ui/evaluations/evaluations_view.h"
#include "ui/lessons/lesson_feature.h"
#include "ui/look/plain_tip.h"
#include "ui/ringside_window.h"
#include "ui/workbench/documents.h"
#include "ui/workbench/window_views.h"

#include <QAbstractItemView>
#include <QLabel>
#include <QMessageBox>
#include <QMimeData>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTextEdit>
#include <QUrl>

#include <memory>

namespace {

/// A tag that a document of a stranger may contain in any of its texts. The folder does not exist.
const QString kTag = QStringLiteral("<img src='/nowhere/planted.png'>");
const QString kPlanted = QStringLiteral("/nowhere/planted.png");

/// Returns whether Qt would load the planted picture when it shows the text by its own choice.
bool loads(const QString& text) { return Qt::mightBeRichText(text) && text.contains(kTag); }

/// Returns a description of every place below a widget that would load the planted picture.
QStringList placesThatLoad(const QWidget& top) {
    QStringList places;
    const auto add = [&](const QObject& object, const char* what) {
        places << QStringLiteral("%1 %2: %3")
                      .arg(QString::fromLatin1(object.metaObject()->className()), object.objectName(),
                           QString::fromLatin1(what));
    };
    for (const QWidget* widget : top.findChildren<QWidget*>()) {
        if (loads(widget->toolTip()))
            add(*widget, "tool tip");
        const auto* label = qobject_cast<const QLabel*>(widget);
        if (label != nullptr && label->textFormat() != Qt::PlainText && loads(label->text()))
            add(*label, "label");
        const auto* page = qobject_cast<const QTextEdit*>(widget);
        if (page != nullptr && page->toHtml().contains(QStringLiteral("src=\"") + kPlanted))
            add(*page, "page");
        const auto* view = qobject_cast<const QAbstractItemView*>(widget);
        const QAbstractItemModel* model = view != nullptr ? view->model() : nullptr;
        for (int row = 0; model != nullptr && row < model->rowCount(); ++row) {
            for (int column = 0; column < model->columnCount(); ++column) {
                if (loads(model->index(row, column).data(Qt::ToolTipRole).toString()))
                    add(*view, "tool tip of a cell");
            }
        }
    }
    return places;
}

/// Returns whether a label or an item of a view shows the text of a document.
bool isShown(const QWidget& top, const QString& text) {
    for (const QLabel* label : top.findChildren<QLabel*>()) {
        if (label->text().contains(text))
            return true;
    }
    for (const QAbstractItemView* view : top.findChildren<QAbstractItemView*>()) {
        for (int row = 0; view->model() != nullptr && row < view->model()->rowCount(); ++row) {
            if (view->model()->index(row, 0).data().toString().contains(text))
                return true;
        }
    }
    return false;
}

}  // namespace

class TestPlainText : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    std::unique_ptr<ui::RingsideWindow> m_window;

    void drop(const QString& name, const QString& text) {
        const QString path = m_folder.filePath(name);
        tests::writeText(path, text.toStdString());
        QMimeData dropped;
        dropped.setUrls({QUrl::fromLocalFile(path)});
        m_window->workbench().documents().drop(dropped);
    }
    void verifyNothingLoads() const {
        const QStringList places = placesThatLoad(*m_window);
        QVERIFY2(places.isEmpty(), qPrintable(places.join(u'\n')));
    }

private Q_SLOTS:
    void initTestCase() {
        ui::RingsideWindowConfig config = tests::interactiveConfig();
        config.session.storePath = m_folder.filePath(QStringLiteral("store.sqlite")).toStdString();
        m_window = tests::openWindow(std::move(config));
    }
    void cleanupTestCase() { m_window.reset(); }

    void aLabelIsPlainUnlessTheCodeAsksForRichText() {
        QLabel plain(kTag), rich;
        rich.setTextFormat(Qt::RichText);
        plain.ensurePolished();
        rich.ensurePolished();
        QCOMPARE(plain.textFormat(), Qt::PlainText);
        QCOMPARE(rich.textFormat(), Qt::RichText);
        QMessageBox box(QMessageBox::Warning, QStringLiteral("title"), kTag);
        box.show();
        for (QLabel* label : box.findChildren<QLabel*>()) {
            QVERIFY(label->textFormat() == Qt::PlainText || !label->text().contains(kTag));
        }
    }

    void aToolTipShowsTagsAsTheyAreWritten() {
        QVERIFY(loads(kTag));
        QVERIFY(!loads(ui::plainTip(kTag)));
        QCOMPARE(ui::plainTip(QStringLiteral("a < b, 1 > 0")), QStringLiteral("a < b, 1 > 0"));
    }

    void theTextsOfAnEvaluationAreShownAsTheyAreWritten() {
        QString text = QString::fromStdString(tests::sampleEvaluation(kTag.toStdString()));
        text.replace(QStringLiteral("Why?"), QStringLiteral("Why? ") + kTag)
            .replace(QStringLiteral("A paper"), QStringLiteral("A paper ") + kTag)
            .replace(QStringLiteral("a time by itself"), QStringLiteral("a time by itself ") + kTag);
        QSignalSpy shown(&m_window->evaluations().view(), &ui::EvaluationsView::rowsShown);
        drop(QStringLiteral("evaluation.json"), text);
        QVERIFY(!shown.isEmpty() || shown.wait(20'000));
        QVERIFY(isShown(*m_window, kTag));
        verifyNothingLoads();
    }

    void theTitleAndTheTextsOfALessonAreShownAsTheyAreWritten() {
        drop(QStringLiteral("lesson.json"),
             QStringLiteral(R"({"format":"ringside-lesson","version":1,"title":"T %1","experiment":{
            "detail":{"level":"interactive"}},"steps":[{"title":"S %1","text":"words %1"}]})")
                 .arg(kTag));
        QTRY_VERIFY(isShown(*m_window, kTag));
        verifyNothingLoads();
    }

    void theNameOfASweepIsShownAsItIsWritten() {
        drop(QStringLiteral("sweep.json"),
             QStringLiteral(R"({"format":"ringside-sweep","version":1,"label":"N %1","notes":"M %1","base":{"detail":{
            "level":"interactive"}},"axes":[{"path":"tracker.entries","values":[64,128]}],"policies":["t3"]})")
                 .arg(kTag));
        tests::settleLayouts();
        verifyNothingLoads();
    }
};

RINGSIDE_WINDOW_TEST(TestPlainText)
#include "tst_plain_text.moc"
