#include "ui/figure/figure_view.h"

#include "data/document/value_places.h"
#include "data/figure/figure_document.h"
#include "data/figure/figure_edits.h"
#include "data/figure/figure_parts.h"
#include "data/figure/figure_size.h"
#include "ui/figure/figure_list.h"
#include "ui/figure/figure_options.h"
#include "ui/figure/lint_panel.h"
#include "ui/figure/parts_editor.h"
#include "ui/figure/preview_hits.h"
#include "ui/look/format.h"
#include "ui/look/widget_parts.h"
#include "ui/workbench/availability.h"

#include <QAction>
#include <QGroupBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QProgressBar>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace ui {
namespace {

constexpr int kSteps = 1000;
constexpr double kMillimetres = 25.4 / 72;

enum Page : int { preview, words };

QString measuresText(const ReadyFigure& figure) {
    const QSizeF page = figure.laidOut.list.page;
    const auto number = [](double value, int decimals) { return QLocale::c().toString(value, 'f', decimals); };
    return FigureView::tr("%1 × %2 pt  ·  %3 × %4 mm")
        .arg(number(page.width(), 0), number(page.height(), 0), number(page.width() * kMillimetres, 1),
             number(page.height() * kMillimetres, 1));
}

std::string hidingPanel(std::size_t panel) {
    return data::editText({{"panel", std::to_string(panel + 1), "hidden"}, "true"});
}

/// Returns a timeline without its last GPUs and the last areas below them, so that it is not higher than a third of a page;
/// an empty optional if it is low enough. The list of parts has what is left out. A figure that has edits already is as its
/// author wants it.
std::optional<data::FigureSpec> lowTimeline(const data::FigureSpec& figure) {
    constexpr double kHighest = 300;  // points
    const bool lanes = !figure.panels.empty() && !figure.panels.front().marks.empty() &&
                       std::holds_alternative<data::TimelineMark>(figure.panels.front().marks.front());
    if (!lanes || !figure.edits.empty() || figure.height.value_or(0) <= kHighest)
        return {};
    data::FigureSpec shorter = figure;
    if (!data::applyEdits(shorter, {"height=automatic"}).empty())
        return {};
    std::vector<data::FigurePart> gpus = data::partsOf(shorter, data::FigurePartKind::group);
    while (gpus.size() > 1 && layOut(shorter).list.page.height() > kHighest) {
        const std::string last = gpus.back().name;
        gpus.pop_back();
        data::applyEdits(shorter, {data::editText({{"group", last, "hidden"}, "true"})});
        for (std::size_t panel = shorter.panels.size(); panel-- > 1;) {
            if (shorter.panels[panel].y.title.ends_with(" of " + last))
                data::applyEdits(shorter, {hidingPanel(panel)});
        }
    }
    while (shorter.panels.size() > 1 && layOut(shorter).list.page.height() > kHighest)
        data::applyEdits(shorter, {hidingPanel(shorter.panels.size() - 1)});
    return shorter;
}

}  // namespace

FigureView::FigureView(FigureSessionConfig config, QWidget* parent)
    : QWidget(parent), m_list(new FigureList(m_collection, this)), m_preview(new FigurePreview(this)),
      m_lint(new LintPanel(this)), m_options(new FigureOptions(this)), m_formats(new FigureFormats(this)),
      m_parts(new QSplitter(Qt::Horizontal, this)), m_pages(new QStackedWidget(this)),
      m_session(std::move(config), nullptr) {
    setNames(*this, QStringLiteral("figureView"), tr("Figures for papers and slides"));
    buildActions();
    m_parts->addWidget(buildList());
    m_parts->addWidget(buildMiddle());
    m_parts->addWidget(buildSide());
    m_parts->setStretchFactor(1, 1);
    m_parts->setChildrenCollapsible(false);
    auto* row = flushLayout<QHBoxLayout>(this);
    row->addWidget(m_parts);
    setFocusProxy(m_list);
    connectParts();
    followZoom();
    if (!m_collection.figures().empty())
        m_list->setCurrentId(m_collection.figures().front().id);
    showCurrent();
}

FigureView::~FigureView() = default;

QWidget* FigureView::buildList() {
    auto* side = new QWidget(this);
    const int em = fontMetrics().averageCharWidth();
    m_work = new QWidget(side);
    m_making = newWrappedLabel(m_work, QStringLiteral("figureMaking"));
    m_progress = new QProgressBar(m_work);
    makeThin(*m_progress, kSteps, 4, tr("Progress of making figures"));
    m_cancel = new QPushButton(tr("&Cancel"), m_work);
    m_cancel->setObjectName(QStringLiteral("figureCancel"));
    m_cancel->setAutoDefault(false);
    auto* work = new QVBoxLayout(m_work);
    work->setContentsMargins(em, em, em, em);
    work->addWidget(m_making);
    work->addWidget(m_progress);
    work->addWidget(m_cancel, 0, Qt::AlignRight);
    m_work->hide();
    auto* buttons = new QHBoxLayout;
    buttons->setContentsMargins(em, em / 2, em, em);
    for (const char* id : {"figure.make", "figure.make-all"})
        buttons->addWidget(newActionButton(m_commands.actionOf(id), side));
    buttons->addStretch(1);
    auto* column = flushLayout<QVBoxLayout>(side, 0);
    column->addWidget(m_list, 1);
    column->addWidget(m_work);
    column->addLayout(buttons);
    return side;
}

QWidget* FigureView::buildMiddle() {
    auto* middle = new QWidget(this);
    const int em = fontMetrics().averageCharWidth();
    auto* head = new QHBoxLayout;
    head->setContentsMargins(em, em / 2, em, em / 2);
    for (const char* id : {"figure.true-size", "figure.twice", "figure.fit"}) {
        QToolButton* button = newActionButton(m_commands.actionOf(id), middle);
        button->setAutoRaise(true);
        head->addWidget(button);
    }
    head->addStretch(1);
    m_measures = new QLabel(middle);
    m_measures->setObjectName(QStringLiteral("figureMeasures"));
    head->addWidget(m_measures);
    m_pages->addWidget(m_preview);
    m_pages->addWidget(buildWords());
    auto* column = flushLayout<QVBoxLayout>(middle, 0);
    column->addLayout(head);
    column->addWidget(m_pages, 1);
    column->addWidget(m_lint);
    m_lint->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    return middle;
}

// Builds the page that is shown in place of a figure that is not made.
QWidget* FigureView::buildWords() {
    auto* page = new QWidget(m_pages);
    page->setAutoFillBackground(true);
    page->setBackgroundRole(QPalette::Base);
    const int line = fontMetrics().height();
    m_heading = newWrappedLabel(page, QStringLiteral("figureHeading"));
    m_heading->setAlignment(Qt::AlignCenter);
    setRelativeFont(*m_heading, 1.3, QFont::DemiBold);
    m_what = newWrappedLabel(page, QStringLiteral("figureWhat"));
    m_what->setAlignment(Qt::AlignCenter);
    m_what->setTextFormat(Qt::PlainText);
    m_make = new QPushButton(tr("&Make This Figure"), page);
    m_make->setObjectName(QStringLiteral("figureMake"));
    m_make->setAutoDefault(false);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(line * 3, line, line * 3, line);
    column->addStretch(2);
    column->addWidget(m_heading);
    column->addSpacing(line / 2);
    column->addWidget(m_what);
    column->addSpacing(line);
    column->addWidget(m_make, 0, Qt::AlignHCenter);
    column->addStretch(3);
    return page;
}

QWidget* FigureView::buildSide() {
    auto* side = new QWidget(this);
    const int em = fontMetrics().averageCharWidth();
    auto* box = new QGroupBox(tr("Export"), side);
    auto* inside = new QVBoxLayout(box);
    inside->addWidget(m_formats);
    auto* buttons = new QHBoxLayout;
    for (const char* id : {"figure.export", "figure.copy", "figure.copy-latex"}) {
        QToolButton* button = newActionButton(m_commands.actionOf(id), box);
        button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        buttons->addWidget(button);
    }
    inside->addLayout(buttons);
    auto* column = flushLayout<QVBoxLayout>(side, 0);
    column->addWidget(m_options, 1);
    auto* foot = new QVBoxLayout;
    foot->setContentsMargins(em, 0, em, em);
    foot->addWidget(box);
    column->addLayout(foot);
    side->setMinimumWidth(em * 46);
    return side;
}

void FigureView::connectParts() {
    connect(m_list, &FigureList::currentIdChanged, this, &FigureView::showCurrent);
    connect(m_list, &FigureList::activatedId, this, [this](int id) {
        const FigureEntry* figure = m_collection.find(id);
        if (figure != nullptr && !figure->spec)
            make();
    });
    connect(&m_collection, &FigureCollection::changed, this, [this](int id) {
        if (id == m_list->currentId())
            showCurrent();
    });
    connect(m_options, &FigureOptions::edited, this, &FigureView::takeEdit);
    connect(m_lint, &LintPanel::fixRequested, this, &FigureView::fix);
    connectEditing();
    connect(m_preview, &FigurePreview::zoomChanged, this, &FigureView::followZoom);
    connect(m_make, &QPushButton::clicked, this, &FigureView::make);
    connect(m_cancel, &QPushButton::clicked, &m_session, &FigureSession::cancel);
    for (const auto signal : {&FigureSession::started, &FigureSession::progressChanged, &FigureSession::ended})
        connect(&m_session, signal, this, &FigureView::showMaking);
    connect(&m_session, &FigureSession::made, this,
            [this](const QString& name, const std::shared_ptr<const data::FigureSpec>& figure) {
                m_list->setWaiting(m_session.waiting());
                const engine::Problems stale = m_collection.setMade(name, *figure);
                if (!stale.empty())
                    Q_EMIT failed(tr("These edits no longer find their part and are left out:\n%1").arg(text(stale)));
            });
    connect(&m_session, &FigureSession::failed, this, [this](const QString& name, const QString& text) {
        m_list->setWaiting(m_session.waiting());
        m_collection.setFailed(name, text);
        const FigureEntry* figure = m_collection.withKey(name);
        Q_EMIT failed(tr("“%1” cannot be made: %2").arg(figure != nullptr ? figure->name() : name, text));
    });
}

void FigureView::showCurrent() {
    const FigureEntry* figure = m_collection.find(m_list->currentId());
    const bool made = figure != nullptr && figure->spec;
    m_shown = made ? std::make_shared<const ReadyFigure>(ready(*figure->spec)) : nullptr;
    m_preview->showFigure(m_shown);
    m_options->showFigure(made ? &*figure->spec : nullptr, made && figure->base ? &*figure->base : nullptr);
    m_measures->setText(made ? measuresText(*m_shown) : QString());
    if (made)
        m_lint->showFindings(lint(m_shown->spec, m_shown->laidOut));
    else
        m_lint->showNothing();
    m_lint->setVisible(made);
    m_pages->setCurrentIndex(made ? Page::preview : Page::words);
    for (const char* id : {"figure.export", "figure.copy", "figure.copy-latex", "figure.remove"})
        setAvailable(*m_commands.actionOf(id), made, tr("No figure is shown. Make one in the view Figure first."));
    setAvailable(*m_commands.actionOf("figure.make"), figure != nullptr && canMake(*figure),
                 tr("This figure does not say where its numbers come from."));
    if (!made)
        showWords(figure);
    if (made || (figure != nullptr && !figure->failure.isEmpty()))
        Q_EMIT figureShown();
}

void FigureView::showWords(const FigureEntry* figure) {
    const QString take = tr("Or press Ctrl+E in any view to bring its picture here as a figure.");
    m_heading->setText(figure != nullptr ? figure->name() : tr("No figure"));
    const bool waits = figure != nullptr && m_session.waiting().contains(figure->key());
    QStringList says;
    if (figure != nullptr)
        says << figure->what;
    if (figure != nullptr && !figure->failure.isEmpty())
        says << tr("It could not be made: %1").arg(figure->failure);
    says << (waits ? tr("The figure is being made; you can continue working.") : take);
    m_what->setText(says.join(QStringLiteral("\n\n")));
    m_make->setVisible(figure != nullptr && !figure->galleryName.isEmpty() && !waits);
}

void FigureView::showMaking() {
    const bool running = m_session.isRunning();
    const bool others = m_work->isVisibleTo(this) != running;
    m_work->setVisible(running);
    m_list->setWaiting(m_session.waiting());
    setAvailable(*m_commands.actionOf("figure.cancel"), running, tr("No figure is being made."));
    if (!m_shown && others)
        showCurrent();
    if (!running)
        return;
    m_progress->setValue(static_cast<int>(m_session.progress() * kSteps));
    const FigureEntry* figure = m_collection.withKey(m_session.waiting().front());
    QString text = tr("Making “%1”").arg(figure != nullptr ? figure->name() : m_session.waiting().front());
    if (m_session.waiting().size() > 1)
        text += tr(", %1 more queued").arg(m_session.waiting().size() - 1);
    if (const auto left = m_session.secondsLeft())
        text += *left < 1 ? tr("; less than a second left") : tr("; about %1 s left").arg(std::lround(*left));
    m_making->setText(text);
}

void FigureView::takeEdit(const data::FigureSpec& figure, const QString& text, const QString& kind) {
    const engine::Problems problems = data::problemsOf(figure);
    if (!problems.empty())
        return m_options->showProblem(problemText(problems.front(), figure));
    m_collection.edit(m_list->currentId(), figure, text, kind);
}

void FigureView::connectEditing() {
    PartsEditor& parts = m_options->parts();
    connect(&parts, &PartsEditor::edited, this,
            [this](const std::string& edit, const QString& text) { applyOwn({edit}, text); });
    connect(&parts, &PartsEditor::shownAgain, this, &FigureView::withdraw);
    connect(&parts, &PartsEditor::noteRequested, m_preview, &FigurePreview::placeNote);
    connect(m_preview, &FigurePreview::textEdited, this, [this](const EditableText& text, const QString& value) {
        applyOwn(editsOf(text, value), tr("Change %1").arg(text.what));
    });
    connect(m_preview, &FigurePreview::notePlaced, this, &FigureView::addNote);
    connect(m_preview, &FigurePreview::noteMoved, this, &FigureView::moveNote);
    connect(m_preview, &FigurePreview::placingChanged, this, [this] {
        if (m_preview->isPlacing())
            Q_EMIT said(tr("Press in a panel of the preview and drag to the end of the note; Escape ends it."));
    });
}

void FigureView::applyOwn(const std::vector<std::string>& edits, const QString& text) {
    const FigureEntry* figure = m_collection.find(m_list->currentId());
    if (figure == nullptr || !figure->spec)
        return;
    data::FigureSpec spec = *figure->spec;
    const engine::Problems problems = data::applyEdits(spec, edits);
    if (!problems.empty()) {
        m_options->showFigure(&*figure->spec, figure->base ? &*figure->base : nullptr);
        return m_options->showProblem(QString::fromStdString(problems.front().text));
    }
    m_options->showProblem({});
    m_collection.edit(figure->id, std::move(spec), text);
}

// Applies all edits but one to the figure as it was made.
void FigureView::withdraw(const std::string& edit, const QString& text) {
    const FigureEntry* figure = m_collection.find(m_list->currentId());
    if (figure == nullptr || !figure->spec || !figure->base)
        return;
    data::FigureSpec spec = *figure->base;
    const engine::Problems stale = data::applyEdits(spec, data::editsWithout(edit, figure->spec->edits));
    m_options->showProblem(stale.empty() ? QString() : ui::text(stale));
    m_collection.edit(figure->id, std::move(spec), text);
}

void FigureView::addNote(data::FigureAnnotation::Kind kind, const PanelPoint& from, const PanelPoint& to) {
    const FigureEntry* figure = m_collection.find(m_list->currentId());
    if (figure == nullptr || !figure->spec)
        return;
    data::FigureSpec spec = *figure->spec;
    data::FigureAnnotation note{from.x, from.y, tr("Note").toStdString()};
    if (kind != data::FigureAnnotation::Kind::text) {
        note.toX = to.x;
        note.toY = to.y;
        note.kind = kind;
    }
    spec.panels[from.panel].annotations.push_back(note);
    const std::size_t number = spec.panels[from.panel].annotations.size();
    takeEdit(spec, tr("Add Note"), {});
    // The author writes its word at once.
    if (const auto text = m_shown ? editableNote(*m_shown, from.panel, number - 1) : std::nullopt)
        m_preview->editText(*text);
}

void FigureView::moveNote(const NotePlace& place, double right, double up) {
    const FigureEntry* figure = m_collection.find(m_list->currentId());
    if (figure == nullptr || !figure->spec)
        return;
    data::FigureSpec spec = *figure->spec;
    data::FigureAnnotation& note = spec.panels[place.panel].annotations[place.note];
    constexpr int kDigits = 4;
    note.x = data::roundedTo(note.x + right, kDigits);
    note.y = data::roundedTo(note.y + up, kDigits);
    // Only the word of a line and of an arrow moves; its end stays at what it points to. A band moves as a whole.
    if (note.kind == data::FigureAnnotation::Kind::span && note.toX)
        note.toX = data::roundedTo(*note.toX + right, kDigits);
    takeEdit(spec, tr("Move Note"), {});
}

void FigureView::fix(std::size_t finding) {
    const auto& findings = m_lint->findings();
    if (finding >= findings.size() || !findings[finding].fix || !m_shown)
        return;
    const LintFinding fixed = findings[finding];
    m_collection.edit(m_list->currentId(), fixed.fix(m_shown->spec), fixed.fixText);
}

void FigureView::take(FigureOffer offer) {
    std::optional<data::FigureSpec> shorter = lowTimeline(offer.figure);
    m_list->setCurrentId(m_collection.add(std::move(offer), std::move(shorter)));
}

bool FigureView::open(const QString& galleryName) {
    const FigureEntry* figure = m_collection.ofGallery(galleryName);
    if (figure == nullptr)
        return false;
    m_list->setCurrentId(figure->id);
    if (!figure->spec)
        m_session.make({galleryName});
    else
        Q_EMIT figureShown();
    return true;
}

}  // namespace ui
