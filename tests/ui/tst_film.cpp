#include "data/document/whole_file.h"
#include "tests/ui/window_test.h"

#include "ui/export/export_dialogs.h"
#include "ui/export/film.h"
#include "ui/export/frame_export.h"

#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QImage>
#include <QImageReader>
#include <QLabel>
#include <QProcess>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QTemporaryDir>

#include <sys/stat.h>

using ui::FilmEncoder;
using ui::FilmFormat;
using ui::FilmPlan;

namespace {

/// Sets PATH for the lifetime of this object.
class PathOnly {
public:
    explicit PathOnly(const QString& folder) : m_before(qgetenv("PATH")) { qputenv("PATH", QFile::encodeName(folder)); }
    ~PathOnly() { qputenv("PATH", m_before); }
    PathOnly(const PathOnly&) = delete;
    PathOnly& operator=(const PathOnly&) = delete;

private:
    QByteArray m_before;
};

/// The exit of an encoder and its messages.
struct FilmEnd {
    explicit FilmEnd(FilmEncoder& encoder)
        : finished(&encoder, &FilmEncoder::finished), stopped(&encoder, &FilmEncoder::stopped),
          failed(&encoder, &FilmEncoder::failed), progressed(&encoder, &FilmEncoder::progressed) {}
    bool any() const { return finished.size() + stopped.size() + failed.size() > 0; }
    QString why() const { return failed.isEmpty() ? QString() : failed.front().front().toString(); }

    QSignalSpy finished, stopped, failed, progressed;
};

}  // namespace

class TestFilm : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QString at(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }

    /// Writes a shell script with the name ffmpeg that runs `lines`. Returns its path.
    QString fake(const char* folder, const QByteArray& lines) const {
        QDir().mkpath(at(folder));
        QFile script(at(folder) + QStringLiteral("/ffmpeg"));
        if (script.open(QIODevice::WriteOnly))
            script.write("#!/bin/sh\nfor last; do :; done\n" + lines);
        script.close();
        script.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        return script.fileName();
    }
    FilmPlan plan(FilmFormat format, const char* file) const {
        return {.folder = m_folder.path(), .file = at(file), .format = format, .frames = 5, .perSecond = 10};
    }
    QStringList parts() const { return QDir(m_folder.path()).entryList({QStringLiteral("*.part*")}); }
    void makeFrames(int count, QSize size) const {
        for (int i = 1; i <= count; ++i) {
            QImage picture(size, QImage::Format_RGB32);
            picture.fill(QColor::fromHsv(i * 40, 200, 200));
            ui::writePicture(picture, ui::FrameFolder(m_folder.path()).frame(i));
        }
    }

private Q_SLOTS:
    void theSuffixSaysWhetherItIsAFilm() {
        QCOMPARE(ui::filmFormatOf(QStringLiteral("a/run.mp4")), std::optional(FilmFormat::mp4));
        QCOMPARE(ui::filmFormatOf(QStringLiteral("RUN.GIF")), std::optional(FilmFormat::gif));
        QVERIFY(!ui::filmFormatOf(QStringLiteral("slides")));
        QVERIFY(!ui::filmFormatOf(QStringLiteral("slides.v2")));
        QCOMPARE(ui::problemOfFilm(at("slides.v2")), QString());
        QVERIFY(ui::problemOfFilm(at("run.avi")).contains(QStringLiteral(".mp4 or .gif")));
        QDir().mkpath(at("folder.mp4"));
        QVERIFY(ui::problemOfFilm(at("folder.mp4")).contains(QStringLiteral("a folder")));
    }

    void anMp4IsOneCallWithEvenPixelsAndAGifTwo() {
        const auto mp4 = ui::ffmpegCalls(plan(FilmFormat::mp4, "a.mp4"), at("a.mp4.part"));
        QCOMPARE(mp4.size(), std::size_t{1});
        QVERIFY(mp4[0].join(u' ').contains(QStringLiteral("crop=trunc(iw/2)*2:trunc(ih/2)*2")));
        QVERIFY(mp4[0].contains(QStringLiteral("libx264")));
        QVERIFY(mp4[0].join(u' ').contains(QStringLiteral("-framerate 10 ")));
        QVERIFY(mp4[0].join(u' ').contains(QStringLiteral("-frames:v 5")));
        QCOMPARE(mp4[0].last(), QStringLiteral("file:") + at("a.mp4.part"));
        const auto gif = ui::ffmpegCalls(plan(FilmFormat::gif, "a.gif"), at("a.gif.part"));
        QCOMPARE(gif.size(), std::size_t{2});
        QVERIFY(gif[0].join(u' ').contains(QStringLiteral("palettegen")));
        QVERIFY(gif[1].join(u' ').contains(QStringLiteral("paletteuse")));
        QVERIFY(gif[1].contains(gif[0].last()));  // reads the output of the first call
        QCOMPARE(gif[1].last(), QStringLiteral("file:") + at("a.gif.part"));
        FilmPlan named = plan(FilmFormat::mp4, "a.mp4");
        named.title = QStringLiteral("T-NLG FC-2");
        QVERIFY(ui::ffmpegCalls(named, at("x"))[0].contains(QStringLiteral("title=T-NLG FC-2")));
    }

    void aFilmAppearsWhenItIsComplete() {
        const QString program = fake("good", "echo frame=3\necho frame=5\necho film > \"${last#file:}\"\n");
        FilmEncoder encoder(plan(FilmFormat::mp4, "good.mp4"));
        const FilmEnd end(encoder);
        encoder.start(program);
        QTRY_VERIFY(end.any());
        QCOMPARE(end.finished.size(), 1);
        QCOMPARE(end.progressed.last().front().toInt(), 5);
        QVERIFY(QFileInfo::exists(at("good.mp4")));
        QVERIFY(parts().isEmpty());
    }

    void aLinkBesideTheFilmIsNotFollowed() {
        const QString program = fake("planted", "echo film > \"${last#file:}\"\n");
        const QString precious = at("precious.txt");
        data::writeWholeFile(precious.toStdString(), "precious");
        // The name of incomplete films in the first version.
        const QString part = at("planted.mp4") + QStringLiteral(".part%1").arg(QCoreApplication::applicationPid());
        QVERIFY(QFile::link(precious, part));
        FilmEncoder encoder(plan(FilmFormat::mp4, "planted.mp4"));
        const FilmEnd end(encoder);
        encoder.start(program);
        QTRY_VERIFY(end.any());
        QCOMPARE(end.finished.size(), 1);
        QVERIFY(QFile::remove(part));
        QFile text(precious);
        QVERIFY(text.open(QIODevice::ReadOnly));
        QCOMPARE(text.readAll(), QByteArray("precious"));
    }

    void aNamedPipeIsNoFilm() {
        QCOMPARE(::mkfifo(qPrintable(at("pipe.mp4")), 0600), 0);
        QVERIFY(ui::problemOfFilm(at("pipe.mp4")).contains(QStringLiteral("pipe.mp4: is a pipe")));
    }

    void theLastLineOfFfmpegIsReported() {
        const QString program = fake("bad", "echo begins >&2\necho 'Unknown encoder libx264' >&2\necho >&2\nexit 1\n");
        FilmEncoder encoder(plan(FilmFormat::mp4, "bad.mp4"));
        const FilmEnd end(encoder);
        encoder.start(program);
        QTRY_VERIFY(end.any());
        QVERIFY2(end.why().contains(QStringLiteral("Unknown encoder libx264")), qPrintable(end.why()));
        QVERIFY2(end.why().contains(QStringLiteral("bad.mp4")), qPrintable(end.why()));
        QVERIFY(!QFileInfo::exists(at("bad.mp4")));
    }

    void theSecondCallOfAGifDoesNotFollowAFailedFirstOne() {
        const QString program = fake("first", "echo called >> calls.txt\nexit 3\n");
        FilmEncoder encoder(plan(FilmFormat::gif, "first.gif"));
        const FilmEnd end(encoder);
        encoder.start(program);
        QTRY_VERIFY(end.any());
        QCOMPARE(end.failed.size(), 1);
        QFile calls(at("calls.txt"));
        QVERIFY(calls.open(QIODevice::ReadOnly));
        QCOMPARE(calls.readAll(), QByteArray("called\n"));
    }

    void aCancelledFilmEndsAtOnceAndLeavesNothing() {
        const QString program = fake("slow", "echo part > \"${last#file:}\"\necho frame=1\nexec sleep 60\n");
        FilmEncoder encoder(plan(FilmFormat::mp4, "slow.mp4"));
        const FilmEnd end(encoder);
        encoder.start(program);
        QTRY_VERIFY(!end.progressed.isEmpty());
        QCOMPARE(parts().size(), 1);
        encoder.cancel();
        QTRY_VERIFY_WITH_TIMEOUT(end.any(), 2'000);
        QCOMPARE(end.stopped.size(), 1);
        QVERIFY(parts().isEmpty() && !QFileInfo::exists(at("slow.mp4")));
    }

    void anEncoderThatGoesAwayTakesItsProcessAlong() {
        const QString program = fake("left", "echo part > \"${last#file:}\"\necho frame=1\nexec sleep 60\n");
        {
            FilmEncoder encoder(plan(FilmFormat::mp4, "left.mp4"));
            const FilmEnd end(encoder);
            encoder.start(program);
            QTRY_VERIFY(!end.progressed.isEmpty());
        }
        QVERIFY(parts().isEmpty());
    }

    void aProgramThatCannotBeStartedIsReported() {
        FilmEncoder encoder(plan(FilmFormat::mp4, "none.mp4"));
        const FilmEnd end(encoder);
        encoder.start(at("no/such/ffmpeg"));
        QTRY_VERIFY(end.any());
        QVERIFY(end.why().contains(QStringLiteral("none.mp4")));
    }

    void withoutFfmpegFilmsAreGreyedOutAndSayHowToGetIt() {
        QDir().mkpath(at("empty"));
        const PathOnly path(at("empty"));
        QVERIFY(ui::problemOfFilm(at("run.mp4")).contains(QStringLiteral("apt install ffmpeg")));
        const ui::FramesDialog dialog;
        const auto* kinds = dialog.findChild<QComboBox*>(QStringLiteral("framesKind"));
        QCOMPARE(kinds->count(), 3);
        const auto* model = qobject_cast<const QStandardItemModel*>(kinds->model());
        QVERIFY(model->item(0)->isEnabled());
        for (int row : {1, 2}) {
            QVERIFY(!model->item(row)->isEnabled());
            QVERIFY(kinds->itemText(row).contains(QStringLiteral("needs ffmpeg")));
        }
        QVERIFY(dialog.findChild<QLabel*>(QStringLiteral("filmHint"))->text().contains(QStringLiteral("apt install")));
        QVERIFY(!dialog.film());
    }

    void withFfmpegAFilmCanBeChosen() {
        fake("there", "exit 0\n");
        const PathOnly path(at("there"));
        const ui::FramesDialog dialog;
        auto* kinds = dialog.findChild<QComboBox*>(QStringLiteral("framesKind"));
        kinds->setCurrentIndex(2);
        QCOMPARE(dialog.film(), std::optional(FilmFormat::gif));
        QVERIFY(dialog.findChild<QLabel*>(QStringLiteral("filmHint"))->isHidden());
    }

    void theRealFfmpegMakesFilmsOfOddPictures() {
        const QString program = ui::ffmpegProgram();
        if (program.isEmpty())
            QSKIP("ffmpeg is not installed");
        makeFrames(5, QSize(161, 91));
        for (const FilmFormat format : {FilmFormat::mp4, FilmFormat::gif}) {
            const FilmPlan film = plan(format, format == FilmFormat::mp4 ? "real.mp4" : "real.gif");
            FilmEncoder encoder(film);
            const FilmEnd end(encoder);
            encoder.start(program);
            QTRY_VERIFY_WITH_TIMEOUT(end.any(), 20'000);
            QVERIFY2(end.finished.size() == 1, qPrintable(end.why()));
        }
        QImageReader gif(at("real.gif"));
        QCOMPARE(gif.imageCount(), 5);
        QCOMPARE(gif.read().size(), QSize(161, 91));
        QProcess probe;
        probe.start(program, {QStringLiteral("-hide_banner"), QStringLiteral("-i"), at("real.mp4")});
        QVERIFY(probe.waitForFinished());
        const QString said = QString::fromLocal8Bit(probe.readAllStandardError());
        QVERIFY2(said.contains(QStringLiteral("160x90")) && said.contains(QStringLiteral("yuv420p")), qPrintable(said));
    }
};

RINGSIDE_WINDOW_TEST(TestFilm)
#include "tst_film.moc"
