#include "ui/machine/address_map_panel.h"

#include "ui/look/relative_font.h"
#include "ui/look/widget_parts.h"
#include "ui/machine/address_map_model.h"
#include "ui/shared/ring_moment.h"
#include "ui/shared/view_state.h"

#include <QHeaderView>
#include <QLabel>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace ui {

AddressMapPanel::AddressMapPanel(ViewState& viewState, RingMoment& moment, QWidget* parent)
    : QWidget(parent), m_viewState(viewState), m_moment(moment), m_model(new AddressMapModel(this)),
      m_title(newWrappedLabel(this, QStringLiteral("addressMapTitle"))), m_table(new QTableView(this)) {
    const int em = fontMetrics().averageCharWidth();
    setRelativeFont(*m_title, 1.1, QFont::DemiBold);
    setNames(*m_table, QStringLiteral("addressMap"), tr("Address map"));
    m_table->setModel(m_model);
    makeRows(*m_table);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setAlternatingRowColors(true);
    m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_table->horizontalHeader()->setStretchLastSection(true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, em, 0, 0);
    m_title->setContentsMargins(em, 0, em, 0);
    m_table->setFrameShape(QFrame::NoFrame);
    column->addWidget(m_title);
    column->addWidget(m_table, 1);
    const auto follow = [this](const QModelIndex& index) {
        if (const auto chunk = m_model->chunkOf(index.row()))
            m_viewState.setFollowedChunk(m_viewState.followedChunk() == chunk ? std::nullopt : chunk);
    };
    connect(m_table, &QTableView::clicked, this, follow);
    connect(m_table, &QTableView::activated, this, follow);
    connect(&m_moment, &RingMoment::runChanged, this, &AddressMapPanel::showMap);
    connect(&m_viewState, &ViewState::focusedGpuChanged, this, &AddressMapPanel::showMap);
    connect(&m_viewState, &ViewState::followedChunkChanged, this,
            [this] { m_model->setFollowed(m_viewState.followedChunk()); });
    showMap();
}

void AddressMapPanel::showMap() {
    if (!m_moment.hasStates()) {
        m_title->setText(
            tr("No map: a perfect overlap is a formula, and before the first run there is nothing to map."));
        m_model->showRoutes({});
        return;
    }
    const engine::Experiment& experiment = m_moment.run()->run.experiment;
    const std::uint32_t gpu = std::min(m_viewState.focusedGpu(), std::max(1u, m_moment.gpus()) - 1);
    m_title->setText(tr("Address map of GPU %1").arg(gpu));
    m_model->showRoutes(engine::routesOf(experiment, gpu).foremost());
    m_model->setFollowed(m_viewState.followedChunk());
    m_table->resizeColumnsToContents();
}

}  // namespace ui
