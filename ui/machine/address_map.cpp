#include "ui/machine/address_map.h"

#include "ui/shared/ring_moment.h"
#include "ui/shared/view_state.h"
#include "ui/workbench/moment_table.h"

#include <QCoreApplication>
#include <QHeaderView>
#include <QStringList>

namespace ui {
namespace {

using engine::ChunkRoute;
using engine::DmaTrigger;
using engine::StoreTarget;

QString addressTr(const char* text) { return QCoreApplication::translate("AddressMap", text); }

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

std::vector<ChunkRoute> shownRoutes(const RingMoment& moment) {
    return engine::routesOf(moment.run()->run.experiment, moment.focusedGpu()).foremost();
}

MomentTable::Content contentOf(const ViewState& viewState, const RingMoment& moment) {
    MomentTable::Content content{
        .title =
            addressTr("No address map: there is no run yet, or the run is a perfect overlap, which is calculated."),
        .columns = {
            {addressTr("Chunk"), true, addressTr("The chunks, in the order in which the GPU works on them")},
            {addressTr("Stores to"), true,
             addressTr("remote_map: where a workgroup's stores go, and whether they add (updates) or overwrite "
                       "(writes)")},
            {addressTr("Updates"), true,
             addressTr("Number of updates that complete an element on this GPU; tracked: the tracker counts them")},
            {addressTr("DMA when"), true,
             addressTr("dma_map: when the chunk's DMA commands become ready: at the start, or when all updates of a "
                       "block have landed")},
            {addressTr("DMA to"), true, addressTr("dma_map: the GPUs to which the chunk's blocks are sent")}}};
    if (!moment.hasStates())
        return content;
    content.title = addressTr("Address map of GPU %1").arg(moment.focusedGpu());
    content.rows = addressMapRows(shownRoutes(moment), viewState.followedChunk());
    return content;
}

}  // namespace

std::vector<ValueRow> addressMapRows(const std::vector<ChunkRoute>& routes, std::optional<std::uint32_t> followed) {
    std::vector<ValueRow> rows;
    rows.reserve(routes.size());
    for (const ChunkRoute& route : routes)
        rows.push_back({.cells = {QString::number(route.chunk), storesText(route), updatesText(route),
                                  triggerText(route), destinationText(route)},
                        .strong = followed == route.chunk});
    return rows;
}

MomentTable* newAddressMap(ViewState& viewState, RingMoment& moment) {
    auto* panel = new MomentTable(
        viewState, moment,
        {.name = QStringLiteral("addressMap"),
         .spoken = addressTr("Address map"),
         .title = QStringLiteral("addressMapTitle"),
         .content = [&viewState, &moment] { return contentOf(viewState, moment); },
         .press =
             [&viewState, &moment](std::size_t row) {
                 const std::uint32_t chunk = shownRoutes(moment)[row].chunk;
                 viewState.setFollowedChunk(viewState.followedChunk() == chunk ? std::nullopt : std::optional(chunk));
             },
         .followsTime = false});
    panel->table().setColumnGap(0);
    panel->table().horizontalHeader()->setStretchLastSection(true);
    return panel;
}

}  // namespace ui
