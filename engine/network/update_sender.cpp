#include "engine/network/update_sender.h"

#include "engine/kernel/rate.h"

#include <algorithm>
#include <iterator>

namespace engine {

UpdateSender::UpdateSender(const Experiment& experiment, const Topology& topology, std::uint32_t gpu,
                           std::size_t stages, NetworkPort& network)
    : m_network(network) {
    if (!experiment.tracker.heldBytes)
        return;
    m_destinations.resize(topology.gpus);
    for (std::uint32_t to = 0; to < topology.gpus; ++to) {
        const std::vector<std::uint32_t> route = topology.route(gpu, to);
        if (route.empty())
            continue;
        const std::int64_t onTheWay =
            amountIn(latencyOf(topology, route) * 2, bandwidthOf(topology, route).bytesPerSecond);
        m_destinations[to].window = onTheWay + 2 * std::ssize(route) * experiment.detail.granule.count;
        m_destinations[to].escapes.resize(stages);
    }
}

void UpdateSender::send(const Packet& packet, std::uint32_t tile, std::uint32_t chunk, UpdateOrigin& origin) {
    const Update update{packet, tile, chunk, &origin};
    if (m_destinations.empty())
        return hand(update);
    Destination& destination = m_destinations[packet.destination];
    Escape& escape = destination.escapes[packet.stage];
    (escape.tile == tile ? escape.waiting : destination.waiting).push_back(update);
    ++m_waiting;
    sendOn(destination);
}

void UpdateSender::credited(const Credit& credit) {
    Destination& destination = m_destinations[credit.port];
    if (credit.bytes == 0)
        letEscape(destination, credit.stage, credit.tile);
    else if (credit.past)
        destination.escapes[credit.stage].underWay -= credit.bytes;
    else
        destination.underWay -= credit.bytes;
    sendOn(destination);
}

bool UpdateSender::settled() const {
    const auto isBack = [](const auto& window) { return window.underWay == 0; };
    return m_waiting == 0 && std::all_of(m_destinations.begin(), m_destinations.end(), [&](const Destination& each) {
               return isBack(each) && std::all_of(each.escapes.begin(), each.escapes.end(), isBack);
           });
}

// Moves the updates of the tile that the receiver names into the escape window. The tile named before has closed, so
// that none of its updates is left to send.
void UpdateSender::letEscape(Destination& destination, std::uint8_t stage, std::uint32_t tile) {
    Escape& escape = destination.escapes[stage];
    escape.tile = tile;
    const auto escapes = [&](const Update& update) { return update.packet.stage == stage && update.tile == tile; };
    std::copy_if(destination.waiting.begin(), destination.waiting.end(), std::back_inserter(escape.waiting), escapes);
    std::erase_if(destination.waiting, escapes);
}

void UpdateSender::sendOn(Destination& destination) {
    const auto take = [this](Queue& queue) {
        const Update update = queue.front();
        queue.pop_front();
        --m_waiting;
        return update;
    };
    for (Escape& escape : destination.escapes)
        while (!escape.waiting.empty() && destination.fits(escape.underWay, escape.waiting.front())) {
            Update update = take(escape.waiting);
            update.packet.past = true;
            escape.underWay += update.packet.bytes;
            hand(update);
        }
    while (!destination.waiting.empty() && destination.fits(destination.underWay, destination.waiting.front())) {
        const Update update = take(destination.waiting);
        destination.underWay += update.packet.bytes;
        hand(update);
    }
}

void UpdateSender::hand(const Update& update) {
    update.origin->departed(update.packet, m_network.send(update.packet, update.tile, update.chunk));
}

}  // namespace engine
