#include "ui/machine/machine_view.h"

#include "ui/look/format.h"
#include "ui/shared/moment_figure.h"

#include <QCoreApplication>

#include <memory>

namespace ui {
namespace {

QString figureTr(const char* text) { return QCoreApplication::translate("MachineFigure", text); }

/// Returns the height of a figure. In a narrow column of a page it is higher, because the texts are below the picture
/// of the GPU in focus.
double heightFor(double width) { return width < 320 ? width * 1.25 : width * 0.62; }

}  // namespace

std::optional<FigureOffer> machineFigure(const ViewState& viewState, const RingMoment& moment) {
    if (!moment.hasStates())
        return std::nullopt;
    const auto frozen = std::make_shared<MomentSnapshot>(viewState, moment);
    FigureOffer offer = momentFigure<MachineView>(frozen, heightFor);
    const QString when = frozen->viewState.cursor() ? figureTr("at %1").arg(formatTime(*frozen->viewState.cursor()))
                                                    : figureTr("at the end");
    const QString name = QString::fromStdString(moment.run()->run.name);
    data::FigureSpec& figure = offer.figure;
    figure.name = fileNameOf(figureTr("machine %1 %2").arg(name, when)).toStdString();
    figure.title = figureTr("Machine %1, %2").arg(when, name).toStdString();
    const MachineView view(frozen->viewState, frozen->moment);
    const QString gpus = view.descriptionOfAll();
    figure.caption =
        figureTr("The machine %1 of a run of %2: the output of every GPU by the state of its tiles, the chunks in "
                 "transit, and one GPU in detail. %3")
            .arg(when, name, view.topology().headline())
            .toStdString();
    figure.alternative =
        figureTr("GPUs and the links between them, with the chunks in transit. %1").arg(gpus).toStdString();
    figure.provenance = provenanceOf(*moment.run(), when);
    return offer;
}

}  // namespace ui
