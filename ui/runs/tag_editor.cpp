#include "ui/runs/tag_editor.h"

#include "ui/runs/run_columns.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <set>

namespace ui {

TagEditor::TagEditor(const std::vector<const data::CatalogueRow*>& rows, const std::vector<std::string>& inUse,
                     QWidget* parent)
    : QDialog(parent), m_new(new QLineEdit(this)), m_list(new QListWidget(this)) {
    setObjectName(QStringLiteral("tagEditor"));
    setWindowTitle(rows.size() == 1 ? tr("Tags of the Run") : tr("Tags of %1 Runs").arg(rows.size()));
    m_new->setPlaceholderText(tr("new tags, a space between"));
    m_new->setAccessibleName(tr("New tags"));
    m_list->setAccessibleName(tr("Tags"));
    std::map<std::string, std::size_t> having;
    for (const std::string& tag : inUse)
        having[tag] = 0;
    for (const data::CatalogueRow* row : rows) {
        m_before[row->id] = row->tags;
        for (const std::string& tag : row->tags)
            ++having[tag];
    }
    for (const auto& [tag, count] : having) {
        addItem(QString::fromStdString(tag), count == rows.size() ? Qt::Checked
                                             : count == 0         ? Qt::Unchecked
                                                                  : Qt::PartiallyChecked);
    }
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        addTyped();
        accept();
    });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* label = new QLabel(tr("&Add:"), this);
    label->setBuddy(m_new);
    auto* row = new QHBoxLayout;
    row->addWidget(label);
    row->addWidget(m_new, 1);
    auto* column = new QVBoxLayout(this);
    column->addLayout(row);
    column->addWidget(m_list, 1);
    column->addWidget(buttons);
    resize(fontMetrics().averageCharWidth() * 44, fontMetrics().height() * 20);
    m_new->setFocus();
}

void TagEditor::addItem(const QString& tag, Qt::CheckState state) {
    auto* item = new QListWidgetItem(tag, m_list);
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
    item->setCheckState(state);
}

void TagEditor::addTyped() {
    for (const std::string& tag : tagsFrom(m_new->text())) {
        const QList<QListWidgetItem*> there =
            m_list->findItems(QString::fromStdString(tag), Qt::MatchFixedString | Qt::MatchCaseSensitive);
        if (there.isEmpty())
            addItem(QString::fromStdString(tag), Qt::Checked);
        for (QListWidgetItem* item : there)
            item->setCheckState(Qt::Checked);
    }
    m_new->clear();
}

std::map<std::int64_t, std::vector<std::string>> TagEditor::tags() const {
    std::map<std::int64_t, std::vector<std::string>> after;
    for (const auto& [id, before] : m_before) {
        std::set<std::string> words(before.begin(), before.end());
        for (int at = 0; at < m_list->count(); ++at) {
            const std::string tag = m_list->item(at)->text().toStdString();
            if (m_list->item(at)->checkState() == Qt::Checked)
                words.insert(tag);
            else if (m_list->item(at)->checkState() == Qt::Unchecked)
                words.erase(tag);
        }
        after[id] = {words.begin(), words.end()};
    }
    return after;
}

}  // namespace ui
