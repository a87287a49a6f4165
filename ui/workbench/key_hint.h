#pragma once

#include <QLabel>

#include <utility>
#include <vector>

namespace ui {

/// A card over the top of a picture that names a few keys for a moment and goes by itself, without taking the keyboard or
/// the mouse from anything.
class KeyHint final : public QLabel {
    Q_OBJECT

public:
    /// `keys` with what they do. Deletes itself after `lastsMs`.
    KeyHint(const std::vector<std::pair<QString, QString>>& keys, QWidget& over, int lastsMs = 6'000);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void place();
};

}  // namespace ui
