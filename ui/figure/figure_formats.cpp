#include "ui/figure/figure_formats.h"

#include "ui/look/widget_parts.h"

#include <QCheckBox>
#include <QGridLayout>

#include <algorithm>
#include <array>

namespace ui {
namespace {

constexpr std::array kFormats{FigureFormat::pdf,  FigureFormat::svg,     FigureFormat::png,
                              FigureFormat::csv,  FigureFormat::tikz,    FigureFormat::python,
                              FigureFormat::spec, FigureFormat::caption, FigureFormat::alternative};
constexpr int kColumns = 2;

}  // namespace

FigureFormats::FigureFormats(QWidget* parent) : QWidget(parent) {
    auto* grid = flushLayout<QGridLayout>(this);
    grid->setVerticalSpacing(fontMetrics().averageCharWidth() / 2);
    int place = 0;
    for (const FigureFormat format : kFormats) {
        auto* box = new QCheckBox(labelOf(format), this);
        box->setObjectName(QStringLiteral("figureFormat%1").arg(static_cast<int>(format)));
        box->setChecked(true);
        connect(box, &QCheckBox::toggled, this, &FigureFormats::changed);
        grid->addWidget(box, place / kColumns, place % kColumns);
        m_boxes.emplace_back(format, box);
        ++place;
    }
    m_zip = new QCheckBox(tr("as one zip"), this);
    m_zip->setObjectName(QStringLiteral("figureZip"));
    connect(m_zip, &QCheckBox::toggled, this, &FigureFormats::changed);
    grid->addWidget(m_zip, place / kColumns, place % kColumns);
}

std::vector<FigureFormat> FigureFormats::chosen() const {
    std::vector<FigureFormat> formats;
    for (const auto& [format, box] : m_boxes) {
        if (box->isChecked())
            formats.push_back(format);
    }
    return formats;
}

void FigureFormats::choose(const std::vector<FigureFormat>& formats) {
    for (const auto& [format, box] : m_boxes)
        box->setChecked(std::find(formats.begin(), formats.end(), format) != formats.end());
}

bool FigureFormats::zipped() const { return m_zip->isChecked(); }

void FigureFormats::setZipped(bool zipped) { m_zip->setChecked(zipped); }

}  // namespace ui
