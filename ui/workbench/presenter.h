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

/// Event filter that hides the mouse pointer while it does not move, so that it does not cover a picture that an
/// audience looks at. Any movement, press or turn of the wheel shows it again; so does the destructor.
class IdlePointerHider final : public QObject {
    Q_OBJECT

public:
    explicit IdlePointerHider(QObject* parent = nullptr, int stillMs = 2'500);
    ~IdlePointerHider() override;

    bool isHidden() const { return m_hidden; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void hide();
    void show();

    QTimer* m_still;  ///< fires when the pointer has not moved for some time
    QPoint m_last;
    bool m_hidden = false;
};

/// A card in the upper part of a picture that shows a few keys for some seconds. It does not take the keyboard focus,
/// and mouse events pass through it.
class KeyHint final : public QLabel {
    Q_OBJECT

public:
    /// `keys` are keys with their meanings. The card deletes itself after `lastsMs` milliseconds.
    KeyHint(const std::vector<std::pair<QString, QString>>& keys, QWidget& over, int lastsMs = 6'000);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void place();
};

class Workbench;

/// Presenter mode for lectures: shows only the view, on the whole screen and in larger type.
class Presenter final : public QObject {
    Q_OBJECT

public:
    /// `workbench` must outlive the presenter.
    explicit Presenter(Workbench& workbench);

    bool isOn() const { return m_on; }
    void set(bool on);
    void addCommand(int rank);
    /// Returns the factor by which presenter mode enlarges type of this line height on a screen of this height: lines
    /// have the same share of every projected picture, and no line is smaller than outside presenter mode.
    static double enlargement(double line, int screenHeight);

Q_SIGNALS:
    /// Presenter mode is completely on or off now, and the view has the keyboard focus.
    void changed(bool on);

private:
    void showKeys();

    Workbench& m_workbench;
    bool m_on = false;
    Qt::WindowStates m_stateBefore;
    QRect m_placeBefore;
    QPointer<IdlePointerHider> m_pointer;
    QPointer<KeyHint> m_hint;
    QAction* m_action = nullptr;
};

/// A caption for the back of a lecture room: a dark band with large white letters below the picture, like subtitles,
/// the same in both themes. It describes what happens at the cursor, in two lines, or one on a low screen. If there are
/// too many parts, it shows as many as fit, so that the picture above never moves.
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
