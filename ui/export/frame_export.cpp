#include "ui/export/frame_export.h"

#include "data/document/whole_file.h"
#include "data/experiment/experiment_document.h"
#include "data/experiment/scene_document.h"
#include "engine/api/runner.h"
#include "ui/look/format.h"
#include "ui/look/palette.h"
#include "ui/shared/run_controller.h"
#include "ui/shared/view_state.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QImageWriter>
#include <QJsonArray>
#include <QJsonDocument>
#include <QPixmap>
#include <QRegularExpression>
#include <QThread>
#include <QTimer>
#include <QWidget>

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

constexpr int kSettleMs = 250;  // tables and panels finish their layout only after they are shown

constexpr auto kFramesFormat = "ringside-frames";

QString tr(const char* text) { return QCoreApplication::translate("ui::FrameFolder", text); }

[[noreturn]] void refuseToWrite(const QString& text) { throw data::FileError(text.toStdString()); }

/// Returns whether the file is a frame, or an incomplete frame of a program that was killed.
bool isFrame(const QString& name) {
    static const QRegularExpression kPattern(QStringLiteral("^frame-\\d{6,}\\.png(\\.part\\d+)?$"));
    return kPattern.match(name).hasMatch();
}

bool isRecord(const QString& file) {
    QFile record(file);
    if (!QFileInfo(record).isFile() || !record.open(QIODevice::ReadOnly))
        return false;
    constexpr qint64 kLongestRecord = 64 << 20;
    return QJsonDocument::fromJson(record.read(kLongestRecord)).object().value(QStringLiteral("format")).toString() ==
           QLatin1String(kFramesFormat);
}

// Files are a quarter larger than with the best compression, and take a fifth of its time.
constexpr int kPngCompression = 20;

QByteArray formatOf(const QString& path) {
    const QByteArray suffix = QFileInfo(path).suffix().toLower().toLatin1();
    return suffix.isEmpty() ? QByteArrayLiteral("png") : suffix;
}

}  // namespace

void writePicture(const QImage& picture, const QString& path) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    QImageWriter writer(&buffer, formatOf(path));
    if (writer.format() == "png")
        writer.setCompression(kPngCompression);
    if (!writer.write(picture))
        throw data::FileError((path + QStringLiteral(": cannot be written: ") + writer.errorString()).toStdString());
    data::writeWholeFile(path.toStdString(), {bytes.constData(), static_cast<std::size_t>(bytes.size())});
}

QString problemOfPictureName(const QString& path) {
    const QList<QByteArray> formats = QImageWriter::supportedImageFormats();
    if (formats.contains(formatOf(path)))
        return {};
    return QCoreApplication::translate("ui::PictureFile", "%1: %2: not a picture format, allowed: %3")
        .arg(path, QString::fromLatin1(formatOf(path)), QString::fromLatin1(formats.join(", ")));
}

QString FrameFolder::prepare() {
    const QFileInfo folder(m_path);
    if (folder.exists() && !folder.isDir())
        return tr("%1: is a file; choose a folder for the frames").arg(m_path);
    if (!QDir().mkpath(m_path))
        refuseToWrite(tr("%1: this folder cannot be created").arg(m_path));
    QDir inside(m_path);
    const QStringList names = inside.entryList(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot);
    QStringList others;
    for (const QString& name : names) {
        if (!isFrame(name) && name != QLatin1String("frames.json"))
            others << name;
    }
    if (!others.isEmpty())
        return tr("%1: contains other files (%2); choose an empty folder or a folder of frames that Ringside wrote")
            .arg(m_path, others.size() > 3 ? others.mid(0, 3).join(QStringLiteral(", ")) + QStringLiteral(", …")
                                           : others.join(QStringLiteral(", ")));
    if (!names.isEmpty() && !isRecord(record()))
        return tr("%1: contains frames but no frames.json by Ringside; choose an empty folder").arg(m_path);
    for (const QString& name : names) {
        if (isFrame(name) && !inside.remove(name))
            refuseToWrite(tr("%1: the old frame %2 cannot be deleted").arg(m_path, name));
    }
    return {};
}

QString FrameFolder::frame(int number) const {
    return m_path + QStringLiteral("/frame-%1.png").arg(number, 6, 10, QLatin1Char('0'));
}

QString FrameFolder::record() const { return m_path + QStringLiteral("/frames.json"); }

bool FrameFolder::write(QJsonObject about, const std::vector<std::int64_t>& moments, int finished) const {
    QJsonArray times;
    for (const std::int64_t moment : moments)
        times << qint64{moment};
    about.insert(QStringLiteral("format"), QLatin1String(kFramesFormat));
    about.insert(QStringLiteral("version"), 1);
    about.insert(QStringLiteral("frames"), static_cast<qint64>(moments.size()));
    about.insert(QStringLiteral("finished"), finished);
    about.insert(QStringLiteral("moments_ps"), times);
    try {
        data::writeWholeFile(record().toStdString(), QJsonDocument(about).toJson().toStdString());
    } catch (const data::FileError&) { return false; }
    return true;
}

std::vector<std::int64_t> frameMoments(std::int64_t from, std::int64_t to, double perSecond, double seconds) {
    const auto count = std::max<std::int64_t>(2, std::llround(perSecond * seconds));
    std::vector<std::int64_t> moments;
    moments.reserve(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i) {
        const double share = static_cast<double>(i) / static_cast<double>(count - 1);
        moments.push_back(from + std::llround(share * static_cast<double>(to - from)));
    }
    return moments;
}

FrameExport::FrameExport(FrameStage stage, FrameRequest request, QObject* parent)
    : QObject(parent), m_stage(std::move(stage)), m_request(std::move(request)),
      m_format(filmFormatOf(m_request.target)), m_meanwhile(m_format ? std::make_unique<QTemporaryDir>() : nullptr),
      m_folder(m_meanwhile ? m_meanwhile->path() : m_request.target) {
    m_packers.setMaxThreadCount(std::max(1, QThread::idealThreadCount()));
    m_room.release(2 * m_packers.maxThreadCount());
}

FrameExport::~FrameExport() { m_packers.waitForDone(); }

QString FrameExport::start() {
    const auto& shown = m_stage.runs.shown();
    if (!shown || !shown->index)
        return tr("There is no run to play: a perfect overlap is calculated and has no events.");
    const std::int64_t end = m_stage.viewState.runEnd();
    const std::int64_t from = m_request.from ? data::timeOf(*m_request.from, end) : 0;
    const std::int64_t to = m_request.to ? data::timeOf(*m_request.to, end) : end;
    if (from >= to)
        return tr("The last frame must be later than the first one.");
    if (const QString problem = prepare(); !problem.isEmpty())
        return problem;
    m_moments = frameMoments(from, to, m_request.perSecond, m_request.seconds);
    if (!m_folder.write(about(), m_moments, 0))
        refuseToWrite(tr("%1: cannot be written").arg(m_folder.record()));
    QTimer::singleShot(kSettleMs, this, &FrameExport::take);
    return {};
}

// Creates the folder for the pictures or for the film, if necessary. Returns what is wrong with the request; throws
// FileError if the folder cannot be written to.
QString FrameExport::prepare() {
    if (const QString problem = problemOfFilm(m_request.target); !problem.isEmpty())
        return problem;
    if (!m_format)
        return m_folder.prepare();
    const QString folder = QFileInfo(m_request.target).absolutePath();
    if (!QDir().mkpath(folder))
        refuseToWrite(tr("%1: this folder cannot be created").arg(folder));
    if (!QFileInfo(folder).isWritable())
        refuseToWrite(tr("%1: you may not write to this folder").arg(folder));
    if (!m_meanwhile->isValid())
        refuseToWrite(m_meanwhile->errorString());
    return {};
}

void FrameExport::cancel() {
    m_cancelled = true;
    if (m_encoder != nullptr)
        m_encoder->cancel();
}

void FrameExport::take() {
    if (m_cancelled || m_failed != 0 || m_next == frames())
        return end();
    m_stage.viewState.setCursor(m_moments[static_cast<std::size_t>(m_next)]);
    m_stage.viewState.revealCursor();
    QCoreApplication::sendPostedEvents();
    // Tables finish their layout in the next turn of the event loop.
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
        Q_EMIT failed(tr("%1: cannot be written, perhaps because the disk is full; %2 frames were written")
                          .arg(file)
                          .arg(m_written.load()));
    } else if (m_next < frames() || (m_format && m_cancelled)) {
        Q_EMIT stopped();
    } else if (m_format) {
        film();
    } else {
        Q_EMIT finished();
    }
}

void FrameExport::film() {
    const data::LaboratoryRun& run = m_stage.runs.shown()->run;
    m_encoder = new FilmEncoder(
        {.folder = m_meanwhile->path(),
         .file = m_request.target,
         .format = *m_format,
         .frames = frames(),
         .perSecond = m_request.perSecond,
         .title = text(run.name),
         .comment = tr("Ringside, engine %1, experiment %2").arg(text(engine::engineVersion()), text(run.hash))},
        this);
    connect(m_encoder, &FilmEncoder::progressed, this, &FrameExport::filmed);
    connect(m_encoder, &FilmEncoder::finished, this, &FrameExport::finished);
    connect(m_encoder, &FilmEncoder::stopped, this, &FrameExport::stopped);
    connect(m_encoder, &FilmEncoder::failed, this, &FrameExport::failed);
    Q_EMIT filmed(0, frames());
    m_encoder->start(ffmpegProgram());
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
