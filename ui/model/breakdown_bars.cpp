#include "ui/model/breakdown_bars.h"

#include "ui/look/fill_legend.h"
#include "ui/look/format.h"
#include "ui/look/palette.h"
#include "ui/look/texture.h"
#include "ui/look/widget_parts.h"
#include "ui/model/model_parts.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace ui {
namespace {

constexpr double kMargin = 0.6;  // lines
constexpr double kColumn = 4.9;
constexpr double kNameGap = 0.7;  // between the longest name and the bars
constexpr double kLegendStep = 1.25;

Fill fillOf(const ModelPart& part, const Palette& colors) {
    return {colorOf(part, colors), colors.surface, isExposed(part) ? Texture::falling : Texture::plain};
}

}  // namespace

BreakdownBars::BreakdownBars(QWidget* parent) : QWidget(parent) {
    setNames(*this, QStringLiteral("modelBreakdown"), tr("Where the time goes, by policy"));
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    keepKeys(*this, [](const QKeyEvent& key) {
        return (key.key() == Qt::Key_Up || key.key() == Qt::Key_Down) && key.modifiers() == Qt::NoModifier;
    });
    showTipAt(*this, [this](QPoint place) {
        const auto row = rowAt(place);
        return Tip{row ? rowText(*row).replace(QStringLiteral("; "), QStringLiteral("\n")) : QString(), {}};
    });
}

double BreakdownBars::line() const { return QFontMetricsF(font()).height(); }

QSize BreakdownBars::minimumSizeHint() const { return QSize(32, 11) * fontMetrics().height(); }

QSize BreakdownBars::sizeHint() const { return QSize(46, 12) * fontMetrics().height(); }

void BreakdownBars::showRun(std::shared_ptr<const data::ModelRun> run, std::size_t policy) {
    m_run = std::move(run);
    m_policy = policy;
    QStringList rows;
    for (std::size_t row = 0; m_run && row < m_run->policies.size(); ++row)
        rows << rowText(row);
    setAccessibleDescription(rows.join(QStringLiteral(". ")));
    update();
}

void BreakdownBars::setStale(bool stale) {
    m_stale = stale;
    update();
}

QString BreakdownBars::rowText(std::size_t row) const {
    const data::PolicyModelTime& policy = m_run->policies[row];
    QStringList parts;
    for (const ModelPart& part : kModelParts) {
        if (const engine::Duration time = policy.time.*part.time; time.ps > 0)
            parts << tr("%1 %2").arg(titleOf(part), formatTime(time.ps));
    }
    return tr("%1: %2 in total, of which %3 is exposed communication; %4")
        .arg(titleOfPolicy(engine::name(policy.policy)), formatTime(policy.time.total().ps),
             formatShare(policy.communicationShare), parts.join(QStringLiteral(", ")));
}

std::vector<std::size_t> BreakdownBars::partsThere() const {
    std::vector<std::size_t> there;
    for (std::size_t i = 0; i < kModelParts.size(); ++i) {
        const bool any = std::any_of(m_run->policies.begin(), m_run->policies.end(),
                                     [&](const auto& policy) { return (policy.time.*kModelParts[i].time).ps > 0; });
        if (any)
            there.push_back(i);
    }
    return there;
}

double BreakdownBars::rowHeight() const {
    const double rows = std::max<double>(1, m_run ? static_cast<double>(m_run->policies.size()) : 1);
    const double room = height() - line() * (1.6 + 2 * kLegendStep + 0.6);
    return std::clamp(room / rows, line() * 1.25, line() * 2.2);
}

double BreakdownBars::rowTop(std::size_t row) const { return line() * 1.6 + rowHeight() * static_cast<double>(row); }

std::optional<std::size_t> BreakdownBars::rowAt(QPointF point) const {
    for (std::size_t row = 0; m_run && row < m_run->policies.size(); ++row) {
        if (point.y() >= rowTop(row) && point.y() < rowTop(row) + rowHeight())
            return row;
    }
    return std::nullopt;
}

BreakdownBars::Columns BreakdownBars::columns() const {
    const double unit = line();
    Columns at;
    at.name = unit * kMargin;
    at.geomean = width() - unit * kMargin;
    at.speedup = at.geomean - unit * kColumn;
    at.share = at.speedup - unit * (kColumn - 0.3);
    at.total = at.share - unit * (kColumn - 0.5);
    QFont widest = font();
    widest.setWeight(QFont::DemiBold);
    const QFontMetricsF metrics(widest);
    double names = 0;
    for (const data::PolicyModelTime& policy : m_run->policies)
        names = std::max(names, metrics.horizontalAdvance(titleOfPolicy(engine::name(policy.policy))));
    const double left = at.name + names + unit * kNameGap;
    const double right = std::max(left + unit * 4, at.total - unit * (kColumn - 0.4));
    at.bar = QRectF(left, rowTop(0) + rowHeight() * 0.16, right - left, rowHeight() * 0.68);
    return at;
}

// All bars share one scale, in which the longest fills the width.
QRectF BreakdownBars::segment(std::size_t policy, std::size_t part) const {
    std::int64_t longest = 1;
    for (const data::PolicyModelTime& each : m_run->policies)
        longest = std::max(longest, each.time.total().ps);
    std::int64_t before = 0;
    for (std::size_t i = 0; i < part; ++i)
        before += (m_run->policies[policy].time.*kModelParts[i].time).ps;
    const QRectF bar = columns().bar.translated(0, rowHeight() * static_cast<double>(policy));
    const double scale = bar.width() / static_cast<double>(longest);
    const auto own = static_cast<double>((m_run->policies[policy].time.*kModelParts[part].time).ps);
    return {bar.left() + static_cast<double>(before) * scale, bar.top(), own * scale, bar.height()};
}

void BreakdownBars::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Palette& colors = paletteOf(*this);
    painter.fillRect(rect(), colors.surface);
    if (!m_run)
        return;
    if (m_stale)
        painter.setOpacity(0.45);
    const Columns at = columns();
    paintHead(painter, at);
    for (std::size_t row = 0; row < m_run->policies.size(); ++row)
        paintRow(painter, row, at);
    paintLegend(painter);
}

void BreakdownBars::paintHead(QPainter& painter, const Columns& at) const {
    const Palette& colors = paletteOf(*this);
    painter.setFont(font());
    painter.setPen(colors.inkSoft);
    const auto heading = [&](double right, const QString& text) {
        painter.drawText(QRectF(right - line() * kColumn * 1.5, line() * 0.3, line() * kColumn * 1.5, line() * 1.2),
                         Qt::AlignRight | Qt::AlignVCenter, text);
    };
    painter.drawText(QRectF(at.name, line() * 0.3, at.bar.right() - at.name, line() * 1.2),
                     Qt::AlignLeft | Qt::AlignVCenter, tr("Parts of the time"));
    heading(at.total, tr("total"));
    heading(at.share, tr("exposed"));
    heading(at.speedup, tr("speed-up"));
    heading(at.geomean, tr("sub-layers"));
}

void BreakdownBars::paintRow(QPainter& painter, std::size_t row, const Columns& at) const {
    const Palette& colors = paletteOf(*this);
    const data::PolicyModelTime& policy = m_run->policies[row];
    const double top = rowTop(row);
    const bool chosen = row == m_policy;
    if (chosen) {
        const QRectF band(0, top, width(), rowHeight());
        painter.fillRect(band, colors.stripe);
        painter.fillRect(QRectF(0, top, line() * 0.25, rowHeight()), colors.accent);
        if (hasFocus())
            paintFocusFrame(painter, band.adjusted(1, 0.5, -1.5, -0.5), colors.accent);
    }
    QFont type = font();
    type.setWeight(chosen ? QFont::DemiBold : QFont::Normal);
    painter.setFont(type);
    painter.setPen(colors.ink);
    const double width = line() * kColumn;
    painter.drawText(QRectF(at.name, top, at.bar.left() - at.name, rowHeight()), Qt::AlignLeft | Qt::AlignVCenter,
                     titleOfPolicy(engine::name(policy.policy)));
    const auto number = [&](double right, const QString& text) {
        painter.drawText(QRectF(right - width, top, width, rowHeight()), Qt::AlignRight | Qt::AlignVCenter, text);
    };
    number(at.total, formatTime(policy.time.total().ps));
    number(at.share, formatShare(policy.communicationShare));
    number(at.speedup, formatFactor(policy.speedupOverSequential));
    number(at.geomean, formatFactor(policy.sublayerGeomean));
    for (const std::size_t part : partsThere()) {
        paintFill(painter, segment(row, part), fillOf(kModelParts[part], colors), line() * 0.5);
    }
}

void BreakdownBars::paintLegend(QPainter& painter) const {
    const Palette& colors = paletteOf(*this);
    std::vector<FillLegendEntry> entries;
    for (const std::size_t part : partsThere())
        entries.push_back({titleOf(kModelParts[part]), fillOf(kModelParts[part], colors)});
    const double top = rowTop(m_run->policies.size()) + line() * 0.5;
    paintFillLegend(&painter, QRectF(line() * kMargin, top, width() - line() * kMargin, height() - top), entries,
                    font(), colors.inkSoft);
}

void BreakdownBars::choose(std::size_t policy) {
    if (!m_run || policy >= m_run->policies.size() || policy == m_policy)
        return;
    m_policy = policy;
    update();
    Q_EMIT policyChosen(policy);
}

void BreakdownBars::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Down)
        choose(m_policy + 1);
    else if (event->key() == Qt::Key_Up && m_policy > 0)
        choose(m_policy - 1);
    else
        QWidget::keyPressEvent(event);
}

void BreakdownBars::mousePressEvent(QMouseEvent* event) {
    if (const auto row = rowAt(event->position()); row && event->button() == Qt::LeftButton)
        choose(*row);
}

}  // namespace ui
