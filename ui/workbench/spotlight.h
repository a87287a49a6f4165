#pragma once

#include <QObject>
#include <QPointer>
#include <QString>
#include <QWidget>

#include <functional>
#include <map>

namespace ui {

/// A frame around one control, for "this one". Lies beside the control, so that it scrolls and is cut off with it, and
/// lets every click through.
class SpotMark final : public QWidget {
    Q_OBJECT

public:
    explicit SpotMark(QWidget& target);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void follow();

    QWidget& m_target;
};

/// Points at one part of the window: "field:link.bandwidth", "lane:dma", "panel:whyDock", or a widget by its object name.
class Spotlight final : public QObject {
    Q_OBJECT

public:
    /// Brings a part into sight. Returns the widget to draw a frame around, or null if it marks the part itself, or there
    /// is no such part.
    using Show = std::function<QWidget*(const QString& name)>;

    /// `window` must outlive the spotlight.
    explicit Spotlight(QWidget& window);

    /// From now on parts of this kind, "lane" of "lane:dma", are brought into sight by `show`. `clear` takes back a mark
    /// that `show` drew itself.
    void add(const QString& kind, Show show, std::function<void()> clear = {});
    /// Points at a part and at no other one. Returns false if there is no such part.
    bool pointAt(const QString& part);
    void clear();
    /// Whether a frame is drawn around a widget.
    bool isOn() const;

private:
    struct Kind {
        Show show;
        std::function<void()> clear;
    };

    QWidget& m_window;
    std::map<QString, Kind> m_kinds;
    QPointer<SpotMark> m_mark;
};

}  // namespace ui
