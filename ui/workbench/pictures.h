#pragma once

#include "ui/shared/figure_offer.h"

#include <QString>
#include <QStringList>
#include <QWidget>

#include <functional>
#include <optional>
#include <vector>

class QSplitter;
class QToolButton;

namespace ui {

/// The pictures of a run, and the buttons that switch between them. Shows one picture, or one above the timeline. All
/// pictures use one ViewState, so that they show the same time and the same selection.
class Pictures final : public QWidget {
    Q_OBJECT

public:
    explicit Pictures(QWidget* parent = nullptr);

    /// Adds a picture. The first one is the timeline, above which the others can be shown. `name` identifies the
    /// picture in settings files and for --view. `figure` returns the picture as a figure; empty: no figure.
    /// `buttonTitle` is a shorter title for the button; empty: the title.
    void addView(const QString& name, const QString& title, QWidget* widget,
                 std::function<std::optional<FigureOffer>()> figure = {}, const QString& buttonTitle = {});
    /// Returns the current picture as a figure, or an empty optional if it has none.
    std::optional<FigureOffer> figure() const;
    QStringList names() const;
    QString titleOf(const QString& name) const;

    QString current() const { return m_views.empty() ? QString() : m_views[m_current].name; }
    bool isBeside() const { return m_beside; }
    /// Shows a picture. Returns false and does nothing if no picture has that name.
    bool showView(const QString& name);
    /// Switches whether the timeline stays visible below another picture.
    void setBeside(bool beside);
    void focusCurrent();

    /// Returns a widget with a button for each picture, to be placed in a toolbar; it is hidden while there is only one
    /// picture.
    QWidget* switcher() const { return m_switcher; }

    QByteArray splitterState() const;
    void restoreSplitter(const QByteArray& state);

Q_SIGNALS:
    void currentChanged();

private:
    struct View {
        QString name, title;
        QWidget* widget;
        QToolButton* button;
        std::function<std::optional<FigureOffer>()> figure;
    };

    void choose(std::size_t index, bool besideAsked);
    void arrange();
    void styleSwitcher();

    std::vector<View> m_views;
    std::size_t m_current = 0;
    bool m_beside = false;
    QSplitter* m_splitter;
    QWidget* m_switcher;
    QToolButton* m_besideButton;
};

}  // namespace ui
