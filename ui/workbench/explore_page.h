#pragma once

#include <QWidget>

#include <map>

class QHBoxLayout;
class QVBoxLayout;

namespace ui {

class Pictures;
class Veil;

/// The view Explore: the pictures of one run, and the rows above and beneath them that features put there.
class ExplorePage final : public QWidget {
    Q_OBJECT

public:
    /// Where a row stands: above the pictures from the top down, then beneath them.
    enum class Row { transport, caption, find, ghost, headlines };

    explicit ExplorePage(QWidget* parent = nullptr);

    Pictures& pictures() { return *m_pictures; }
    Veil& veil() { return *m_veil; }
    /// Puts a widget into a row, also one that was elsewhere meanwhile. The caption stands beside the switch of pictures.
    void setRow(Row row, QWidget* widget);

private:
    Pictures* m_pictures;
    Veil* m_veil;
    QVBoxLayout* m_column;
    QHBoxLayout* m_captionRow;
    std::map<Row, QWidget*> m_rows;
};

}  // namespace ui
