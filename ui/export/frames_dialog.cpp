#include "ui/export/frames_dialog.h"

#include "ui/look/format.h"
#include "ui/look/widget_parts.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>

#include <algorithm>
#include <cmath>

namespace ui {

FramesDialog::FramesDialog(QWidget* parent)
    : QDialog(parent), m_size(new QComboBox(this)), m_perSecond(new QDoubleSpinBox(this)),
      m_seconds(new QDoubleSpinBox(this)), m_count(new QLabel(this)) {
    setObjectName(QStringLiteral("exportFrames"));
    setWindowTitle(tr("Export Frames"));
    auto* what =
        new QLabel(tr("Writes what this view shows while the whole run plays, as PNG pictures for slides."), this);
    what->setWordWrap(true);
    what->setMinimumWidth(fontMetrics().averageCharWidth() * 60);
    for (const QSize& size : {QSize(1280, 720), QSize(1920, 1080), QSize(2560, 1440)})
        m_size->addItem(tr("%1 × %2 pixels").arg(size.width()).arg(size.height()), size);
    m_size->setCurrentIndex(1);
    m_perSecond->setRange(1, 240);
    m_perSecond->setDecimals(0);
    m_perSecond->setValue(30);
    m_perSecond->setSuffix(tr(" a second"));
    m_seconds->setRange(0.5, 600);
    m_seconds->setDecimals(1);
    m_seconds->setValue(10);
    m_seconds->setSuffix(tr(" s"));
    auto* form = new QFormLayout;
    form->addRow(tr("&Size"), m_size);
    form->addRow(tr("&Frames"), m_perSecond);
    form->addRow(tr("&Whole run in"), m_seconds);
    form->addRow(QString(), m_count);
    QDialogButtonBox* buttons = acceptOrCancel(*this, QDialogButtonBox::Save, tr("Choose Folder…"));
    connect(m_perSecond, &QDoubleSpinBox::valueChanged, this, &FramesDialog::count);
    connect(m_seconds, &QDoubleSpinBox::valueChanged, this, &FramesDialog::count);
    auto* column = new QVBoxLayout(this);
    column->addWidget(what);
    column->addSpacing(fontMetrics().lineSpacing() / 2);
    column->addLayout(form);
    column->addWidget(buttons);
    count();
}

QSize FramesDialog::size() const { return m_size->currentData().toSize(); }

double FramesDialog::perSecond() const { return m_perSecond->value(); }

double FramesDialog::seconds() const { return m_seconds->value(); }

void FramesDialog::count() {
    m_count->setText(
        tr("%1 pictures").arg(formatCount(std::max<std::int64_t>(2, std::llround(perSecond() * seconds())))));
}

}  // namespace ui
