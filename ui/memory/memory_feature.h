#pragma once

#include <QObject>

#include <cstdint>

namespace ui {

class MemoryView;
class Player;
class RingMoment;
class ViewState;
class Workbench;

/// Adds the picture Memory and the panel Memory over time to the window.
class MemoryFeature final : public QObject {
    Q_OBJECT

public:
    /// All must outlive the feature.
    MemoryFeature(Workbench& workbench, ViewState& viewState, RingMoment& moment, Player& player);

    MemoryView& view() { return *m_view; }
    /// Shows the picture with the banks of a channel, or with all channels if the run has no banks.
    void showBanks(std::uint32_t channel);

private:
    Workbench& m_workbench;
    MemoryView* m_view;
};

}  // namespace ui
