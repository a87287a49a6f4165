#include "ui/lessons/lesson_page_export.h"

#include "data/document/whole_file.h"
#include "data/page/lesson_page.h"
#include "engine/api/runner.h"
#include "ui/look/format.h"
#include "ui/look/palette.h"
#include "ui/shared/run_log_builder.h"
#include "ui/workbench/message_bar.h"
#include "ui/workbench/workbench.h"

#include <QBuffer>
#include <QFileInfo>
#include <QImage>
#include <QMainWindow>
#include <QPainter>
#include <QProgressDialog>

#include <algorithm>
#include <utility>

namespace ui {
namespace {

constexpr int kPageSteps = 1'000, kReportMs = 50;
constexpr double kPicturesShare = 0.5;  // of the progress
constexpr int kPictureWidth = 1'200;    // pixels

std::string pngOf(const LessonPicture& picture) {
    const double scale = std::min(2.0, kPictureWidth / picture.size.width());
    QImage image((picture.size * scale).toSize(), QImage::Format_RGB32);
    image.fill(paletteOf(Theme::light).surface);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.scale(scale, scale);
    picture.paint(painter);
    painter.end();
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    image.convertToFormat(QImage::Format_Indexed8, Qt::ThresholdDither).save(&buffer, "PNG");
    return buffer.data().toStdString();
}

}  // namespace

bool needsPicture(const data::LessonStep& step) { return data::pagePictureOf(step) != data::PagePicture::drawn; }

std::vector<std::string> lessonPagePictures(const data::Lesson& lesson,
                                            const std::vector<std::optional<LessonPicture>>& pictures) {
    std::vector<std::string> pngs(lesson.steps.size());
    for (std::size_t i = 0; i < pngs.size(); ++i) {
        if (needsPicture(lesson.steps[i]) && pictures[i])
            pngs[i] = pngOf(*pictures[i]);
    }
    return pngs;
}

LessonPageExport::LessonPageExport(Workbench& workbench, LessonStage stage, data::Lesson lesson, const QString& file)
    : m_workbench(workbench), m_lesson(std::move(lesson)), m_file(file),
      m_progress(new QProgressDialog(tr("Writing the web page…"), tr("Cancel"), 0, kPageSteps, &workbench.window())),
      m_tour(new HandoutTour(stage, m_lesson, &stage.window)), m_worker(kReportMs, [this](double done) {
          m_progress->setValue(static_cast<int>((kPicturesShare + (1 - kPicturesShare) * done) * kPageSteps));
      }) {
    setParent(m_progress);
    m_progress->setObjectName(QStringLiteral("lessonPageProgress"));
    m_progress->setWindowModality(Qt::NonModal);
    m_progress->setAutoClose(false);
    m_progress->setAutoReset(false);
    m_progress->setValue(0);
    connect(m_progress, &QObject::destroyed, &stage.window, &QObject::deleteLater);
    connect(m_progress, &QProgressDialog::canceled, this, &LessonPageExport::end);
    connect(m_tour, &HandoutTour::progressed, this, [this](int done, int all) {
        m_progress->setValue(static_cast<int>(kPicturesShare * kPageSteps * done / all));
    });
    connect(m_tour, &HandoutTour::failed, this, [this](const QString& text) {
        m_workbench.fail(text);
        end();
    });
    connect(m_tour, &HandoutTour::finished, this, &LessonPageExport::write);
    if (std::ranges::any_of(m_lesson.steps, &needsPicture)) {
        connect(&stage.logs, &RunLogBuilder::settled, m_tour, &HandoutTour::start, Qt::SingleShotConnection);
        stage.window.show();
    } else {
        callLater(*this, [this] { write(); });
    }
}

void LessonPageExport::write() {
    m_worker.start(
        [this, lesson = m_lesson, file = m_file,
         pictures = lessonPagePictures(m_lesson, m_tour->pictures())](const Worker::Ticket& ticket) {
            const data::LessonRuns runs = data::runLesson(
                lesson,
                {.threads = 2, .stop = ticket.stop, .progress = [ticket](double done) { ticket.setProgress(done); }});
            if (!runs.failures.empty())
                return ticket.finish([this, first = runs.failures.front()] {
                    m_workbench.fail(
                        tr("The web page was not written, because a claim of the lesson does not hold: %1.")
                            .arg(text(data::describe(first))));
                    end();
                });
            const data::Page page = data::lessonPageOf({.lesson = lesson, .runs = runs, .pictures = pictures});
            data::writeWholeFile(file.toStdString(), page.html);
            ticket.finish([this, size = page.html.size(), detail = data::wordsOf(page.detail)] {
                m_workbench.messages().showMessage(
                    MessageBar::Kind::done,
                    tr("%1 is written: %2, %3. Any browser opens it.")
                        .arg(QFileInfo(m_file).fileName(), formatBytes(static_cast<std::int64_t>(size)), text(detail)));
                end();
            });
        },
        [this](const QString& text) {
            m_workbench.fail(text);
            end();
        });
}

void LessonPageExport::end() { m_progress->deleteLater(); }

}  // namespace ui
