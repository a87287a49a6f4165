#include "ui/chunks/chunk_view.h"

#include "ui/look/format.h"
#include "ui/shared/moment_figure.h"

#include <QCoreApplication>

#include <algorithm>
#include <memory>

namespace ui {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("ChunkFigure", text); }

QString alternativeOf(const RingMoment& moment, const QString& when) {
    QStringList sentences{tr("Chunk map %1, tiles by state.").arg(when)};
    for (std::uint32_t gpu = 0; gpu < moment.gpus(); ++gpu) {
        sentences << tr("GPU %1: %2.").arg(gpu).arg(countsText(sumOf(moment.of(gpu).chunkTiles), moment.tileWords()));
    }
    return sentences.join(QLatin1Char(' '));
}

}  // namespace

std::optional<FigureOffer> chunkFigure(const ViewState& viewState, const RingMoment& moment) {
    if (!moment.hasStates())
        return std::nullopt;
    const auto frozen = std::make_shared<MomentSnapshot>(viewState, moment);
    FigureOffer offer = momentFigure<ChunkView>(frozen, [gpus = moment.gpus()](double width) {
        return std::clamp(gpus * 26.0 + 60, width * 0.4, 320.0);  // rows high enough to read, at most half a page
    });
    const QString name = QString::fromStdString(moment.run()->run.name);
    const QString when =
        frozen->viewState.cursor() ? tr("at %1").arg(formatTime(*frozen->viewState.cursor())) : tr("at the end");
    const QString range =
        viewState.showsAll()
            ? tr("the whole run")
            : tr("from %1 to %2").arg(formatTime(viewState.range().start), formatTime(viewState.range().end));
    data::FigureSpec& figure = offer.figure;
    figure.name = fileNameOf(tr("chunks %1 %2").arg(name, when)).toStdString();
    figure.title = tr("Chunk map, %1").arg(name).toStdString();
    figure.caption = tr("The state of every chunk on every GPU in a run of %1: %2 at the left, and over time (%3) at "
                        "the right. Cells are filled from below, with the most advanced state at the bottom.")
                         .arg(name, when, range)
                         .toStdString();
    figure.alternative = alternativeOf(frozen->moment, when).toStdString();
    figure.provenance = provenanceOf(*moment.run(), when + QStringLiteral(", ") + range);
    return offer;
}

}  // namespace ui
