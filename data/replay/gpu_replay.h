#pragma once

#include "data/replay/log_event.h"
#include "data/replay/log_facts.h"
#include "data/replay/ring_state.h"

#include <optional>
#include <vector>

namespace data {

/// The state of one recorded GPU, advanced event by event. It is a value: a copy is a snapshot.
class GpuReplay {
public:
    /// `facts` must outlive the replay and all its copies.
    explicit GpuReplay(const LogFacts& facts);

    /// Applies an event. Appends the changes of tiles that it causes to `changes`, if given.
    void apply(const LogEvent& event, std::vector<TileChange>* changes = nullptr);

    /// Returns the state with the recorded GPU's numbers of tiles and chunks. Members that RunLog reads from counters
    /// and link lanes are not set.
    GpuState state() const;

    const std::array<std::uint32_t, kTileStates>& chunkTiles(std::uint32_t chunk) const { return m_chunkTiles[chunk]; }
    TileState tileState(std::uint32_t tile) const { return m_tiles[tile].state; }

private:
    void happen(const LogEvent& event);

    struct Tile {
        std::uint32_t stored = 0, arrived = 0, summed = 0, sent = 0;  // bytes
        std::uint32_t entry = kNoEntry;
        bool computed = false;
        bool leaving = false;  // sent by kernels or direct stores, or its command is taken
        TileState state = TileState::notProduced;
    };
    struct Entry {
        std::uint32_t tile = 0;
        bool gathers = false;
        std::int64_t sincePs = 0;
        std::optional<Landing> last;
    };
    struct Command {
        std::uint32_t command = 0;
        std::int64_t sincePs = 0;
    };
    static constexpr std::uint32_t kNoEntry = 0xffffffffu;

    TileState stateOf(std::uint32_t tile) const;
    TileCopies copiesOf(std::uint32_t tile) const;
    void update(std::uint32_t tile);
    void land(const LogEvent& event);
    void count(const Tile& tile, const Landing& landing);
    void takeEntry(const LogEvent& event);
    void freeEntry(const LogEvent& event);
    void trigger(const LogEvent& event);
    void beginTransfer(const LogEvent& event);
    void endTransfer(const LogEvent& event);
    void moveStep(const LogEvent& event);
    void endGemm();
    void endPiece(std::uint32_t piece);
    void finishStores(std::uint32_t tile);
    TrackerEntry describe(std::size_t entry) const;
    BlockState describe(const Command& command) const;
    /// Returns where the bytes of a wavefront begin within its tile. They end where those of the next wavefront begin.
    std::uint32_t wavefrontBegin(std::uint32_t tile, std::uint32_t wavefront) const;

    const LogFacts* m_facts;
    std::vector<TileChange>* m_changes = nullptr;  // while an event is applied
    std::int64_t m_ps = 0;
    std::vector<Tile> m_tiles;
    std::vector<std::array<std::uint32_t, kTileStates>> m_chunkTiles;
    std::vector<Entry> m_entries;
    std::vector<std::uint32_t> m_landed;  // by entry and wavefront
    std::vector<Command> m_waiting, m_moving;
    std::optional<Landing> m_lastLanding;
    std::optional<std::uint32_t> m_lastBlock, m_lastClosed, m_step, m_wave;
    std::optional<std::int64_t> m_lastTriggerPs, m_lastClosePs;
    bool m_gathering = false;
};

}  // namespace data
