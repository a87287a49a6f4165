#pragma once

#include <QStringList>
#include <QWidget>

class QLabel;

namespace ui {

/// What happens at the cursor, for the last row of a room: a dark band with large white letters under the picture, like
/// subtitles, the same in both themes. Two lines, or one on a low screen: of several parts as many as there is room for, so that the
/// picture above never moves.
class PresenterCaption final : public QWidget {
    Q_OBJECT

public:
    explicit PresenterCaption(QWidget* parent = nullptr);

    void showParts(const QStringList& parts);
    QString text() const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void fit();
    bool fits(const QString& text) const;
    int lines() const;

    QStringList m_parts;
    QLabel* m_text;
};

}  // namespace ui
