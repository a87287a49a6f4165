#include "ui/charts/chart_view.h"

#include "ui/charts/chart_bar.h"
#include "ui/charts/chart_canvas.h"
#include "ui/look/widget_parts.h"

#include <QVBoxLayout>

namespace ui {

ChartView::ChartView(SweepState& state, QWidget* parent)
    : QWidget(parent), m_bar(new ChartBar(state, this)), m_canvas(new ChartCanvas(state, this)) {
    setObjectName(QStringLiteral("charts"));
    auto* layout = flushLayout<QVBoxLayout>(this);
    layout->addWidget(m_bar);
    layout->addWidget(m_canvas, 1);
    setFocusProxy(m_canvas);
    connect(m_bar, &ChartBar::settingsChanged, this, [this] {
        m_canvas->setSettings(m_bar->settings());
        Q_EMIT settingsChanged();
    });
}

const ChartSettings& ChartView::settings() const { return m_bar->settings(); }

void ChartView::setSettings(const ChartSettings& settings) {
    m_bar->setSettings(settings);
    m_canvas->setSettings(settings);
}

}  // namespace ui
