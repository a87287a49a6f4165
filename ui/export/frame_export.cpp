#include "ui/export/frame_export.h"

#include "data/document/whole_file.h"
#include "data/experiment/experiment_document.h"
#include "data/experiment/scene_document.h"
#include "engine/api/runner.h"
#include "ui/export/frame_folder.h"
#include "ui/look/format.h"
#include "ui/look/palette.h"
#include "ui/shared/run_controller.h"
#include "ui/shared/view_state.h"

#include <QCoreApplication>
#include <QImage>
#include <QJsonDocument>
#include <QPixmap>
#include <QThread>
#include <QTimer>
#include <QWidget>

namespace ui {
namespace {

constexpr int kSettleMs = 250;  // tables and panels lay themselves out a moment after they are shown

}  // namespace

FrameExport::FrameExport(FrameStage stage, FrameRequest request, QObject* parent)
    : QObject(parent), m_stage(std::move(stage)), m_request(std::move(request)), m_folder(m_request.folder) {
    m_packers.setMaxThreadCount(std::max(1, QThread::idealThreadCount()));
    m_room.release(2 * m_packers.maxThreadCount());
}

FrameExport::~FrameExport() { m_packers.waitForDone(); }

QString FrameExport::start() {
    const auto& shown = m_stage.runs.shown();
    if (!shown || !shown->index)
        return tr("There is no run that could be played: a perfect overlap is a formula and has no moments.");
    const std::int64_t end = m_stage.viewState.runEnd();
    const std::int64_t from = m_request.from ? data::timeOf(*m_request.from, end) : 0;
    const std::int64_t to = m_request.to ? data::timeOf(*m_request.to, end) : end;
    if (from >= to)
        return tr("The frames would end before they begin.");
    if (const QString problem = m_folder.prepare(); !problem.isEmpty())
        return problem;
    m_moments = frameMoments(from, to, m_request.perSecond, m_request.seconds);
    if (!m_folder.write(about(), m_moments, 0))
        return tr("%1 cannot be written.").arg(m_folder.record());
    QTimer::singleShot(kSettleMs, this, &FrameExport::take);
    return {};
}

void FrameExport::take() {
    if (m_cancelled || m_failed != 0 || m_next == frames())
        return end();
    m_stage.viewState.setCursor(m_moments[static_cast<std::size_t>(m_next)]);
    m_stage.viewState.revealCursor();
    QCoreApplication::sendPostedEvents();
    // Tables do the rest when they come to it: in the turn after this one.
    QTimer::singleShot(0, this, &FrameExport::grab);
}

void FrameExport::grab() {
    QCoreApplication::sendPostedEvents();
    m_room.acquire();
    write(m_stage.window.grab().toImage(), ++m_next);
    Q_EMIT progressed(m_next, frames());
    QTimer::singleShot(0, this, &FrameExport::take);
}

void FrameExport::write(QImage picture, int number) {
    m_packers.start([this, picture = std::move(picture), number] {
        try {
            writePicture(picture, m_folder.frame(number));
            ++m_written;
        } catch (const data::FileError&) { m_failed = number; }
        m_room.release();
    });
}

void FrameExport::end() {
    m_packers.waitForDone();
    const bool recorded = m_folder.write(about(), m_moments, m_written);
    if (m_failed != 0 || !recorded) {
        const QString file = m_failed != 0 ? m_folder.frame(m_failed) : m_folder.record();
        Q_EMIT failed(
            tr("%1 cannot be written; is the disk full? %2 frames are there.").arg(file).arg(m_written.load()));
    } else if (m_next < frames()) {
        Q_EMIT stopped();
    } else {
        Q_EMIT finished();
    }
}

QJsonObject FrameExport::about() const {
    const data::LaboratoryRun& run = m_stage.runs.shown()->run;
    const QByteArray draft = QByteArray::fromStdString(data::writeDraft(run.draft));
    const data::Scene scene = m_stage.scene();
    const QSize size = m_stage.window.size() * m_stage.window.devicePixelRatioF();
    return {{QStringLiteral("experiment"), text(run.name)},
            {QStringLiteral("experiment_hash"), text(run.hash)},
            {QStringLiteral("engine_version"), text(engine::engineVersion())},
            {QStringLiteral("draft"), QJsonDocument::fromJson(draft).object()},
            {QStringLiteral("view"), text(scene.view)},
            {QStringLiteral("theme"),
             paletteOf(m_stage.window).theme == Theme::dark ? QStringLiteral("dark") : QStringLiteral("light")},
            {QStringLiteral("width"), size.width()},
            {QStringLiteral("height"), size.height()},
            {QStringLiteral("fps"), m_request.perSecond},
            {QStringLiteral("seconds"), m_request.seconds}};
}

}  // namespace ui
