#include "ui/compare/cause_band.h"

#include "ui/shared/cause_style.h"
#include "ui/shared/format.h"
#include "ui/shared/palette.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

constexpr double kBandHeight = 0.75;  // lines

auto firstEndingAfter(const engine::CriticalPath& path, std::int64_t ps) {
    return std::partition_point(path.steps.begin(), path.steps.end(),
                                [ps](const engine::PathStep& step) { return step.end.ps <= ps; });
}

}  // namespace

std::optional<engine::Cause> mainCauseBetween(const engine::CriticalPath& path, std::int64_t from, std::int64_t to) {
    engine::CauseTimes times;
    for (auto step = firstEndingAfter(path, from); step != path.steps.end() && step->start.ps < to; ++step)
        times[step->cause] += {std::min(step->end.ps, to) - std::max(step->start.ps, from)};
    const auto most = std::max_element(times.by.begin(), times.by.end());
    return most->ps > 0 ? std::optional(static_cast<engine::Cause>(most - times.by.begin())) : std::nullopt;
}

CauseBand::CauseBand(std::function<TimelineGeometry()> geometry, QWidget* parent)
    : QWidget(parent), m_geometry(std::move(geometry)) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Causes along the critical path"));
    hide();
}

void CauseBand::showRun(std::shared_ptr<const ShownRun> run) {
    m_run = std::move(run);
    setVisible(m_run && m_run->run.result.path != nullptr);
    update();
}

QSize CauseBand::sizeHint() const { return {200, static_cast<int>(std::round(fontMetrics().height() * kBandHeight))}; }

std::optional<engine::Cause> CauseBand::causeAt(double x) const {
    const TimelineGeometry geometry = m_geometry();
    if (!m_run || !m_run->run.result.path || x < geometry.left || x > geometry.left + geometry.width)
        return std::nullopt;
    return mainCauseBetween(*m_run->run.result.path, geometry.timeAt(x), geometry.timeAt(x + geometry.pixel) + 1);
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
    if (!m_run || !m_run->run.result.path)
        return;
    // Neighbours of one cause are one rectangle: a whole run is a few hundred of them.
    const engine::CriticalPath& path = *m_run->run.result.path;
    const double right = std::min(geometry.left + geometry.width, static_cast<double>(width()));
    double since = geometry.left;
    std::size_t drawn = engine::kCauses;  // which is none of them
    const auto paintUpTo = [&](double x) {
        if (drawn < engine::kCauses)
            painter.fillRect(QRectF(since, 0, x - since, height()),
                             colourOf(static_cast<engine::Cause>(drawn), colors));
        since = x;
    };
    for (double x = geometry.left; x < right; x += geometry.pixel) {
        const auto found = mainCauseBetween(path, geometry.timeAt(x), geometry.timeAt(x + geometry.pixel));
        const std::size_t cause = found ? static_cast<std::size_t>(*found) : engine::kCauses;
        if (cause == drawn)
            continue;
        paintUpTo(x);
        drawn = cause;
    }
    paintUpTo(right);
}

bool CauseBand::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const std::optional<engine::Cause> cause = causeAt(help->pos().x());
    if (!cause) {
        QToolTip::hideText();
        return true;
    }
    const engine::Duration sum =
        m_run->run.result.attribution ? m_run->run.result.attribution->causes[*cause] : engine::Duration{};
    QString words = tr("<b>%1</b><br>%2").arg(textOf(*cause), meaningOf(*cause));
    if (sum.ps > 0)
        words += tr("<br>In the whole run: %1").arg(formatTime(sum.ps));
    QToolTip::showText(help->globalPos(), words, this);
    return true;
}

}  // namespace ui
