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

/// The pictures of a run, one at a time or one above the timeline, and the switch between them. All look at one
/// ViewState, so that they show the same moment and the same selection.
class Pictures final : public QWidget {
    Q_OBJECT

public:
    explicit Pictures(QWidget* parent = nullptr);

    /// The first one added is the timeline, which others can stand beside. Views that are not there have no button.
    /// `name` is what a settings file and --view call it.
    /// `figure` says what the picture would be on paper; empty: no figure. `buttonTitle`: a shorter title for the
    /// switch; empty: the title.
    void addView(const QString& name, const QString& title, QWidget* widget,
                 std::function<std::optional<FigureOffer>()> figure = {}, const QString& buttonTitle = {});
    /// Returns what the current picture would be on paper; nothing where it has no figure.
    std::optional<FigureOffer> figure() const;
    QStringList names() const;
    QString titleOf(const QString& name) const;

    QString current() const { return m_views.empty() ? QString() : m_views[m_current].name; }
    bool isBeside() const { return m_beside; }
    /// False, and nothing else, for a name that no view has.
    bool showView(const QString& name);
    /// Keeps the timeline in sight beneath whichever other view is shown.
    void setBeside(bool beside);
    void focusCurrent();

    /// One button for each view, for a bar that has room for it; none while there is only one view.
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
