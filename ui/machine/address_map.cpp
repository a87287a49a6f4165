#include "ui/machine/address_map.h"

#include "ui/look/widget_parts.h"
#include "ui/shared/ring_moment.h"
#include "ui/shared/view_state.h"

#include <QFont>
#include <QHeaderView>
#include <QLabel>
#include <QStringList>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <utility>

namespace ui {
namespace {

using engine::ChunkRoute;
using engine::DmaTrigger;
using engine::StoreTarget;

QString addressTr(const char* text) { return AddressMapModel::tr(text); }

QString storesText(const ChunkRoute& route) {
    if (route.stores == StoreTarget::none)
        return addressTr("none");
    if (route.stores == StoreTarget::local)
        return route.storesAreUpdates ? addressTr("local, updates") : addressTr("local, writes");
    return (route.storesAreUpdates ? addressTr("GPU %1, updates") : addressTr("GPU %1, writes")).arg(route.storesTo);
}

QString updatesText(const ChunkRoute& route) {
    if (route.updatesPerElement == 0)
        return QStringLiteral("–");
    return route.tracked ? addressTr("%1, tracked").arg(route.updatesPerElement)
                         : QString::number(route.updatesPerElement);
}

QString triggerText(const ChunkRoute& route) {
    return route.dma == DmaTrigger::atStart       ? addressTr("at start")
           : route.dma == DmaTrigger::whenUpdated ? addressTr("updated")
                                                  : QStringLiteral("–");
}

QString destinationText(const ChunkRoute& route) {
    if (route.dmaTo.empty())
        return QStringLiteral("–");
    QStringList gpus;
    for (const std::uint32_t gpu : route.dmaTo)
        gpus << QString::number(gpu);
    return (gpus.size() == 1 ? addressTr("GPU %1") : addressTr("GPUs %1")).arg(gpus.join(QStringLiteral(", ")));
}

QString chunkText(const ChunkRoute& route) { return QString::number(route.chunk); }

struct AddressColumn {
    const char* title;
    const char* meaning;
    QString (*text)(const ChunkRoute&);
};

constexpr std::array kColumns{
    AddressColumn{QT_TR_NOOP("Chunk"), QT_TR_NOOP("The chunks, in the order in which the GPU works on them"),
                  chunkText},
    AddressColumn{
        QT_TR_NOOP("Stores to"),
        QT_TR_NOOP("remote_map: where a workgroup's stores go, and whether they add (updates) or overwrite (writes)"),
        storesText},
    AddressColumn{
        QT_TR_NOOP("Updates"),
        QT_TR_NOOP("Number of updates that complete an element on this GPU; tracked: the tracker counts them"),
        updatesText},
    AddressColumn{
        QT_TR_NOOP("DMA when"),
        QT_TR_NOOP("dma_map: when the chunk's DMA commands become ready: at the start, or when all updates of a "
                   "block have landed"),
        triggerText},
    AddressColumn{QT_TR_NOOP("DMA to"), QT_TR_NOOP("dma_map: the GPUs to which the chunk's blocks are sent"),
                  destinationText}};

}  // namespace

void AddressMapModel::showRoutes(std::vector<ChunkRoute> routes) {
    beginResetModel();
    m_routes = std::move(routes);
    endResetModel();
}

void AddressMapModel::setFollowed(std::optional<std::uint32_t> chunk) {
    if (std::exchange(m_followed, chunk) != chunk && !m_routes.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1), {Qt::FontRole});
}

std::optional<std::uint32_t> AddressMapModel::chunkOf(int row) const {
    return row >= 0 && row < rowCount() ? std::optional(m_routes[static_cast<std::size_t>(row)].chunk) : std::nullopt;
}

int AddressMapModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_routes.size());
}

int AddressMapModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(kColumns.size());
}

QVariant AddressMapModel::data(const QModelIndex& index, int role) const {
    const ChunkRoute& route = m_routes[static_cast<std::size_t>(index.row())];
    if (role == Qt::DisplayRole || role == Qt::ToolTipRole)
        return kColumns[static_cast<std::size_t>(index.column())].text(route);
    if (role == Qt::FontRole && m_followed == route.chunk) {
        QFont font;
        font.setBold(true);
        return font;
    }
    return {};
}

QVariant AddressMapModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    const AddressColumn& column = kColumns[static_cast<std::size_t>(section)];
    if (role == Qt::DisplayRole)
        return addressTr(column.title);
    return role == Qt::ToolTipRole ? addressTr(column.meaning) : QVariant();
}

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
            tr("No address map: there is no run yet, or the run is a perfect overlap, which is calculated."));
        m_model->showRoutes({});
        return;
    }
    const engine::Experiment& experiment = m_moment.run()->run.experiment;
    const std::uint32_t gpu = m_moment.focusedGpu();
    m_title->setText(tr("Address map of GPU %1").arg(gpu));
    m_model->showRoutes(engine::routesOf(experiment, gpu).foremost());
    m_model->setFollowed(m_viewState.followedChunk());
    m_table->resizeColumnsToContents();
}

}  // namespace ui
