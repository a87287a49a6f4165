#include "ui/export/export_dialogs.h"

#include "data/replay/shown_run.h"
#include "ui/look/format.h"
#include "ui/look/palette.h"
#include "ui/look/widget_parts.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QStandardItemModel>

#include <algorithm>
#include <cmath>
#include <utility>

namespace ui {

FramesDialog::FramesDialog(QWidget* parent)
    : QDialog(parent), m_kind(new QComboBox(this)), m_hint(newWrappedLabel(this, QStringLiteral("filmHint"))),
      m_size(new QComboBox(this)), m_perSecond(new QDoubleSpinBox(this)), m_seconds(new QDoubleSpinBox(this)),
      m_count(new QLabel(this)) {
    setObjectName(QStringLiteral("exportFrames"));
    setWindowTitle(tr("Export Frames"));
    auto* what = new QLabel(
        tr("Plays the whole run in this view and writes each frame as a picture, or all frames as a film, for slides."),
        this);
    what->setWordWrap(true);
    what->setMinimumWidth(fontMetrics().averageCharWidth() * 60);
    addKinds();
    for (const QSize& size : {QSize(1280, 720), QSize(1920, 1080), QSize(2560, 1440)})
        m_size->addItem(tr("%1 × %2 pixels").arg(size.width()).arg(size.height()), size);
    m_size->setCurrentIndex(1);
    m_perSecond->setRange(1, 240);
    m_perSecond->setDecimals(0);
    m_perSecond->setValue(30);
    m_perSecond->setSuffix(tr(" per second"));
    m_seconds->setRange(0.5, 600);
    m_seconds->setDecimals(1);
    m_seconds->setValue(10);
    m_seconds->setSuffix(tr(" s"));
    auto* form = new QFormLayout;
    form->addRow(tr("Forma&t"), m_kind);
    form->addRow(QString(), m_hint);
    form->addRow(tr("S&ize"), m_size);
    form->addRow(tr("&Frames"), m_perSecond);
    form->addRow(tr("&Duration"), m_seconds);
    form->addRow(QString(), m_count);
    QDialogButtonBox* buttons = acceptOrCancel(*this, QDialogButtonBox::Save, tr("Choose Folder…"));
    m_choose = buttons->button(QDialogButtonBox::Save);
    connect(m_kind, &QComboBox::currentIndexChanged, this, &FramesDialog::count);
    connect(m_perSecond, &QDoubleSpinBox::valueChanged, this, &FramesDialog::count);
    connect(m_seconds, &QDoubleSpinBox::valueChanged, this, &FramesDialog::count);
    auto* column = new QVBoxLayout(this);
    column->addWidget(what);
    column->addSpacing(fontMetrics().lineSpacing() / 2);
    column->addLayout(form);
    column->addWidget(buttons);
    count();
}

// Adds the kinds of files. Films are disabled if ffmpeg is not installed, and their names say that they need it.
void FramesDialog::addKinds() {
    m_kind->setObjectName(QStringLiteral("framesKind"));
    const bool films = !ffmpegProgram().isEmpty();
    m_kind->addItem(tr("PNG pictures in a folder"), -1);
    for (const auto& [title, format] :
         {std::pair(tr("MP4 film"), FilmFormat::mp4), std::pair(tr("GIF film"), FilmFormat::gif)}) {
        m_kind->addItem(films ? title : tr("%1 (needs ffmpeg)").arg(title), static_cast<int>(format));
        auto* model = qobject_cast<QStandardItemModel*>(m_kind->model());
        model->item(m_kind->count() - 1)->setEnabled(films);
    }
    m_hint->setText(films ? QString() : tr("A film %1").arg(ffmpegHint()));
    m_hint->setVisible(!films);
    m_hint->setTextInteractionFlags(Qt::TextSelectableByMouse);
}

std::optional<FilmFormat> FramesDialog::film() const {
    const int kind = m_kind->currentData().toInt();
    return kind < 0 ? std::nullopt : std::optional(static_cast<FilmFormat>(kind));
}

QSize FramesDialog::size() const { return m_size->currentData().toSize(); }

double FramesDialog::perSecond() const { return m_perSecond->value(); }

double FramesDialog::seconds() const { return m_seconds->value(); }

void FramesDialog::count() {
    m_choose->setText(film() ? tr("Choose File…") : tr("Choose Folder…"));
    m_count->setText(
        tr("%1 pictures").arg(formatCount(std::max<std::int64_t>(2, std::llround(perSecond() * seconds())))));
}

TraceDialog::TraceDialog(std::shared_ptr<const data::ShownRun> run, QWidget* parent)
    : QDialog(parent), m_run(std::move(run)), m_size(new QLabel(this)) {
    setObjectName(QStringLiteral("exportTrace"));
    setWindowTitle(tr("Export Trace"));
    auto* what =
        new QLabel(tr("Writes Chrome Trace Event JSON, which Perfetto (ui.perfetto.dev) opens. Ringside opens it, too: "
                      "the file contains the experiment."),
                   this);
    what->setWordWrap(true);
    what->setMinimumWidth(fontMetrics().averageCharWidth() * 70);
    auto* grid = new QGridLayout;
    const std::int64_t all = data::estimatedTraceSize(m_run->run);
    int row = 0;
    for (const data::TracePart& part : data::traceParts()) {
        data::TraceChoice without;
        data::choose(without, part, false);
        const std::int64_t size = all - data::estimatedTraceSize(m_run->run, without);
        auto* box = new QCheckBox(text(part.text), this);
        box->setObjectName(text(part.name));
        box->setChecked(true);
        box->setEnabled(size > 0);
        connect(box, &QCheckBox::toggled, this, &TraceDialog::judge);
        auto* bytes = new QLabel(size > 0 ? formatBytes(size) : tr("none in this run"), this);
        bytes->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        bytes->setEnabled(size > 0);
        grid->addWidget(box, row, 0);
        grid->addWidget(bytes, row, 1);
        m_parts.push_back(box);
        ++row;
    }
    grid->setColumnStretch(0, 1);
    setRelativeFont(*m_size, 1.2, QFont::DemiBold);
    QDialogButtonBox* buttons = acceptOrCancel(*this, QDialogButtonBox::Save, tr("Export…"));
    m_write = buttons->button(QDialogButtonBox::Save);
    connect(this, &QDialog::accepted, this, [this] { Q_EMIT chosen(m_choice); });
    auto* column = new QVBoxLayout(this);
    column->addWidget(what);
    column->addSpacing(fontMetrics().lineSpacing() / 2);
    column->addLayout(grid);
    column->addSpacing(fontMetrics().lineSpacing() / 2);
    addWidgets(*column, {m_size, buttons});
    judge();
}

void TraceDialog::judge() {
    const std::vector<data::TracePart>& parts = data::traceParts();
    bool any = false;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        data::choose(m_choice, parts[i], m_parts[i]->isChecked());
        any = any || (m_parts[i]->isChecked() && m_parts[i]->isEnabled());
    }
    m_size->setText(any ? tr("About %1").arg(formatBytes(data::estimatedTraceSize(m_run->run, m_choice)))
                        : tr("No part is chosen."));
    m_write->setEnabled(any);
}

}  // namespace ui
