#pragma once

#include <QObject>

class QWidget;

namespace ui {

/// Lets the controls within a picture keep the keys that they are used with: a slider its arrows, a list its letters, a
/// button its Space. Without this the picture's commands, which lie on the same keys, would take them.
class OwnKeys final : public QObject {
    Q_OBJECT

public:
    /// For every control inside `picture` that ever gets the focus.
    explicit OwnKeys(QWidget& picture);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace ui
