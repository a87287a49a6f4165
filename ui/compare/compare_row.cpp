#include "ui/compare/compare_row.h"

#include "ui/look/cause_style.h"
#include "ui/look/format.h"
#include "ui/look/palette.h"
#include "ui/look/plain_tip.h"
#include "ui/look/ribbon_columns.h"
#include "ui/look/widget_parts.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QStackedLayout>
#include <QToolButton>

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

constexpr double kBandHeight = 0.75;  // lines
constexpr double kBandTexture = 0.3;

enum RowPage : int { kRowWords, kRowPicture };
constexpr double kRowTitle = 1.2;
constexpr double kLeastPicture = 3;  // lines of text, for its time axis and its phases

}  // namespace

CauseBand::CauseBand(std::function<TimelineGeometry()> geometry, QWidget* parent)
    : QWidget(parent), m_geometry(std::move(geometry)) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Causes along the critical path"));
    showTipAt(*this, [this](QPoint place) { return Tip{wordsAt(place.x()), {}}; });
    hide();
}

void CauseBand::showRun(std::shared_ptr<const data::ShownRun> run) {
    m_run = std::move(run);
    m_causes = m_run && m_run->run.result.path ? data::CauseIndex(m_run->run.result.path) : data::CauseIndex();
    setVisible(!m_causes.empty());
    update();
}

QSize CauseBand::sizeHint() const { return {200, static_cast<int>(std::round(fontMetrics().height() * kBandHeight))}; }

std::optional<engine::Cause> CauseBand::causeAt(double x) const {
    const TimelineGeometry geometry = m_geometry();
    if (m_causes.empty() || x < geometry.left || x > geometry.left + geometry.width)
        return std::nullopt;
    const engine::CauseTimes times = m_causes.between({geometry.timeAt(x), geometry.timeAt(x + geometry.pixel) + 1});
    const auto most = std::max_element(times.by.begin(), times.by.end());
    return most->ps > 0 ? std::optional(static_cast<engine::Cause>(most - times.by.begin())) : std::nullopt;
}

QString CauseBand::wordsAt(double x) const {
    const std::optional<engine::Cause> cause = causeAt(x);
    if (!cause)
        return {};
    const engine::Duration sum =
        m_run->run.result.attribution ? m_run->run.result.attribution->causes[*cause] : engine::Duration{};
    const QString words = tr("<b>%1</b><br>%2").arg(textOf(*cause), meaningOf(*cause));
    return sum.ps > 0 ? words + tr("<br>In the whole run: %1").arg(formatTime(sum.ps)) : words;
}

void CauseBand::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Palette& colors = paletteOf(*this);
    const TimelineGeometry geometry = m_geometry();
    painter.fillRect(rect(), colors.surface);
    QFont small = font();
    small.setPixelSize(std::max(7, static_cast<int>(height() * 0.95)));
    painter.setFont(small);
    painter.setPen(colors.inkSoft);
    painter.drawText(QRectF(0, 0, geometry.left - fontMetrics().height() * 0.5, height()),
                     Qt::AlignRight | Qt::AlignVCenter, tr("waits for"));
    const double ratio = devicePixelRatioF();
    const RibbonColumns columns = ribbonColumns(m_causes, geometry);
    const QImage image =
        ribbonImage(columns, std::max(1, static_cast<int>(std::lround(height() * ratio))), ratio,
                    std::max(4, static_cast<int>(std::lround(fontMetrics().height() * kBandTexture * ratio))), colors);
    if (!image.isNull())
        painter.drawImage(QPointF(static_cast<double>(columns.first) / ratio, 0), image);
}

CompareRow::CompareRow(const RunPictureFactory& pictures, QWidget* parent)
    : QWidget(parent), m_head(new QWidget(this)), m_menu(new QMenu(this)), m_words(newWrappedLabel(this)),
      m_pages(new QStackedLayout) {
    setObjectName(QStringLiteral("compareRow"));
    buildHead();
    m_picture = pictures(m_state, this);
    m_picture->momentAsked = [this](std::int64_t ps) { Q_EMIT momentRequested(ps); };
    m_band = new CauseBand(
        [this] {
            TimelineGeometry geometry = m_picture->geometry();
            geometry.left += m_picture->widget().mapTo(this, QPoint()).x() - m_band->x();
            return geometry;
        },
        this);
    m_words->setAlignment(Qt::AlignCenter);
    setRelativeFont(*m_words, 1.1);
    addWidgets(*m_pages, {m_words, &m_picture->widget()});
    auto* column = newLayout<QVBoxLayout>(this, {0, 1, 0, 0}, 0);
    addWidgets(*column, {m_head, m_band});
    column->addLayout(m_pages, 1);
    const int least = static_cast<int>(std::round(fontMetrics().height() * kLeastPicture));
    m_words->setMinimumHeight(least);
    m_picture->widget().setMinimumHeight(least);
    setFocusProxy(&m_picture->widget());
    connect(&m_state, &ViewState::rangeChanged, m_band, qOverload<>(&QWidget::update));
    followColours(*this, [this] { applyColors(); });
}

CompareRow::~CompareRow() {
    // The picture may have the focus, and reads m_state when it loses the focus. So the picture is destroyed first.
    setFocusProxy(nullptr);
    m_picture.reset();
}

void CompareRow::buildHead() {
    const int em = fontMetrics().averageCharWidth();
    const auto label = [this](const char* name, double size, QFont::Weight weight) {
        auto* made = new QLabel(m_head);
        made->setObjectName(QLatin1String(name));
        made->setTextFormat(Qt::PlainText);
        setRelativeFont(*made, size, weight);
        return made;
    };
    m_letter = label("rowLetter", kRowTitle, QFont::Bold);
    m_letter->setAutoFillBackground(true);
    m_letter->setAlignment(Qt::AlignCenter);
    m_letter->setContentsMargins(em, 0, em, 0);
    m_name = label("rowName", kRowTitle, QFont::DemiBold);
    m_total = label("rowTotal", kRowTitle, QFont::DemiBold);
    m_against = label("rowAgainst", 1.05, QFont::DemiBold);
    m_remark = label("rowRemark", 1, QFont::Normal);
    m_remark->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_more = new QToolButton(m_head);
    m_more->setObjectName(QStringLiteral("rowMore"));
    m_more->setAutoRaise(true);
    m_more->setPopupMode(QToolButton::InstantPopup);
    m_more->setMenu(m_menu);
    m_more->setStyleSheet(QStringLiteral("QToolButton::menu-indicator{image:none}"));
    m_remove = new QToolButton(m_head);
    m_remove->setObjectName(QStringLiteral("rowRemove"));
    m_remove->setAutoRaise(true);
    connect(m_remove, &QToolButton::clicked, this, &CompareRow::removeRequested);
    auto* row = newLayout<QHBoxLayout>(m_head, {em, 1, em, 1}, em * 3 / 2);
    addWidgets(*row, {m_letter, m_name});
    row->addSpacing(em);
    addWidgets(*row, {m_total, m_against});
    row->addWidget(m_remark, 1);
    addWidgets(*row, {m_more, m_remove});
}

void CompareRow::setActions(const QList<QAction*>& actions) {
    m_menu->clear();
    m_menu->addActions(actions);
}

void CompareRow::showRun(std::shared_ptr<const data::ShownRun> run) {
    if (run == m_run)
        return;
    m_run = std::move(run);
    m_band->showRun(m_run);
    m_pages->setCurrentIndex(m_run ? kRowPicture : kRowWords);
}

void CompareRow::showText(const CompareRowText& text) {
    m_text = text;
    m_letter->setText(text.letter);
    m_name->setText(text.name);
    m_total->setText(text.total);
    m_against->setText(text.against);
    m_remark->setText(m_run ? text.remark : QString());
    m_remark->setToolTip(plainTip(m_remark->text()));
    m_words->setText(m_run ? QString() : text.remark);
    m_more->setAccessibleName(tr("Actions for %1, %2").arg(text.letter, text.name));
    m_remove->setAccessibleName(tr("Remove %1, %2").arg(text.letter, text.name));
    m_remove->setToolTip(tr("Remove from the comparison"));
    setAccessibleName(tr("%1: %2, %3 %4 %5").arg(text.letter, text.name, text.total, text.against, text.remark));
    applyColors();
}

void CompareRow::applyColors() {
    const Palette& colors = paletteOf(*this);
    const QColor own = colors.ofPolicy(m_text.policy);
    QPalette badge = m_letter->palette();
    badge.setColor(QPalette::Window, own);
    badge.setColor(QPalette::WindowText, Palette::inkOn(own));
    m_letter->setPalette(badge);
    setInk(*m_name, own);
    setInk(*m_total, colors.ink);
    setInk(*m_against, m_text.better ? colors.better : m_text.worse ? colors.error : colors.inkSoft);
    setInk(*m_remark, m_text.failed ? colors.error : colors.inkSoft);
    setInk(*m_words, m_text.failed ? colors.error : colors.inkSoft);
    m_more->setIcon(tintedIcon(QStringLiteral("more"), *this));
    m_remove->setIcon(tintedIcon(QStringLiteral("close"), *this));
    update();
}

// Fills the head in the window's colour, and draws a line that separates the row from the one above.
void CompareRow::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Palette& colors = paletteOf(*this);
    painter.fillRect(rect(), colors.surface);
    painter.fillRect(QRect(0, 0, width(), m_head->geometry().bottom() + 1), colors.window);
    painter.fillRect(QRect(0, 0, width(), 1), colors.line);
}

}  // namespace ui
