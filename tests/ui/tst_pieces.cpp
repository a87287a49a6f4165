// Tests how runs are shown whose GEMM is launched in pieces, or whose collective kernel takes tiles while they land.

#include "tests/ui/sample_run.h"
#include "tests/ui/window_test.h"

#include "data/replay/run_log.h"
#include "data/replay/slot_history.h"
#include "ui/look/kernel_style.h"
#include "ui/playback/narration.h"
#include "ui/shared/view_state.h"
#include "ui/timeline/row_items.h"
#include "ui/timeline/row_labels.h"
#include "ui/timeline/span_text.h"
#include "ui/timeline/timeline_figure.h"
#include "ui/why/reason_chain.h"

#include <algorithm>
#include <set>

using data::GemmPiece;
using ui::Row;
using ui::RowKind;
using ui::TimelineModel;

namespace {

constexpr auto kCase = "t-nlg/fc-2/tp8";
constexpr auto kLaunch = "launch.kernel=2us";

/// Returns what a row of this height shows in a timeline of this width for the whole run, with labels.
ui::DrawList drawnRow(const TimelineModel& model, const Row& row, double width, double height = 60) {
    const ui::TimelineGeometry geometry{{0, model.end()}, 0, width, 1};
    const ui::PixelColumns columns(geometry, 0, model.end());
    const ui::RowBox box{0, height};
    ui::DrawList list;
    ui::appendRow(model, row, box, geometry, columns, list);
    ui::appendRowLabels(model, row, box, geometry, QFontMetricsF(QApplication::font()), {}, list);
    return list;
}

Row rowOf(RowKind kind) { return {.kind = kind}; }

QStringList pieceLabels(const ui::DrawList& list) {
    QStringList texts;
    for (const ui::DrawLabel& label : list.labels) {
        if (label.onPlate)
            texts << label.text;
    }
    return texts;
}

/// Returns where the text of a label is drawn.
QRectF textBoxOf(const ui::DrawLabel& label) {
    const QFontMetricsF metrics(QApplication::font());
    QRectF box(0, 0, metrics.horizontalAdvance(label.text), std::min(metrics.height(), label.box.height()));
    box.moveCenter(label.box.center());
    return box;
}

QStringList reasonsOf(const std::shared_ptr<const data::ShownRun>& run) {
    const ui::ReasonChain chain(std::make_shared<data::Flow>(run));
    QStringList reasons;
    for (std::size_t link = 0; link < chain.links().size(); ++link)
        reasons << ui::furtherReason(chain, link);
    return reasons;
}

bool hasLink(const QStringList& reasons, const char* pattern) {
    return !reasons.filter(QRegularExpression(QString::fromLatin1(pattern))).isEmpty();
}

}  // namespace

class TestPieces : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        m_chunked = tests::simulated(kCase, {"policy=chunked", kLaunch});
        m_signals = tests::simulated(kCase, {"policy=signals", kLaunch}, true);
        m_pieces = data::gemmPiecesOf(traceOf(m_chunked), 0);
        m_log = std::make_unique<data::RunLog>(m_chunked->run.result.trace, m_chunked->run.experiment);
    }

    void piecesHaveTheWorkgroupsAndWavesOfTheGemm() {
        QCOMPARE(m_pieces.size(), std::size_t{8});
        std::uint32_t workgroups = 0, waves = 0;
        for (const GemmPiece& piece : m_pieces) {
            QCOMPARE(piece.firstWorkgroup, workgroups);
            workgroups = piece.endWorkgroup;
            waves += piece.waves;
        }
        QCOMPARE(workgroups, traceOf(m_chunked).output.tiles());
        QCOMPARE(std::int64_t{waves}, m_chunked->run.result.gemm->waves);
        QCOMPARE(m_pieces.back().time.end, traceOf(m_chunked).gemmEnd.ps);
    }

    void aGemmOfOneKernelHasNoPieces() {
        const auto one = tests::simulated(kCase, {"policy=chunked", "policy.pieces=1", "collective.cu_count=all"});
        QVERIFY(data::gemmPiecesOf(traceOf(one), 0).empty());
        QVERIFY(data::gemmPiecesOf(traceOf(m_signals), 0).empty());
        QVERIFY(drawnRow(TimelineModel(m_signals), rowOf(RowKind::waves), 1000).pieceEnds.empty());
    }

    void wavesAndWorkgroupsRunWithinTheirPiece() {
        std::size_t inPieces = 0;
        for (const engine::Lane& lane : traceOf(m_chunked).lanes) {
            for (const engine::Span& span : lane.spans) {
                const GemmPiece* piece = data::pieceOf(m_pieces, span);
                if (piece == nullptr)
                    continue;
                QVERIFY(span.start.ps >= piece->time.start && span.end.ps <= piece->time.end);
                ++inPieces;
            }
        }
        QCOMPARE(inPieces, traceOf(m_chunked).output.tiles() + std::size_t{24});
    }

    // The cache holds some of a piece's output until the piece ends.
    void theOutputOfAPieceIsInMemoryWhenThePieceEnds() {
        const std::vector<std::uint32_t>& tiles = m_log->facts(0).tilesOfPiece[2];
        QCOMPARE(tiles.size(), std::size_t{m_pieces[2].workgroups()});
        const auto landed = [&](std::int64_t ps) {
            const data::GpuState state = m_log->stateOf(0, m_log->positionAt(ps));
            return std::ranges::count_if(tiles, [&](std::uint32_t tile) { return state.copies[tile].own; });
        };
        const std::int64_t end = m_pieces[2].time.end;
        QVERIFY(landed(end - 1) < static_cast<std::int64_t>(tiles.size()));
        QCOMPARE(landed(end), static_cast<std::int64_t>(tiles.size()));
    }

    void theKernelSendsNoTileOfAPieceBeforeItEnds() {
        for (const data::TileChange& change : m_log->tileChanges(0)) {
            const bool leaves = change.to == data::TileState::inFlight || change.to == data::TileState::sent;
            const auto piece = std::ranges::find_if(m_pieces, [&](const GemmPiece& one) {
                const auto& tiles = m_log->facts(0).tilesOfPiece[one.number];
                return std::ranges::find(tiles, change.tile) != tiles.end();
            });
            QVERIFY(!leaves || change.ps >= piece->time.end);
        }
    }

    void playbackStepsToTheEndOfEachPieceAndNamesIt() {
        std::set<std::int64_t> stops;
        for (auto at = m_log->next(m_log->beginning(), data::StepKind::phase); at;
             at = m_log->next(*at, data::StepKind::phase))
            stops.insert(at->ps);
        for (const GemmPiece& piece : m_pieces)
            QVERIFY(stops.contains(piece.time.end));
        const QString said = ui::narrate(*m_log, 0, m_pieces[2].time.end, std::nullopt, 1'000).join(QLatin1Char('|'));
        QVERIFY2(said.contains(QStringLiteral("piece 3 of 8 ends")), qPrintable(said));
    }

    void noLineAtTheEndOfAPieceCrossesTheNameOfAWave() {
        for (const double width : {700.0, 1'000.0, 1'700.0}) {
            const ui::DrawList list = drawnRow(TimelineModel(m_chunked), rowOf(RowKind::waves), width);
            QCOMPARE(list.pieceEnds.size(), std::size_t{8});
            std::size_t names = 0;
            for (const ui::DrawLabel& label : list.labels) {
                if (label.onPlate || label.onGap)
                    continue;
                ++names;
                for (const ui::DrawPieceEnd& end : list.pieceEnds)
                    QVERIFY2(end.x <= label.box.left() || end.x >= label.box.right(), qPrintable(label.text));
            }
            QVERIFY(names >= 12);
        }
    }

    void theNamesInTheRowOfWavesDoNotOverlap() {
        std::size_t captions = 0;
        for (int width = 600; width <= 8'000; width += 200) {
            const ui::DrawList list = drawnRow(TimelineModel(m_chunked), rowOf(RowKind::waves), width);
            for (const ui::DrawLabel& label : list.labels) {
                captions += label.onGap ? 1 : 0;
                for (const ui::DrawLabel& other : list.labels)
                    QVERIFY2(&label == &other || !textBoxOf(label).intersects(textBoxOf(other)),
                             qPrintable(label.text + QLatin1Char('|') + other.text));
            }
        }
        QVERIFY(captions > 3);
    }

    // The first wave begins low, because compute units begin at different times.
    void theFirstWaveHasItsName() {
        const ui::DrawList list = drawnRow(TimelineModel(m_chunked), rowOf(RowKind::waves), 1'700, 22);
        QVERIFY(std::ranges::any_of(list.labels, [](const ui::DrawLabel& label) { return label.text == "wave 1"; }));
    }

    // A piece has 136 workgroups, two waves of 64 and one of 8.
    void aWorkgroupHasTheNumberOfItsWave() {
        const data::SlotHistory history(traceOf(m_chunked), m_chunked->run.experiment, 0);
        std::size_t checked = 0;
        for (const GemmPiece& piece : m_pieces) {
            for (const auto& slot : history.at(piece.time.end - 1)) {
                if (slot.doing == data::GpuInside::Slot::Doing::collective || !slot.tile)
                    continue;
                constexpr std::uint32_t kPiece = 136, kWave = 64, kWavesOfPiece = 3;
                QCOMPARE(slot.wave, slot.position / kPiece * kWavesOfPiece + slot.position % kPiece / kWave);
                ++checked;
            }
        }
        QVERIFY(checked > 0);
    }

    void theTimelineHasALineWithALabelAtTheEndOfEachPiece() {
        const TimelineModel model(m_chunked);
        const ui::DrawList list = drawnRow(model, rowOf(RowKind::waves), 1500);
        QCOMPARE(list.pieceEnds.size(), m_pieces.size());
        const ui::TimelineGeometry geometry{{0, model.end()}, 0, 1500, 1};
        for (std::size_t i = 0; i < m_pieces.size(); ++i)
            QCOMPARE(list.pieceEnds[i].x, geometry.columnOf(m_pieces[i].time.end));
        QCOMPARE(pieceLabels(list).front(), QStringLiteral("piece 1 ends"));
        QCOMPARE(pieceLabels(drawnRow(model, rowOf(RowKind::waves), 700)).back(), QStringLiteral("piece 8"));
        QCOMPARE(drawnRow(model, rowOf(RowKind::slots), 1500).pieceEnds.size(), m_pieces.size());
        QVERIFY(drawnRow(model, rowOf(RowKind::waves), 40).pieceEnds.empty());  // they would hide the waves
    }

    void aToolTipNearTheLineDescribesThePiece() {
        const TimelineModel model(m_chunked);
        const std::int64_t pixel = model.end() / 1500;
        const auto tip = [&](std::int64_t ps) {
            return ui::describeMoment(model, rowOf(RowKind::waves), 0.5, ps, pixel);
        };
        const std::int64_t end = m_pieces[2].time.end;
        for (const std::int64_t ps : {end - 3 * pixel, end + 3 * pixel}) {
            QVERIFY2(tip(ps).contains(QStringLiteral("piece 3 of 8 ends, ")), qPrintable(tip(ps)));
            QVERIFY2(tip(ps).contains(QStringLiteral("136 workgroups, 3 waves")), qPrintable(tip(ps)));
        }
        const QString before = tip(end - 4 * pixel);
        QVERIFY2(!before.contains(QStringLiteral(" ends")), qPrintable(before));
        QVERIFY2(before.contains(QRegularExpression(QStringLiteral("piece [34] of 8"))), qPrintable(before));
    }

    void slotsHaveTheFillOfTheKernelThatHoldsThem() {
        for (const auto& run : {m_chunked, m_signals}) {
            const TimelineModel model(run);
            QCOMPARE(model.slots(0), std::size_t{80});
            // So wide that workgroups are drawn one by one.
            std::set<std::optional<data::KernelNumber>> kernels;
            for (const ui::DrawItem& item : drawnRow(model, rowOf(RowKind::slots), 4000).items)
                kernels.insert(item.kernel);
            QCOMPARE(kernels,
                     (std::set<std::optional<data::KernelNumber>>{data::kGemmKernel, data::kCollectiveKernel}));
        }
        QCOMPARE(ui::kernelName(m_chunked->run.experiment, data::kCollectiveKernel), QStringLiteral("collective"));
    }

    void onlySlotsOfTheGemmAreEmptyInItsLastWave() {
        const data::LastWave last = data::lastWaveOf(*m_chunked, 0);
        QCOMPARE(last.slots, 64);
        QCOMPARE(last.empty.size(), std::size_t{56});
        QVERIFY(std::ranges::all_of(last.empty, [](const data::EmptySlot& slot) { return slot.slot < 64; }));
    }

    void theFigureHasALaneWithTheEndsOfPieces() {
        const TimelineModel model(m_chunked);
        const data::FigureSpec figure = *ui::timelineFigure(model, {}, {0, model.end()});
        const auto& mark = std::get<data::TimelineMark>(figure.panels.front().marks.front());
        const auto lane = std::ranges::find(mark.lanes, "ends of pieces", &data::TimelineMark::Lane::label);
        QVERIFY(lane != mark.lanes.end());
        std::vector<double> ends;
        for (const auto& span : mark.spans) {
            if (span.lane == static_cast<std::size_t>(lane - mark.lanes.begin()))
                ends.push_back(span.to);
        }
        QCOMPARE(ends.size(), m_pieces.size());
        for (std::size_t i = 0; i < ends.size(); ++i)
            QCOMPARE(ends[i], static_cast<double>(m_pieces[i].time.end) / 1e9);
        QVERIFY(figure.caption.find("launched in 8 pieces") != std::string::npos);
    }

    void whyNamesTheEndOfAPieceAndTheLaunchThatWaitsForIt() {
        const QStringList reasons =
            reasonsOf(tests::simulated(kCase, {"policy=chunked", "policy.pieces=32", kLaunch}, true));
        QVERIFY2(hasLink(reasons, "waited for piece (\\d+) to be launched after the end of piece \\d+$"),
                 qPrintable(reasons.join(QLatin1Char('\n'))));
        QVERIFY(hasLink(reasons, "which end piece \\d+$"));
        const QRegularExpression launch(QStringLiteral("piece (\\d+) to be launched after the end of piece (\\d+)"));
        for (const QString& reason : reasons) {
            if (const auto match = launch.match(reason); match.hasMatch())
                QCOMPARE(match.captured(1).toInt() - 2, match.captured(2).toInt());  // two queues
        }
    }

    void whyNamesTheSignalForWhichTheKernelWaits() {
        const char* pattern = "the signal that data of the reduce-scatter are in memory";
        QVERIFY(hasLink(reasonsOf(tests::simulated(kCase, {"policy=signals", "policy.signal_latency=300us"}, true)),
                        pattern));
        QVERIFY(!hasLink(reasonsOf(m_signals), pattern));
    }

private:
    static const engine::Trace& traceOf(const std::shared_ptr<const data::ShownRun>& run) {
        return *run->run.result.trace;
    }

    std::shared_ptr<const data::ShownRun> m_chunked, m_signals;
    std::vector<GemmPiece> m_pieces;
    std::unique_ptr<data::RunLog> m_log;
};

RINGSIDE_WINDOW_TEST(TestPieces)
#include "tst_pieces.moc"
