#pragma once

#include <QObject>

namespace ui {

/// Keeps the mouse wheel away from fields that do not have the focus: it scrolls the panel around them instead of
/// changing a value that nobody looks at. Watches all widgets of the program, so that a new field needs no code for it.
class FieldWheel final : public QObject {
public:
    explicit FieldWheel(QObject* parent);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace ui
