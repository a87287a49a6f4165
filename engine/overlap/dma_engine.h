#pragma once

#include "engine/api/experiment.h"
#include "engine/api/results.h"
#include "engine/kernel/event_queue.h"
#include "engine/kernel/ring_fifo.h"
#include "engine/memory/memory_controller.h"
#include "engine/network/send_window.h"
#include "engine/network/update_sender.h"
#include "engine/overlap/address_map.h"
#include "engine/overlap/collective_work.h"
#include "engine/workload/output_layout.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace engine {

class Recorder;

/// The GPU's DMA engines with their pre-programmed commands. The address map gives one command for each block of
/// `block_tiles` tiles; a block never crosses a chunk, and the last of a chunk may be shorter.
///
/// A ready command waits for its start-up. Then an engine reads the block through the communication stream and sends
/// each granule, as its data arrive, to each GPU that the map names. With collective.staging=3 it reads the granule
/// once for each of them. Commands are taken in the order in which they
/// became ready. Commands of a companion that go to different GPUs are taken in turn, so that all their links are busy.
///
/// For data that are in memory at the beginning the host issues one copy after the other; a copy is a chunk for one
/// GPU. A chunk that is read once for several GPUs is one command, which begins with the last of their copies. Commands
/// that the tracker triggers cost the host nothing.
///
/// Modelled: start-up (pipelined: the next command starts up while this one streams); several engines with a window of
/// bytes in flight each; the host's time for a copy; for each link a window of bytes that the engines have read and
/// that have not left the GPU, in which engines with reads to issue take turns. An engine reads a block to its end, and
/// waits while the link of that block is full. The number of ready commands is not limited: their order is kept, so a
/// limit would change no time. Left out: descriptor fetches.
class DmaEngine final : public MemoryClient, public UpdateOrigin {
public:
    struct Ports {
        EventPort start;       ///< index: block, or kWindowHasRoom when bytes of a window have left; trigger phase
        EventPort handedOver;  ///< index: chunk that is in memory at the beginning, in the map's order; trigger phase
    };

    /// `stage`: the number, in the program, of the stage to which the packets belong. `map` must outlive the engine.
    DmaEngine(const Experiment& experiment, const CollectiveWork& work, const AddressMap& map, const Ports& ports,
              MemoryController& memory, UpdateSender& network, std::uint32_t gpu, std::uint8_t stage,
              Recorder* recorder);

    /// Marks the commands ready whose data the map puts in memory at the beginning, or begins the host's copies of
    /// them.
    void begin();
    void onHandedOver(std::uint32_t chunk);

    /// Notes that a tile has all its updates. Returns the block that this completes, if it completes one that has a
    /// command.
    std::optional<std::uint32_t> tileComplete(std::uint32_t tile);

    void ready(std::uint32_t block);
    void onStarted(std::uint32_t block);

    bool finished() const { return m_blocksSent == m_commands; }
    std::uint32_t commandsLeft() const { return m_commands - m_blocksSent; }
    DmaResult stats() const { return m_stats; }
    Bytes sentBytes() const { return m_sent; }
    FlowId readFlow() const { return m_readFlow; }
    std::optional<TimePoint> firstSend() const { return m_firstSend; }

    std::uint32_t address(FlowId, std::uint32_t id) const override { return m_region.address(granuleOf(id)); }
    void served(FlowId flow, std::uint32_t id, std::uint32_t bytes, TimePoint finish) override;
    void dataReturned(FlowId flow, std::uint32_t id, std::uint32_t bytes) override;
    void departed(const Packet& packet, TimePoint when) override;

private:
    static constexpr std::uint32_t kWindowHasRoom = 0xffffff;  // an index of Ports::start; block numbers are smaller

    // A request's id consists of the granule and, in the bits above it, the place of its receiver in Block::to, from 1;
    // 0: all receivers.
    static constexpr std::uint32_t kReceiverShift = 24;
    static std::uint32_t granuleOf(std::uint32_t id) { return id & ((1u << kReceiverShift) - 1); }
    struct Block {
        std::uint32_t firstGranule = 0;
        std::uint32_t endGranule = 0;
        std::uint32_t tilesOpen = 0;
        std::uint32_t chunk = 0;
        const std::vector<std::uint32_t>* to = nullptr;
        std::uint32_t packetsLeft = 0;  // not yet handed to the link
        std::uint32_t line = 0;
        std::uint32_t engine = 0;
        TimePoint takenAt;
        TimePoint readAt;  // when the last read so far has returned
        TimePoint sent;    // when the last packet so far has left
    };
    struct Engine {
        std::optional<std::uint32_t> block;  // the block whose reads are being issued
        std::uint32_t nextGranule = 0;
        std::int64_t inFlight = 0;
    };
    // A chunk that is in memory at the beginning. A GPU may start late; other chunks may have become ready before that.
    struct ChunkAtStart {
        std::uint32_t firstBlock = 0;
        std::uint32_t endBlock = 0;
        std::int64_t copies = 0;
    };
    void addCommands(const ChunkRoute& route, std::uint32_t blockTiles);
    void beginAtOnce();
    std::uint32_t lineOf(const ChunkRoute& route);
    std::optional<std::uint32_t> takeStarted();
    void assign();
    void issue(std::uint32_t engine);
    void onRoom();

    const OutputLayout& m_layout;
    Ports m_ports;
    MemoryController& m_memory;
    UpdateSender& m_network;
    std::uint8_t m_gpu;
    std::uint8_t m_stage;
    Recorder* m_recorder;
    Recorder* m_ownTrace;  // null for a companion, of which only transfers and contributions are recorded
    std::uint8_t m_kernel;
    MemoryRegion m_region;
    Duration m_issue;
    Duration m_startup;
    std::int64_t m_window;  // bytes; a very large number when unlimited
    bool m_readsForEach;    // a granule for several GPUs is read once for each
    FlowId m_readFlow;
    std::vector<Block> m_blocks;
    std::vector<ChunkAtStart> m_chunksAtStart;
    SendWindow m_unsent;
    std::uint32_t m_turn = 0;                  // the engine that reads first when it has room
    std::vector<std::uint32_t> m_blockOfTile;  // kNone: none
    std::vector<Engine> m_engines;
    // Commands past their start-up that wait for an engine. A companion has one line for each set of destination GPUs.
    struct Line {
        const std::vector<std::uint32_t>* to = nullptr;
        RingFifo<std::uint32_t> blocks;
    };
    std::vector<Line> m_lines;
    std::uint32_t m_nextLine = 0;
    std::int64_t m_waiting = 0;  // commands that are ready and not yet taken by an engine
    std::uint32_t m_commands = 0;
    std::uint32_t m_blocksSent = 0;
    std::optional<TimePoint> m_firstSend;
    DmaResult m_stats;
    Bytes m_sent;  // more than the bytes read if a block goes to several GPUs
};

}  // namespace engine
