#pragma once

#include <QObject>

namespace ui {

class Player;
class RingMoment;
class ViewState;
class Workbench;

/// Adds the view Chunks to the window.
class ChunksFeature final : public QObject {
    Q_OBJECT

public:
    /// All must outlive the feature.
    ChunksFeature(Workbench& workbench, ViewState& viewState, RingMoment& moment, Player& player);
};

}  // namespace ui
