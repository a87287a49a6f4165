#pragma once

#include <QObject>

namespace ui {

/// Event filter that keeps the mouse wheel away from fields without the focus: the wheel scrolls the panel around such
/// a field and does not change its value by accident. It is installed on the application, so a new field needs no code
/// for it.
class FieldWheel final : public QObject {
public:
    explicit FieldWheel(QObject* parent);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace ui
