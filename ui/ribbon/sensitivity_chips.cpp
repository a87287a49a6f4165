#include "ui/ribbon/sensitivity_chips.h"

#include "data/experiment/experiment_document.h"
#include "engine/api/parameters.h"
#include "ui/look/cause_style.h"
#include "ui/look/palette.h"
#include "ui/look/relative_font.h"
#include "ui/look/wait_text.h"
#include "ui/look/widget_parts.h"
#include "ui/ribbon/sensitivity_words.h"

#include <QLabel>
#include <QPainter>
#include <QProgressBar>
#include <QPushButton>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace ui {
namespace {

constexpr int kSettleMs = 350;  // after the last answer: nobody turns a knob any more
constexpr std::size_t kFirst = 5;
constexpr double kBarTint = 0.28;
constexpr double kChipMargins = 1.3;  // lines beside the words

// What is asked is how the total changes, and coarse pieces answer that in a tenth of the time.
engine::Experiment coarse(const data::ShownRun& run) {
    data::ExperimentDraft draft = run.run.draft;
    draft.explicitValues["detail.level"] = std::string(engine::name(engine::DetailLevel::interactive));
    const data::Expansion expansion = data::expand(draft);
    return expansion.runnable() ? expansion.experiment : run.run.experiment;
}

}  // namespace

SensitivityChip::SensitivityChip(data::Sensitivity sensitivity, double largest, QWidget* parent)
    : QAbstractButton(parent), m_sensitivity(std::move(sensitivity)), m_largest(largest) {
    setText(changeText(m_sensitivity) + QLatin1Char(' ') + effectText(m_sensitivity.effect));
    setAccessibleName(sensitivityText(m_sensitivity));
    setToolTip(sensitivityText(m_sensitivity) + QLatin1Char('\n') + tr("Click to go to the parameter in the form."));
    setCursor(Qt::PointingHandCursor);
    setFocusPolicy(Qt::StrongFocus);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);  // as fixed it would never have two lines
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

QSize SensitivityChip::sizeHint() const {
    const auto wide = static_cast<int>(oneLine() + fontMetrics().height() * (kChipMargins + 0.2));
    return {wide, heightForWidth(wide)};
}

QSize SensitivityChip::minimumSizeHint() const {
    return {fontMetrics().height() * 8, fontMetrics().height() * 3 / 2 + 3};
}

void SensitivityChip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Palette& colors = paletteOf(*this);
    const QColor cause = colourOf(m_sensitivity.group, colors);
    const double line = fontMetrics().height();
    const QRectF box = QRectF(rect()).adjusted(1, 1.5, -1, -1.5);
    painter.setPen(Qt::NoPen);
    painter.setBrush(underMouse() ? colors.grid : colors.stripe);
    painter.drawRoundedRect(box, line * 0.25, line * 0.25);
    // The bar is the effect on one scale for all chips, faint under the words.
    const double share = m_largest > 0 ? std::abs(m_sensitivity.effect) / m_largest : 0;
    painter.setBrush(Palette::mixed(colors.surface, cause, kBarTint));
    painter.drawRoundedRect(QRectF(box.left(), box.top(), std::max(line * 0.4, box.width() * share), box.height()),
                            line * 0.25, line * 0.25);
    painter.setBrush(cause);
    painter.drawRoundedRect(QRectF(box.left(), box.top(), line * 0.4, box.height()), line * 0.15, line * 0.15);
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(colors.accent, 2));
        painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), line * 0.25, line * 0.25);
    }
    paintWords(painter, box.adjusted(line * 0.7, 0, -line * 0.4, 0));
}

void SensitivityChip::paintWords(QPainter& painter, const QRectF& words) const {
    const Palette& colors = paletteOf(*this);
    const double line = fontMetrics().height();
    const QString noise = noiseText(m_sensitivity);
    const double noiseWidth = noise.isEmpty() ? 0 : fontMetrics().horizontalAdvance(noise) + line * 0.4;
    const bool twoLines = words.width() < oneLine();
    const QRectF what = twoLines ? words.adjusted(0, line * 0.15, 0, -words.height() / 2) : words;
    const QRectF effect = twoLines ? words.adjusted(0, words.height() / 2, 0, -line * 0.15) : words;
    painter.setPen(colors.inkSoft);
    painter.drawText(effect, Qt::AlignRight | Qt::AlignVCenter, noise);
    painter.setPen(colors.ink);
    painter.drawText(
        what, Qt::AlignLeft | Qt::AlignVCenter,
        fontMetrics().elidedText(changeText(m_sensitivity), Qt::ElideRight, static_cast<int>(words.width())));
    painter.setFont(strong());
    painter.setPen(colors.ink);
    painter.drawText(effect.adjusted(0, 0, -noiseWidth, 0), Qt::AlignRight | Qt::AlignVCenter,
                     effectText(m_sensitivity.effect));
}

QFont SensitivityChip::strong() const { return strongFont(font()); }

double SensitivityChip::oneLine() const {
    const QFontMetricsF metrics(font());
    return metrics.horizontalAdvance(changeText(m_sensitivity)) + metrics.horizontalAdvance(noiseText(m_sensitivity)) +
           QFontMetricsF(strong()).horizontalAdvance(effectText(m_sensitivity.effect)) + metrics.height();
}

// Nothing is left out where the panel is narrow: the number then stands beneath the words.
int SensitivityChip::heightForWidth(int width) const {
    const int line = fontMetrics().height();
    return width - line * kChipMargins < oneLine() ? line * 5 / 2 + 3 : line * 3 / 2 + 3;
}

SensitivityChips::SensitivityChips(SensitivitySessionConfig config, QWidget* parent)
    : QWidget(parent), m_session(std::move(config)),
      m_settled(pauseTimer(this, kSettleMs, [this] { begin(SensitivitySession::Asked::no); })),
      m_rows(flushLayout<QVBoxLayout>(nullptr, 0)), m_progress(new QProgressBar(this)), m_note(newWrappedLabel(this)),
      m_stop(new QToolButton(this)), m_find(new QPushButton(tr("Find Out"), this)), m_more(new QToolButton(this)) {
    setObjectName(QStringLiteral("sensitivityChips"));
    auto* title = new QLabel(tr("What would help"), this);
    setRelativeFont(*title, 1.0, QFont::DemiBold);
    m_progress->setRange(0, 1000);
    m_progress->setTextVisible(false);
    m_progress->setMaximumHeight(fontMetrics().height() / 2);
    m_progress->setAccessibleName(tr("Progress of the sensitivities"));
    m_stop->setText(tr("Stop"));
    m_stop->setAccessibleName(tr("Stop looking for what would help"));
    m_find->setObjectName(QStringLiteral("findSensitivities"));
    m_more->setAutoRaise(true);
    m_more->setCheckable(true);
    m_more->hide();
    auto* head = new QHBoxLayout;
    head->addWidget(title, 1);
    head->addWidget(m_more);
    auto* column = flushLayout<QVBoxLayout>(this, 2);
    column->addLayout(head);
    column->addLayout(m_rows);
    auto* work = new QHBoxLayout;
    work->addWidget(m_progress, 1);
    work->addWidget(m_stop);
    column->addLayout(work);
    column->addWidget(m_note);
    column->addWidget(m_find, 0, Qt::AlignLeft);
    connectSession();
    showNote(tr("No run yet."), false);
}

void SensitivityChips::connectSession() {
    connect(m_more, &QToolButton::toggled, this, &SensitivityChips::showMore);
    connect(m_find, &QPushButton::clicked, this, [this] { begin(SensitivitySession::Asked::yes); });
    connect(m_stop, &QToolButton::clicked, this, [this] {
        m_session.cancel();
        offer(tr("Stopped."));
    });
    connect(&m_session, &SensitivitySession::progressChanged, this, [this](double fraction, int secondsLeft) {
        m_progress->setValue(static_cast<int>(std::lround(fraction * 1000)));
        showNote(
            secondsLeft < 0
                ? tr("Changing one parameter at a time…")
                : tr("Changing one parameter at a time: %1 left").arg(formatWait(std::chrono::seconds(secondsLeft))),
            true);
    });
    connect(&m_session, &SensitivitySession::found, this,
            [this](const std::shared_ptr<const data::SensitivityReport>& report) { showReport(*report); });
    connect(&m_session, &SensitivitySession::takesLong, this, [this](const data::SensitivityOutlook& outlook) {
        offer(tr("To change one parameter at a time takes about %1.").arg(formatWait(outlook.estimate)));
    });
    connect(&m_session, &SensitivitySession::failed, this, [this](const QString& text) {
        m_knownOf = m_run->run.experiment;
        showNote(tr("The total's answers could not be found: %1").arg(text), false);
    });
}

QString SensitivityChips::note() const { return m_note->text(); }

std::vector<const SensitivityChip*> SensitivityChips::chips() const { return {m_chips.begin(), m_chips.end()}; }

void SensitivityChips::showNote(const QString& text, bool busy) {
    m_note->setText(text);
    m_progress->setVisible(busy);
    m_stop->setVisible(busy);
    m_find->hide();
}

void SensitivityChips::offer(const QString& text) {
    showNote(text, false);
    m_find->show();
}

void SensitivityChips::clearChips() {
    for (SensitivityChip* chip : m_chips)
        chip->deleteLater();
    for (SensitivityChip* chip : m_chips)
        chip->hide();
    m_chips.clear();
    m_more->hide();
}

void SensitivityChips::showRun(std::shared_ptr<const data::ShownRun> run) {
    m_run = std::move(run);
    if (m_run && !m_run->preview && m_knownOf == m_run->run.experiment)
        return;
    stop();
    if (m_run && !m_run->index)
        return showNote(
            tr("A perfect overlap is a formula over its parts. Choose another policy, such as t3-mca, to see what would "
               "help it."),
            false);
    if (m_run && !m_run->preview && isVisible())
        m_settled->start();
}

// What was found belongs to the run before, and goes with it: nobody takes it for an answer to the next.
void SensitivityChips::stop() {
    m_settled->stop();
    m_session.cancel();
    m_knownOf.reset();
    clearChips();
    showNote(m_run ? tr("Waits for the run to settle.") : tr("No run yet."), false);
}

void SensitivityChips::begin(SensitivitySession::Asked asked) {
    if (!m_run || m_run->preview || !m_run->index || m_knownOf || !isVisible())
        return;
    m_progress->setValue(0);
    showNote(tr("Changing one parameter at a time…"), true);
    m_session.start(coarse(*m_run), asked);
}

void SensitivityChips::showReport(const data::SensitivityReport& report) {
    m_knownOf = m_run->run.experiment;
    clearChips();
    const std::vector<data::Sensitivity> helpful = whatHelps(report);
    for (const data::Sensitivity& each : helpful) {
        auto* chip = new SensitivityChip(each, std::abs(helpful.front().effect), this);
        connect(chip, &QAbstractButton::clicked, this,
                [this, path = QString::fromStdString(each.path)] { Q_EMIT parameterChosen(path); });
        m_rows->addWidget(chip);
        m_chips.push_back(chip);
    }
    m_more->setText(tr("All %1").arg(m_chips.size()));
    m_more->setAccessibleName(tr("Show all %1 changes that help").arg(m_chips.size()));
    m_more->setVisible(m_chips.size() > kFirst);
    showMore(m_more->isChecked());
    showNote(helpful.empty() ? tr("No single change makes this run shorter. %1").arg(reportText(report))
                             : reportText(report),
             false);
}

void SensitivityChips::showMore(bool all) {
    for (std::size_t i = 0; i < m_chips.size(); ++i)
        m_chips[i]->setVisible(all || i < kFirst);
}

void SensitivityChips::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_run && !m_knownOf)
        m_settled->start();
}

void SensitivityChips::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    m_settled->stop();
    m_session.cancel();
}

}  // namespace ui
