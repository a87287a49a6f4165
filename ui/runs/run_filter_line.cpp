#include "ui/runs/run_filter_line.h"

#include "ui/look/palette.h"
#include "ui/look/widget_parts.h"

#include <QAction>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QTimer>
#include <QVBoxLayout>

namespace ui {
namespace {

constexpr int kTypingMs = 120;

}  // namespace

RunFilterLine::RunFilterLine(QWidget* parent)
    : QWidget(parent), m_words(new QLineEdit(this)),
      m_problem(newWrappedLabel(this, QStringLiteral("runFilterProblem"))),
      m_icon(m_words->addAction(QIcon(), QLineEdit::LeadingPosition)),
      m_typing(pauseTimer(this, kTypingMs, [this] { read(); })) {
    setObjectName(QStringLiteral("runFilter"));
    setNames(*m_words, QStringLiteral("runFilterWords"), tr("Filter of the runs"));
    m_words->setPlaceholderText(tr("words   tag:paper   policy=t3-mca   link.bandwidth>=100GB/s   …"));
    m_words->setToolTip(tr("A word is searched in experiment, note and tags; tag:NAME requires a tag;\n"
                           "PATH=VALUE compares a parameter or a result, also with != < <= > >=, units allowed.\n"
                           "The list shows the runs that meet all conditions."));
    m_words->setClearButtonEnabled(true);
    m_words->installEventFilter(this);
    shareUndoWithTheWindow(*m_words);
    m_problem->setTextFormat(Qt::PlainText);
    m_problem->hide();
    auto* column = flushLayout<QVBoxLayout>(this, fontMetrics().height() / 4);
    addWidgets(*column, {m_words, m_problem});
    setFocusProxy(m_words);
    connect(m_words, &QLineEdit::textChanged, m_typing, qOverload<>(&QTimer::start));
    followColours(*this, [this] { style(); });
}

QString RunFilterLine::text() const { return m_words->text(); }

void RunFilterLine::setText(const QString& text) {
    m_words->setText(text);
    read();
}

void RunFilterLine::open() {
    m_words->selectAll();
    m_words->setFocus(Qt::ShortcutFocusReason);
}

void RunFilterLine::clear() { setText({}); }

void RunFilterLine::read() {
    m_typing->stop();
    const QString text = m_words->text().trimmed();
    std::string problem;
    std::optional<data::RunFilter> filter;
    if (!text.isEmpty())
        filter = data::RunFilter::parse(text.toStdString(), problem);
    m_problem->setText(QString::fromStdString(problem));
    m_problem->setVisible(!problem.empty());
    style();
    if (problem.empty())
        Q_EMIT filterChanged(filter);
}

bool RunFilterLine::eventFilter(QObject* watched, QEvent* event) {
    const auto type = event->type();
    if (watched != m_words || (type != QEvent::ShortcutOverride && type != QEvent::KeyPress))
        return QWidget::eventFilter(watched, event);
    const int key = static_cast<QKeyEvent*>(event)->key();
    const bool leaves = key == Qt::Key_Down || isEnter(key);
    if (key != Qt::Key_Escape && !leaves)
        return false;
    if (type == QEvent::ShortcutOverride) {
        event->accept();  // Escape is also a shortcut of the window
        return false;
    }
    if (key == Qt::Key_Escape && !m_words->text().isEmpty()) {
        clear();
        return true;
    }
    read();
    Q_EMIT left();
    return true;
}

void RunFilterLine::style() {
    const Palette& colors = paletteOf(*this);
    setInk(*m_problem, colors.error);
    m_icon->setIcon(tintedIcon(QStringLiteral("search"), colors.inkFaint));
}

}  // namespace ui
