#include "ui/runs/column_chooser.h"

#include "ui/runs/run_columns.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <set>

namespace ui {
namespace {

constexpr int kPathRole = Qt::UserRole;

}  // namespace

ColumnChooser::ColumnChooser(std::vector<std::string> chosen, QWidget* parent)
    : QDialog(parent), m_chosen(std::move(chosen)), m_words(new QLineEdit(this)), m_tree(new QTreeWidget(this)) {
    setObjectName(QStringLiteral("columnChooser"));
    setWindowTitle(tr("Columns of the Runs"));
    m_words->setPlaceholderText(tr("Find: link, dram, exposed …"));
    m_words->setAccessibleName(tr("Find a column"));
    m_words->setClearButtonEnabled(true);
    m_tree->setAccessibleName(tr("Columns"));
    m_tree->setHeaderHidden(true);
    m_tree->setColumnCount(2);
    m_tree->setUniformRowHeights(true);
    m_tree->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    fill();
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close | QDialogButtonBox::RestoreDefaults, this);
    // Without a default button, Enter in the search field presses none.
    for (QAbstractButton* button : buttons->buttons())
        static_cast<QPushButton*>(button)->setAutoDefault(false);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons->button(QDialogButtonBox::RestoreDefaults), &QPushButton::clicked, this, [this] {
        m_chosen = usualRunColumns();
        fill();
        find(m_words->text());
        Q_EMIT chosenChanged();
    });
    connect(m_words, &QLineEdit::textChanged, this, &ColumnChooser::find);
    connect(m_tree, &QTreeWidget::itemChanged, this, [this](QTreeWidgetItem* item, int) {
        if (const QString path = item->data(0, kPathRole).toString(); !path.isEmpty())
            mark(path.toStdString(), item->checkState(0) == Qt::Checked);
    });
    auto* column = new QVBoxLayout(this);
    column->addWidget(m_words);
    column->addWidget(m_tree, 1);
    column->addWidget(buttons);
    resize(fontMetrics().averageCharWidth() * 76, fontMetrics().height() * 32);
    m_words->setFocus();
}

void ColumnChooser::fill() {
    const QSignalBlocker quiet(m_tree);
    m_tree->clear();
    QTreeWidgetItem* group = nullptr;
    for (const RunColumn& column : allRunColumns()) {
        if (group == nullptr || group->text(0) != column.group) {
            group = new QTreeWidgetItem(m_tree, {column.group});
            group->setFlags(Qt::ItemIsEnabled);
        }
        const QString path = QString::fromStdString(column.path);
        auto* item = new QTreeWidgetItem(group, {column.title, path});
        item->setData(0, kPathRole, path);
        item->setToolTip(0, column.meaning);
        item->setToolTip(1, column.meaning);
        item->setForeground(1, palette().placeholderText());
        const bool isName = column.path == run_column::name;  // the column of names cannot be removed
        item->setFlags(isName ? Qt::ItemIsSelectable
                              : Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
        const bool there = std::find(m_chosen.begin(), m_chosen.end(), column.path) != m_chosen.end();
        item->setCheckState(0, there ? Qt::Checked : Qt::Unchecked);
    }
    m_tree->expandAll();
}

// Shows the columns whose group, title, path and meaning contain every word.
void ColumnChooser::find(const QString& typed) {
    const QStringList words = typed.simplified().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    for (int at = 0; at < m_tree->topLevelItemCount(); ++at) {
        QTreeWidgetItem* group = m_tree->topLevelItem(at);
        bool any = false;
        for (int child = 0; child < group->childCount(); ++child) {
            QTreeWidgetItem* item = group->child(child);
            const QString all = QStringList{group->text(0), item->text(0), item->text(1), item->toolTip(0)}.join(u' ');
            const bool found = std::all_of(words.begin(), words.end(), [&all](const QString& word) {
                return all.contains(word, Qt::CaseInsensitive);
            });
            item->setHidden(!found);
            any = any || found;
        }
        group->setHidden(!any);
    }
}

void ColumnChooser::mark(const std::string& path, bool wanted) {
    const auto at = std::find(m_chosen.begin(), m_chosen.end(), path);
    if (wanted == (at != m_chosen.end()))
        return;
    if (wanted)
        m_chosen.push_back(path);
    else
        m_chosen.erase(at);
    Q_EMIT chosenChanged();
}

TagEditor::TagEditor(const std::vector<const data::CatalogueRow*>& rows, const std::vector<std::string>& inUse,
                     QWidget* parent)
    : QDialog(parent), m_new(new QLineEdit(this)), m_list(new QListWidget(this)) {
    setObjectName(QStringLiteral("tagEditor"));
    setWindowTitle(rows.size() == 1 ? tr("Tags of the Run") : tr("Tags of %1 Runs").arg(rows.size()));
    m_new->setPlaceholderText(tr("new tags, separated by spaces"));
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
