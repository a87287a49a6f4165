#include "ui/look/format.h"
#include "ui/shared/moment_figure.h"
#include "ui/split/split_view.h"

#include <QCoreApplication>

#include <memory>

namespace ui {
namespace {

QString splitFigureTr(const char* text) { return QCoreApplication::translate("SplitFigure", text); }

/// Returns the height of a figure. In a narrow column of a page the matrices are above the cells.
double splitHeightFor(double width) { return width < 320 ? width * 1.6 : width * 0.58; }

}  // namespace

std::optional<FigureOffer> splitFigure(const ViewState& viewState, const RingMoment& moment) {
    if (!moment.hasStates())
        return std::nullopt;
    const auto frozen = std::make_shared<MomentSnapshot>(viewState, moment);
    FigureOffer offer = momentFigure<SplitView>(frozen, splitHeightFor);
    const QString when = frozen->viewState.cursor()
                             ? splitFigureTr("at %1").arg(formatTime(*frozen->viewState.cursor()))
                             : splitFigureTr("at the end");
    const QString name = QString::fromStdString(moment.run()->run.name);
    const SplitView view(frozen->viewState, frozen->moment);
    data::FigureSpec& figure = offer.figure;
    figure.name = fileNameOf(splitFigureTr("split %1 %2").arg(name, when)).toStdString();
    figure.title = splitFigureTr("Split of the GEMM %1, %2").arg(when, name).toStdString();
    figure.caption = splitFigureTr("How %1 is distributed over its GPUs, and %2 the partial sums of each chunk on each "
                                   "GPU: a place for each partial sum, filled by the share of tiles that have it. %3")
                         .arg(name, when, view.splitWords())
                         .toStdString();
    figure.alternative = splitFigureTr("Matrices with their cuts, and a cell for each GPU and chunk. %1")
                             .arg(view.descriptionOfAll())
                             .toStdString();
    figure.provenance = provenanceOf(*moment.run(), when);
    return offer;
}

}  // namespace ui
