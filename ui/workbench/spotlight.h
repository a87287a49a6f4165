#pragma once

#include <QObject>
#include <QPointer>
#include <QString>
#include <QWidget>

#include <functional>
#include <map>

namespace ui {

/// A frame around one control. It is a sibling of the control, so that it scrolls and is clipped with it, and mouse
/// clicks pass through it.
class SpotlightFrame final : public QWidget {
    Q_OBJECT

public:
    explicit SpotlightFrame(QWidget& target);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void follow();

    QWidget& m_target;
};

/// Points at one part of the window, given by a name: "field:link.bandwidth", "lane:dma", "panel:whyDock", or the
/// object name of a widget.
class Spotlight final : public QObject {
    Q_OBJECT

public:
    /// Brings a part into view. Returns the widget to draw a frame around, or null if the function marks the part
    /// itself or if there is no such part.
    using Show = std::function<QWidget*(const QString& name)>;

    /// `window` must outlive the spotlight.
    explicit Spotlight(QWidget& window);

    /// Registers `show` for a kind of parts, such as "lane" in "lane:dma". `clear` removes a mark that `show` drew
    /// itself.
    void add(const QString& kind, Show show, std::function<void()> clear = {});
    /// Points at a part, in place of any other. Returns false if there is no such part.
    bool pointAt(const QString& part);
    void clear();
    /// Returns whether a frame is drawn around a widget.
    bool isOn() const;

private:
    struct Kind {
        Show show;
        std::function<void()> clear;
    };

    QWidget& m_window;
    std::map<QString, Kind> m_kinds;
    QPointer<SpotlightFrame> m_mark;
};

}  // namespace ui
