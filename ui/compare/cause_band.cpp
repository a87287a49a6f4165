#include "ui/compare/cause_band.h"

#include "ui/look/cause_style.h"
#include "ui/look/format.h"
#include "ui/look/palette.h"
#include "ui/look/ribbon_image.h"
#include "ui/look/widget_events.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

constexpr double kBandHeight = 0.75;  // lines

constexpr double kBandTexture = 0.3;

}  // namespace

CauseBand::CauseBand(std::function<TimelineGeometry()> geometry, QWidget* parent)
    : QWidget(parent), m_geometry(std::move(geometry)) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Causes along the critical path"));
    tellAt(*this, [this](QPoint place) { return Tip{wordsAt(place.x()), {}}; });
    hide();
}

void CauseBand::showRun(std::shared_ptr<const data::ShownRun> run) {
    m_run = std::move(run);
    m_causes = m_run && m_run->run.result.path ? data::CauseIndex(m_run->run.result.path) : data::CauseIndex();
    setVisible(!m_causes.empty());
    update();
}

QSize CauseBand::sizeHint() const { return {200, static_cast<int>(std::round(fontMetrics().height() * kBandHeight))}; }

std::optional<engine::Cause> CauseBand::causeAt(double x) const {
    const TimelineGeometry geometry = m_geometry();
    if (m_causes.empty() || x < geometry.left || x > geometry.left + geometry.width)
        return std::nullopt;
    const engine::CauseTimes times = m_causes.between({geometry.timeAt(x), geometry.timeAt(x + geometry.pixel) + 1});
    const auto most = std::max_element(times.by.begin(), times.by.end());
    return most->ps > 0 ? std::optional(static_cast<engine::Cause>(most - times.by.begin())) : std::nullopt;
}

QString CauseBand::wordsAt(double x) const {
    const std::optional<engine::Cause> cause = causeAt(x);
    if (!cause)
        return {};
    const engine::Duration sum =
        m_run->run.result.attribution ? m_run->run.result.attribution->causes[*cause] : engine::Duration{};
    const QString words = tr("<b>%1</b><br>%2").arg(textOf(*cause), meaningOf(*cause));
    return sum.ps > 0 ? words + tr("<br>In the whole run: %1").arg(formatTime(sum.ps)) : words;
}

void CauseBand::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Palette& colors = paletteOf(*this);
    const TimelineGeometry geometry = m_geometry();
    painter.fillRect(rect(), colors.surface);
    QFont small = font();
    small.setPixelSize(std::max(7, static_cast<int>(height() * 0.95)));
    painter.setFont(small);
    painter.setPen(colors.inkSoft);
    painter.drawText(QRectF(0, 0, geometry.left - fontMetrics().height() * 0.5, height()),
                     Qt::AlignRight | Qt::AlignVCenter, tr("waits for"));
    const double ratio = devicePixelRatioF();
    const RibbonColumns columns = ribbonColumns(m_causes, geometry);
    const QImage image =
        ribbonImage(columns, std::max(1, static_cast<int>(std::lround(height() * ratio))), ratio,
                    std::max(4, static_cast<int>(std::lround(fontMetrics().height() * kBandTexture * ratio))), colors);
    if (!image.isNull())
        painter.drawImage(QPointF(static_cast<double>(columns.first) / ratio, 0), image);
}

}  // namespace ui
