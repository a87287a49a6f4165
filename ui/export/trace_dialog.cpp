#include "ui/export/trace_dialog.h"

#include "data/replay/shown_run.h"
#include "ui/look/format.h"
#include "ui/look/palette.h"
#include "ui/look/relative_font.h"
#include "ui/look/text.h"
#include "ui/look/widget_parts.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>

namespace ui {

TraceDialog::TraceDialog(std::shared_ptr<const data::ShownRun> run, QWidget* parent)
    : QDialog(parent), m_run(std::move(run)), m_size(new QLabel(this)) {
    setObjectName(QStringLiteral("exportTrace"));
    setWindowTitle(tr("Export Trace"));
    auto* what =
        new QLabel(tr("As Chrome Trace Event JSON, which Perfetto (ui.perfetto.dev) opens. Ringside opens it too: it "
                      "carries its experiment."),
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
    column->addWidget(m_size);
    column->addWidget(buttons);
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
                        : tr("Nothing is chosen."));
    m_write->setEnabled(any);
}

}  // namespace ui
