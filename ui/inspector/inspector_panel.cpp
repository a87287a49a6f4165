#include "ui/inspector/inspector_panel.h"

#include "ui/look/format.h"
#include "ui/look/widget_parts.h"

#include <QEvent>
#include <QPainter>
#include <QScrollBar>
#include <QTimer>

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

constexpr int kSoonMs = 80;  // while the range changes, a dozen updates a second: statistics are not read faster

}  // namespace

InspectorPanel::InspectorPanel(ViewState& viewState, QWidget* parent)
    : QTextBrowser(parent), m_viewState(viewState), m_soon(pauseTimer(this, kSoonMs, [this] { showSelection(); })) {
    setNames(*this, QStringLiteral("inspector"), tr("Inspector: facts about the selection"));
    setFrameShape(QFrame::NoFrame);
    setOpenLinks(false);
    setWordWrapMode(QTextOption::WordWrap);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    setMinimumWidth(fontMetrics().averageCharWidth() * 32);  // the width of the tables
    document()->setDocumentMargin(fontMetrics().height() * 0.6);
    connect(&m_viewState, &ViewState::selectionChanged, this, [this] {
        if (m_viewState.selectedArea())
            showSoon();
        else
            showSelection();
    });
    connect(&m_viewState, &ViewState::rangeChanged, this, [this] {
        if (!m_viewState.selectedSpan() && !m_viewState.selectedArea() && !m_viewState.selectedPart())
            showSoon();
    });
    connect(this, &QTextBrowser::anchorClicked, this, [this](const QUrl& link) {
        if (link.toString() == QLatin1String(kWhyLink))
            Q_EMIT whyRequested();
        if (link.toString().startsWith(QLatin1String("field:")))
            Q_EMIT fieldRequested(link.toString());
        const auto span = spanOfLink(link.toString());
        if (span && m_flow && m_flow->contains(*span))
            Q_EMIT spanRequested(*span);
    });
    onEvents(*this, {QEvent::Show}, [this] { showSelection(); });
    onEvents(*this, {QEvent::PaletteChange, QEvent::FontChange}, [this] {
        m_shown.reset();
        showSoon();
    });
}

void InspectorPanel::setPartFacts(std::function<PartDescription(data::GpuPartRef)> facts) {
    m_partFacts = std::move(facts);
}

void InspectorPanel::showMoment() {
    if (m_viewState.selectedPart())
        showSoon();
}

void InspectorPanel::showRun(std::shared_ptr<const data::Flow> flow) {
    m_flow = std::move(flow);
    m_statistics.reset();
    m_maker.cancel();
    showSoon();
}

void InspectorPanel::showSoon() {
    if (!m_soon->isActive())
        m_soon->start();
}

void InspectorPanel::showSelection() {
    if (!isVisible())
        return;
    const Palette& colors = paletteOf(*this);
    if (!m_flow) {
        showPage(pageOf(tr("No run yet"), runHint(), colors));
    } else if (!m_flow->run().index) {
        showPage(pageOf(tr("Sequential parts, perfectly overlapped"),
                        tr("A perfect overlap is calculated from isolated runs and has no spans. Choose another "
                           "policy, such as T3-MCA, to see spans."),
                        colors));
    } else if (const auto span = m_viewState.selectedSpan(); span && m_flow->contains(*span)) {
        showPage(pageOf(factsOf(*m_flow, *span), colors));
    } else if (const auto part = m_viewState.selectedPart(); part && m_partFacts) {
        showPage(pageOf(m_partFacts(*part), colors));
    } else {
        showStatistics();
    }
}

void InspectorPanel::showStatistics() {
    if (!m_statistics) {
        if (!m_maker.isRunning())
            m_maker.start([this, flow = m_flow](const Worker::Ticket& ticket) {
                auto made = std::make_shared<const StatisticsIndex>(flow->sharedRun());
                ticket.finish([this, made = std::move(made)] {
                    m_statistics = made;
                    showSelection();
                });
            });
        return;
    }
    const std::uint32_t gpus = m_flow->places().gpus();
    const std::optional<data::Area> selected = m_viewState.selectedArea();
    data::Area area = selected.value_or(data::Area{m_viewState.range(), 0, gpus - 1});
    area.firstGpu = std::min(area.firstGpu, gpus - 1);
    area.lastGpu = std::clamp(area.lastGpu, area.firstGpu, gpus - 1);
    showPage(pageOf(m_statistics->of(area), area, selected.has_value(), m_flow->run(), paletteOf(*this), metrics()));
}

void InspectorPanel::showPage(const InspectorPage& page) {
    Shown next{page, metrics(), devicePixelRatioF()};
    if (m_shown == next)
        return;
    const int scrolled = verticalScrollBar()->value();
    const auto titleOf = [](const QString& html) { return html.left(html.indexOf(QLatin1String("</p>"))); };
    const bool sameKind = m_shown && titleOf(m_shown->page.html) == titleOf(page.html);
    const PageMetrics sizes = next.metrics;
    m_shown = std::move(next);
    document()->clear();
    for (const PageBar& bar : page.bars) {
        const bool wide = bar.parts.size() > 1;
        document()->addResource(QTextDocument::ImageResource, QUrl(bar.name),
                                drawn(bar, QSizeF(wide ? sizes.width : sizes.width * 3 / 10, sizes.line)));
    }
    setHtml(page.html);
    // Keeps the scroll position, so that a number that changes while the user reads it stays in place.
    verticalScrollBar()->setValue(sameKind ? scrolled : 0);
}

QImage InspectorPanel::drawn(const PageBar& bar, QSizeF size) const {
    const Palette& colors = paletteOf(*this);
    const double ratio = devicePixelRatioF();
    QImage image((size * ratio).toSize().expandedTo(QSize(1, 1)), QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(ratio);
    image.fill(colors.grid);
    QPainter painter(&image);
    double x = 0;
    for (const PageBar::Part& part : bar.parts) {
        const double width = std::clamp(part.share, 0.0, 1.0) * size.width();
        const QRectF box(x, 0, width, size.height());
        painter.fillRect(box, colors.of(part.role));
        if (part.role == Role::overlapped)
            painter.fillRect(box, QBrush(colors.of(Role::reduceScatter), Qt::BDiagPattern));
        x += width;
    }
    return image;
}

PageMetrics InspectorPanel::metrics() const {
    const int margin = static_cast<int>(std::ceil(document()->documentMargin() * 2)) + 2;
    // Room for the scroll bar is reserved even while it is hidden. If the page used the viewport's width, a new page
    // could show or hide the scroll bar, which would resize the viewport and ask for a new page, endlessly.
    const int viewportWidth = contentsRect().width() - verticalScrollBar()->sizeHint().width();
    return {fontMetrics().height(), std::max(60, (viewportWidth - margin) * 98 / 100)};
}

void InspectorPanel::resizeEvent(QResizeEvent* event) {
    QTextBrowser::resizeEvent(event);
    // If only the scroll bar was shown or hidden, the sizes are the same and the page stays.
    if (!m_shown || m_shown->metrics != metrics())
        showSoon();
}

}  // namespace ui
