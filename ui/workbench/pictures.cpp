#include "ui/workbench/pictures.h"

#include "ui/look/palette.h"
#include "ui/look/widget_parts.h"

#include <QApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QSplitter>
#include <QToolButton>

#include <algorithm>

namespace ui {
namespace {

constexpr std::size_t kTimeline = 0;
constexpr int kUpperParts = 2, kTimelineParts = 3;  // shares of a picture and of the timeline below it in the height

}  // namespace

Pictures::Pictures(QWidget* parent)
    : QWidget(parent), m_splitter(new QSplitter(Qt::Vertical, this)), m_switcher(new QWidget(this)),
      m_besideButton(new QToolButton(m_switcher)) {
    setObjectName(QStringLiteral("centreViews"));
    setNames(*m_switcher, QStringLiteral("viewSwitcher"), tr("Views"));
    m_splitter->setChildrenCollapsible(false);
    auto* column = flushLayout<QVBoxLayout>(this);
    column->addWidget(m_splitter);
    auto* row = flushLayout<QHBoxLayout>(m_switcher, 0);
    m_besideButton->setObjectName(QStringLiteral("beside"));
    m_besideButton->setText(tr("+ Timeline"));
    m_besideButton->setToolTip(
        tr("Keep the timeline visible below the picture; Ctrl+click on a picture's button does the same"));
    m_besideButton->setCheckable(true);
    m_besideButton->setFocusPolicy(Qt::TabFocus);
    // The button is to the left of the others, so that they keep their places when it is hidden.
    row->addWidget(m_besideButton);
    row->addSpacing(fontMetrics().averageCharWidth());
    connect(m_besideButton, &QToolButton::clicked, this, &Pictures::setBeside);
    m_switcher->hide();
    onEvents(*this, {QEvent::PaletteChange, QEvent::FontChange}, [this] { styleSwitcher(); });
}

void Pictures::addView(const QString& name, const QString& title, QWidget* widget,
                       std::function<std::optional<FigureOffer>()> figure, const QString& buttonTitle) {
    auto* button = new QToolButton(m_switcher);
    button->setText(buttonTitle.isEmpty() ? title : buttonTitle);
    button->setToolTip(title);
    setNames(*button, QStringLiteral("view:") + name, tr("View: %1").arg(title));
    button->setCheckable(true);
    button->setFocusPolicy(Qt::TabFocus);
    const std::size_t index = m_views.size();
    connect(button, &QToolButton::clicked, this,
            [this, index] { choose(index, QApplication::keyboardModifiers().testFlag(Qt::ControlModifier)); });
    static_cast<QHBoxLayout*>(m_switcher->layout())->addWidget(button);
    // Keeps the timeline, which was added first, at the bottom.
    m_splitter->insertWidget(std::max(0, m_splitter->count() - 1), widget);
    m_views.push_back({name, title, widget, button, std::move(figure)});
    m_switcher->setVisible(m_views.size() > 1);
    styleSwitcher();
    arrange();
}

std::optional<FigureOffer> Pictures::figure() const {
    if (m_views.empty() || !m_views[m_current].figure)
        return std::nullopt;
    return m_views[m_current].figure();
}

QStringList Pictures::names() const {
    QStringList names;
    for (const View& view : m_views)
        names << view.name;
    return names;
}

QString Pictures::titleOf(const QString& name) const {
    const auto at = std::ranges::find(m_views, name, &View::name);
    return at == m_views.end() ? QString() : at->title;
}

bool Pictures::showView(const QString& name) {
    const auto at = std::ranges::find(m_views, name, &View::name);
    if (at == m_views.end())
        return false;
    choose(static_cast<std::size_t>(at - m_views.begin()), false);
    return true;
}

void Pictures::setBeside(bool beside) {
    if (m_beside != beside) {
        m_beside = beside;
        arrange();
        Q_EMIT currentChanged();
    }
    m_besideButton->setChecked(beside);
}

void Pictures::choose(std::size_t index, bool besideAsked) {
    const bool changed = m_current != index || (besideAsked && !m_beside);
    m_current = index;
    m_beside = m_beside || besideAsked;
    arrange();
    focusCurrent();
    if (changed)
        Q_EMIT currentChanged();
}

void Pictures::focusCurrent() {
    if (!m_views.empty())
        m_views[m_current].widget->setFocus();
}

void Pictures::arrange() {
    QList<int> sizes;
    for (std::size_t i = 0; i < m_views.size(); ++i) {
        m_views[i].button->setChecked(i == m_current);
        m_views[i].widget->setVisible(i == m_current || (m_beside && i == kTimeline));
    }
    for (int i = 0; i < m_splitter->count(); ++i)
        sizes << (m_splitter->widget(i) == m_views[kTimeline].widget ? kTimelineParts : kUpperParts) * 1000;
    m_splitter->setSizes(sizes);
    setFocusProxy(m_views[m_current].widget);
    m_besideButton->setChecked(m_beside);
    m_besideButton->setVisible(m_current != kTimeline);
}

QByteArray Pictures::splitterState() const { return m_splitter->saveState(); }

void Pictures::restoreSplitter(const QByteArray& state) {
    m_splitter->restoreState(state);
    m_splitter->setOrientation(Qt::Vertical);
}

void Pictures::styleSwitcher() {
    // Seven buttons leave room for the caption beside them in a window of 1280 pixels with both panels.
    const QString sheet = switchSheet(paletteOf(*this), font()) + QStringLiteral("QToolButton { padding: 3px 0.4em; }");
    if (m_switcher->styleSheet() != sheet)
        m_switcher->setStyleSheet(sheet);
}

}  // namespace ui
