#pragma once

#include <QObject>

namespace ui {

class RingMoment;
class ViewState;
class Workbench;

/// The picture Split of the GEMM and the panel with its values.
class SplitFeature final : public QObject {
    Q_OBJECT

public:
    /// All must outlive the feature.
    SplitFeature(Workbench& workbench, ViewState& viewState, RingMoment& moment);
};

}  // namespace ui
