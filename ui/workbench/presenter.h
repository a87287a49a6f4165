#pragma once

#include <QLabel>
#include <QObject>
#include <QPoint>
#include <QPointer>
#include <QRect>
#include <QStringList>
#include <QWidget>

#include <utility>
#include <vector>

class QAction;
class QTimer;

namespace ui {

/// Hides the mouse pointer while nobody moves it, so that it does not stand in a picture that others look at. Any movement,
/// press or turn of the wheel brings it back; so does the end of this object.
class StillPointer final : public QObject {
    Q_OBJECT

public:
    explicit StillPointer(QObject* parent = nullptr, int stillMs = 2'500);
    ~StillPointer() override;

    bool isHidden() const { return m_hidden; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void hide();
    void show();

    QTimer* m_still;
    QPoint m_last;
    bool m_hidden = false;
};

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

class Workbench;

/// Presenter mode, for a room full of people: the view alone on the whole screen, in larger type.
class Presenter final : public QObject {
    Q_OBJECT

public:
    /// `workbench` must outlive the presenter.
    explicit Presenter(Workbench& workbench);

    bool isOn() const { return m_on; }
    void set(bool on);
    void addCommand(int rank);

Q_SIGNALS:
    /// The window looks as it is to look now, and the view has the keyboard.
    void changed(bool on);

private:
    void showKeys();

    Workbench& m_workbench;
    bool m_on = false;
    Qt::WindowStates m_stateBefore;
    QRect m_placeBefore;
    QPointer<StillPointer> m_pointer;
    QPointer<KeyHint> m_hint;
    QAction* m_action = nullptr;
};

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
