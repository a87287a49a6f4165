#pragma once

#include "engine/api/experiment.h"

#include <cstdint>
#include <vector>

namespace engine {

/// The number of a kernel on its GPU: the own GEMM, own collective kernels, then those of the companion.
using KernelId = std::uint8_t;
inline constexpr KernelId kNoKernel = 0xff;

/// The room of one CU. A workgroup of a GEMM with s slots takes 1/s of it, which is exact up to s = 16; one of a
/// collective kernel takes all of it.
inline constexpr std::uint32_t kWholeCu = 720720;

/// Gives the room of CUs to the workgroups of kernels (side-by-side, section 4). The dispatch rule chooses the kernel
/// whose workgroup comes next on a CU. If that workgroup does not fit, the CU stays unfilled until it does.
/// - in-order: the kernel launched first; at equal times own work, which is added first, comes first;
/// - companion-first: the companion's kernels while one of them has workgroups left;
/// - round-robin: the next kernel in turn;
/// - reserved: the last CUs take workgroups of collectives only, all others those of GEMMs only; each in order.
class Dispatcher {
public:
    explicit Dispatcher(const Experiment& experiment);

    struct Kernel {
        bool collective = false;
        bool companion = false;
        std::uint32_t workgroups = 0;
        std::uint32_t room = kWholeCu;  ///< room of one workgroup
    };
    KernelId add(const Kernel& kernel);

    /// Launches a kernel: its workgroups ask for room from now on.
    void launch(KernelId kernel);

    /// Adds workgroups to a launched kernel; they come behind those of kernels that were launched before now.
    void extend(KernelId kernel, std::uint32_t workgroups);

    /// Withdraws a kernel that has ended: its workgroups that have got no room no longer ask for it.
    void withdraw(KernelId kernel);

    /// Takes room on `cu` for the workgroup that comes next there and returns its kernel; kNoKernel if no workgroup
    /// asks for room there or the next one does not fit.
    KernelId take(std::uint32_t cu) {
        Line& line = cu < m_firstReserved ? m_line : m_reservedLine;
        if (line.empty())
            return kNoKernel;
        const KernelId next = line.front();
        Kernel& kernel = m_kernels[next];
        if (m_free[cu] < kernel.room)
            return kNoKernel;
        m_free[cu] -= kernel.room;
        if (--kernel.workgroups == 0)
            line.erase(line.begin());
        else if (m_turns && line.size() > 1)
            takeTurns(line);
        return next;
    }

    void release(KernelId kernel, std::uint32_t cu) { m_free[cu] += m_kernels[kernel].room; }

    std::uint32_t cus() const { return static_cast<std::uint32_t>(m_free.size()); }
    /// Returns the number of CUs that take workgroups of GEMMs.
    std::uint32_t cusForGemms() const { return m_firstReserved; }

private:
    void enter(KernelId id);
    using Line = std::vector<KernelId>;  // kernels that have workgroups left, the next one first
    static void takeTurns(Line& line);

    bool m_companionFirst;
    bool m_turns;  // round-robin
    bool m_reserves;
    std::uint32_t m_firstReserved;  // CU
    std::vector<Kernel> m_kernels;
    std::vector<std::uint32_t> m_free;  // room, by CU
    Line m_line, m_reservedLine;
};

}  // namespace engine
