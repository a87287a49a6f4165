#include "engine/run/baseline_memory.h"

namespace engine {

BaselineCache::BaselineCache(std::size_t mostGpus) : m_memory(std::make_unique<BaselineMemory>(mostGpus)) {}

BaselineCache::~BaselineCache() = default;

BaselineCache::Counts BaselineCache::counts() const { return m_memory->counts(); }

}  // namespace engine
