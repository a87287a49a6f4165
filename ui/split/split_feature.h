#pragma once

#include <QObject>

namespace ui {

class RingMoment;
class ViewState;
class Workbench;

/// Adds the view Split of the GEMM and the panel with its values to the window.
class SplitFeature final : public QObject {
    Q_OBJECT

public:
    /// All must outlive the feature.
    SplitFeature(Workbench& workbench, ViewState& viewState, RingMoment& moment);
};

}  // namespace ui
