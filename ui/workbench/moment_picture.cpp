#include "ui/workbench/moment_picture.h"

#include "data/figure/figure_size.h"
#include "ui/look/drawing_recorder.h"
#include "ui/look/format.h"
#include "ui/shared/ring_moment.h"
#include "ui/shared/view_state.h"

#include <algorithm>
#include <utility>

namespace ui {

MomentPicture::MomentPicture(ViewState& viewState, RingMoment& moment, PartPictureConfig config, QString whyBound,
                             QWidget* parent)
    : PartPicture(std::move(config), parent), m_viewState(viewState), m_moment(moment),
      m_whyBound(std::move(whyBound)) {
    connect(&m_moment, &RingMoment::runChanged, this, [this] { showRun(); });
    connect(&m_moment, &RingMoment::changed, this, [this] { follow(); });
    connect(&m_viewState, &ViewState::focusedGpuChanged, this, [this] { showFocus(); });
}

bool MomentPicture::hasRun() const { return m_moment.hasStates() && m_moment.log().trace().output.tiles() > 0; }

std::uint32_t MomentPicture::focusedGpu() const { return m_moment.focusedGpu(); }

QString MomentPicture::emptyText() const {
    return hasRun() ? QString() : m_moment.run() == nullptr ? noRunHint() : m_whyBound;
}

void MomentPicture::moveFocus(int by) {
    const int last = static_cast<int>(std::max(1u, m_moment.gpus())) - 1;
    m_viewState.setFocusedGpu(static_cast<std::uint32_t>(std::clamp(static_cast<int>(focusedGpu()) + by, 0, last)));
}

void MomentPicture::toggleFollowed(std::uint32_t chunk) {
    m_viewState.setFollowedChunk(m_viewState.followedChunk() == chunk ? std::nullopt : std::optional(chunk));
}

std::optional<FigureOffer> MomentPicture::figure(const ViewState& viewState, const RingMoment& moment,
                                                 const Factory& factory) {
    if (!moment.hasStates())
        return std::nullopt;
    const auto frozen = std::make_shared<MomentSnapshot>(viewState, moment);
    FigureOffer offer;
    offer.redraw = [frozen, factory](data::FigureSize size, data::FigureTheme theme) {
        const data::FigureSizePreset& preset = data::presetOf(size);
        const auto view = factory(frozen->viewState, frozen->moment);
        view->setPalette(widgetPalette(windowTheme(theme)));
        view->setFont(figureFont(size));
        const QSizeF points(preset.width, preset.height.value_or(view->figureHeight(preset.width)));
        view->resize((points / DrawingRecorder::pointsPerDot()).toSize());
        const data::DrawingMark drawing = view->drawing().value_or(data::DrawingMark{});
        return theme == data::FigureTheme::greyPrint ? greyed(drawing) : drawing;
    };
    data::FigureSpec& figure = offer.figure;
    figure.size = data::FigureSize::acmText;
    figure.legend = data::FigureLegend::none;  // the picture contains its own legend
    figure.panels.emplace_back().marks.emplace_back(data::DrawingMark{});
    redraw(figure, offer.redraw);
    const std::optional<std::int64_t> cursor = frozen->viewState.cursor();
    const QString when = cursor ? tr("at %1").arg(formatTime(*cursor)) : tr("at the end");
    const QString run = QString::fromStdString(moment.run()->run.name);
    const MomentFigureWords words = factory(frozen->viewState, frozen->moment)->figureWords(run, when);
    figure.name = fileNameOf(tr("%1 %2 %3").arg(words.word, run, when)).toStdString();
    figure.title = words.title.toStdString();
    figure.caption = words.caption.toStdString();
    figure.alternative = words.alternative.toStdString();
    figure.provenance = provenanceOf(*moment.run(), words.moment.isEmpty() ? when : words.moment);
    return offer;
}

}  // namespace ui
