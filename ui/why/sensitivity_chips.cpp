#include "ui/why/sensitivity_chips.h"

#include "data/experiment/experiment_document.h"
#include "data/laboratory/work_progress.h"
#include "engine/api/letters.h"
#include "engine/api/parameters.h"
#include "ui/look/cause_style.h"
#include "ui/look/format.h"
#include "ui/look/palette.h"
#include "ui/look/widget_parts.h"

#include <QCoreApplication>
#include <QLabel>
#include <QPainter>
#include <QProgressBar>
#include <QPushButton>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

constexpr double kNegligible = 0.0005;  // half of the last printed digit

QString chipTr(const char* text) { return QCoreApplication::translate("SensitivityWords", text); }

QString withSign(double value, int decimals) {
    const QString sign = value < 0 ? QStringLiteral("−") : QStringLiteral("+");
    return sign + QString::number(std::abs(value), 'f', decimals);
}

QString nameOf(const std::string& path) {
    const engine::Parameter* parameter = engine::findParameter(path);
    if (parameter == nullptr)
        return text(path);
    const QString group = text(engine::inASentence(std::string(engine::name(parameter->group))));
    const QString label = text(engine::inASentence(parameter->label));
    // "link latency", but not "tracker tracker ways".
    return label.startsWith(group, Qt::CaseInsensitive) ? label : group + QLatin1Char(' ') + label;
}

constexpr int kSensitivityProgressMs = 100;
constexpr std::size_t kRemembered = 8;

constexpr int kSettleMs = 350;  // after the last result, when the user has stopped changing a parameter
constexpr std::size_t kFirst = 5;
constexpr double kBarTint = 0.28;
constexpr double kChipMargins = 1.3;  // lines of text, left and right of the text together

// Returns the run's experiment at interactive detail, whose coarse pieces show how the total changes in a tenth of the
// time.
engine::Experiment coarse(const data::ShownRun& run) {
    data::ExperimentDraft draft = run.run.draft;
    draft.explicitValues["detail.level"] = std::string(engine::name(engine::DetailLevel::interactive));
    const data::Expansion expansion = data::expand(draft);
    return expansion.runnable() ? expansion.experiment : run.run.experiment;
}

}  // namespace

QString changeText(const data::Sensitivity& sensitivity) {
    // The text is short, because the panel is narrow and the chosen value is at the end of the text.
    if (const engine::Parameter* choice = sensitivity.isChoice ? engine::findParameter(sensitivity.path) : nullptr)
        return chipTr("%1 %2, not %3")
            .arg(text(engine::inASentence(choice->label)), text(sensitivity.after), text(sensitivity.before));
    const double percent = sensitivity.change * 100;
    const int decimals = std::abs(percent - std::round(percent)) < 0.05 ? 0 : 1;
    return chipTr("%1\u00a0% %2").arg(withSign(percent, decimals), nameOf(sensitivity.path));
}

QString effectText(double effect) {
    const double percent = effect * 100;
    if (std::abs(percent) < 0.005)
        return chipTr("no effect");
    return withSign(percent, std::abs(percent) < 0.1 ? 2 : 1) + QStringLiteral("\u00a0%");
}

QString noiseText(const data::Sensitivity& sensitivity) {
    if (sensitivity.noise < kNegligible)
        return {};
    return QStringLiteral("±%1\u00a0%").arg(sensitivity.noise * 100, 0, 'f', 1);
}

std::vector<data::Sensitivity> whatHelps(const data::SensitivityReport& report) {
    std::vector<data::Sensitivity> found;
    for (const data::Sensitivity& each : report.parameters) {
        const bool isThere = std::any_of(found.begin(), found.end(),
                                         [&](const data::Sensitivity& better) { return better.path == each.path; });
        if (data::helps(each) && !isThere)
            found.push_back(each);
    }
    return found;
}

QString reportText(const data::SensitivityReport& report) {
    const QString runs = formatCount(report.runs);
    if (report.seeds <= 1)
        return chipTr("%1 runs, one seed.").arg(runs);
    const QString means = chipTr("%1 runs, mean of %2 seeds").arg(runs).arg(report.seeds);
    if (report.spread < kNegligible)
        return chipTr("%1; the total is the same for all seeds.").arg(means);
    return chipTr("%1; the total itself varies by %2\u00a0% between seeds.")
        .arg(means)
        .arg(report.spread * 100, 0, 'f', 1);
}

QString sensitivityText(const data::Sensitivity& sensitivity) {
    QString sentence = changeText(sensitivity);
    if (!sensitivity.isChoice)
        sentence += chipTr(" (%1 to %2)").arg(text(sensitivity.before), text(sensitivity.after));
    sentence += chipTr(": the total changes by %1").arg(effectText(sensitivity.effect));
    if (const QString noise = noiseText(sensitivity); !noise.isEmpty())
        sentence += QLatin1Char(' ') + noise;
    sentence += chipTr("; acts on %1.").arg(textOf(sensitivity.group));
    if (data::isWithinNoise(sensitivity) && sensitivity.noise > 0)
        sentence += chipTr(" This change is within the noise.");
    return sentence;
}

SensitivitySession::SensitivitySession(SensitivitySessionConfig config, QObject* parent)
    : QObject(parent), m_config(std::move(config)),
      m_worker(kSensitivityProgressMs, [this](double fraction) { reportProgress(fraction); }) {
    if (!m_config.look)
        m_config.look = m_config.find ? [](const auto&, const auto&) { return data::SensitivityOutlook(); }
                                      : SensitivitySessionConfig::Look(data::outlookOf);
    if (!m_config.find)
        m_config.find = data::sensitivityOf;
}

void SensitivitySession::start(const engine::Experiment& experiment, Asked asked) {
    cancel();
    for (const auto& [known, report] : m_remembered) {
        if (known == experiment) {
            Q_EMIT found(report);
            return;
        }
    }
    m_asked = asked;
    m_worker.start([this, experiment, asked](const Worker::Ticket& ticket) { find(experiment, asked, ticket); },
                   [this](const QString& text) { Q_EMIT failed(text); });
    m_time.start();
    Q_EMIT started();
}

void SensitivitySession::reportProgress(double fraction) {
    // The work exceeds its time limit, because the estimate was wrong or other work needs the processors.
    if (m_asked == Asked::no && m_time.elapsed() > m_config.unasked.count()) {
        cancel();
        const std::chrono::milliseconds whole(
            std::llround(static_cast<double>(m_time.elapsed()) / std::max(0.01, fraction)));
        Q_EMIT takesLong({0, whole});
        return;
    }
    const auto left = data::secondsLeft(static_cast<double>(m_time.elapsed()) / 1000, fraction);
    Q_EMIT progressChanged(fraction, left ? static_cast<int>(std::ceil(*left)) : -1);
}

void SensitivitySession::find(const engine::Experiment& experiment, Asked asked, const Worker::Ticket& ticket) {
    data::SensitivityOptions options;
    options.threads = m_config.threads;
    options.stop = ticket.stop;
    options.progress = [ticket](double fraction) { ticket.setProgress(fraction); };
    const auto outlook = asked == Asked::no ? m_config.look(experiment, options) : data::SensitivityOutlook();
    if (outlook.estimate > m_config.unasked)
        return ticket.finish([this, outlook] { Q_EMIT takesLong(outlook); });
    const auto report = std::make_shared<const data::SensitivityReport>(m_config.find(experiment, options));
    ticket.finish([this, report, experiment] {
        remember(experiment, report);
        Q_EMIT found(report);
    });
}

void SensitivitySession::remember(const engine::Experiment& experiment, const Report& report) {
    if (m_remembered.size() == kRemembered)
        m_remembered.erase(m_remembered.begin());
    m_remembered.emplace_back(experiment, report);
}

SensitivityChip::SensitivityChip(data::Sensitivity sensitivity, double largest, QWidget* parent)
    : QAbstractButton(parent), m_sensitivity(std::move(sensitivity)), m_largest(largest) {
    setText(changeText(m_sensitivity) + QLatin1Char(' ') + effectText(m_sensitivity.effect));
    setAccessibleName(sensitivityText(m_sensitivity));
    setToolTip(sensitivityText(m_sensitivity) + QLatin1Char('\n') + tr("Click to go to the parameter in the form."));
    setCursor(Qt::PointingHandCursor);
    setFocusPolicy(Qt::StrongFocus);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);  // a fixed height would not allow two lines
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
    // Draws the effect as a faint bar behind the text, on the same scale for all chips.
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
    painter.setFont(strongFont(font()));
    painter.setPen(colors.ink);
    painter.drawText(effect.adjusted(0, 0, -noiseWidth, 0), Qt::AlignRight | Qt::AlignVCenter,
                     effectText(m_sensitivity.effect));
}

double SensitivityChip::oneLine() const {
    const QFontMetricsF metrics(font());
    return metrics.horizontalAdvance(changeText(m_sensitivity)) + metrics.horizontalAdvance(noiseText(m_sensitivity)) +
           QFontMetricsF(strongFont(font())).horizontalAdvance(effectText(m_sensitivity.effect)) + metrics.height();
}

// In a narrow panel the number is placed below the text, so that nothing is left out.
int SensitivityChip::heightForWidth(int width) const {
    const int line = fontMetrics().height();
    return width - line * kChipMargins < oneLine() ? line * 5 / 2 + 3 : line * 3 / 2 + 3;
}

SensitivityChips::SensitivityChips(SensitivitySessionConfig config, QWidget* parent)
    : QWidget(parent), m_session(std::move(config)),
      m_settled(pauseTimer(this, kSettleMs, [this] { begin(SensitivitySession::Asked::no); })),
      m_rows(flushLayout<QVBoxLayout>(nullptr, 0)), m_progress(new QProgressBar(this)), m_note(newWrappedLabel(this)),
      m_stop(new QToolButton(this)), m_find(new QPushButton(tr("Find Changes"), this)), m_more(new QToolButton(this)) {
    setObjectName(QStringLiteral("sensitivityChips"));
    auto* title = new QLabel(tr("What would help"), this);
    setRelativeFont(*title, 1.0, QFont::DemiBold);
    m_progress->setRange(0, 1000);
    m_progress->setTextVisible(false);
    m_progress->setMaximumHeight(fontMetrics().height() / 2);
    m_progress->setAccessibleName(tr("Progress of the sensitivities"));
    m_stop->setText(tr("Stop"));
    m_stop->setAccessibleName(tr("Stop the search for changes that help"));
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
    onEvents(*this, {QEvent::Show}, [this] {
        if (m_run && !m_knownOf)
            m_settled->start();
    });
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
        offer(tr("Changing one parameter at a time would take about %1.").arg(formatWait(outlook.estimate)));
    });
    connect(&m_session, &SensitivitySession::failed, this, [this](const QString& text) {
        m_knownOf = m_run->run.experiment;
        showNote(tr("The effects of the parameters could not be computed: %1").arg(text), false);
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
    for (SensitivityChip* chip : m_chips) {
        chip->hide();
        chip->deleteLater();
    }
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
            tr("A perfect overlap is calculated from isolated runs. Choose another policy, such as T3-MCA, to see which "
               "changes would help."),
            false);
    if (m_run && !m_run->preview && isVisible())
        m_settled->start();
}

// Removes the chips, too, so that the user does not take results of the previous run for those of the next one.
void SensitivityChips::stop() {
    m_settled->stop();
    m_session.cancel();
    m_knownOf.reset();
    clearChips();
    showNote(m_run ? tr("Waiting for the result of the run.") : tr("No run yet."), false);
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

void SensitivityChips::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    m_settled->stop();
    m_session.cancel();
}

}  // namespace ui
