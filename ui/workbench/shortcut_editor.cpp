#include "ui/workbench/shortcut_editor.h"

#include "ui/look/palette.h"
#include "ui/look/widget_parts.h"
#include "ui/workbench/commands.h"
#include "ui/workbench/key_bindings.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTreeWidget>

#include <initializer_list>

namespace ui {
namespace {

enum Column { kCommand, kKeys };

}  // namespace

ShortcutEditor::ShortcutEditor(const Commands& commands, KeyBindings& bindings, QWidget* parent)
    : QDialog(parent), m_commands(commands), m_bindings(bindings), m_layout(new QComboBox(this)),
      m_filter(new QLineEdit(this)), m_tree(new QTreeWidget(this)), m_key(new QKeySequenceEdit(this)),
      m_remove(new QPushButton(tr("&No Key"), this)), m_reset(new QPushButton(tr("&Reset"), this)),
      m_answer(newWrappedLabel(this, QStringLiteral("answer"))) {
    setObjectName(QStringLiteral("shortcutEditor"));
    setWindowTitle(tr("Change Keys"));
    m_tree->setHeaderLabels({tr("Command"), tr("Keys")});
    m_tree->setAccessibleName(tr("Commands and their keys"));
    m_tree->setUniformRowHeights(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close | QDialogButtonBox::RestoreDefaults, this);
    auto* column = new QVBoxLayout(this);
    column->addWidget(buildTop());
    column->addWidget(m_tree, 1);
    column->addWidget(buildFoot());
    column->addWidget(m_answer);
    column->addWidget(buttons);
    fill();
    resize(fontMetrics().averageCharWidth() * 100, fontMetrics().height() * 40);
    connect(m_tree, &QTreeWidget::currentItemChanged, this, &ShortcutEditor::showCurrent);
    connect(&m_commands, &Commands::keysChanged, this, &ShortcutEditor::refresh);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons->button(QDialogButtonBox::RestoreDefaults), &QPushButton::clicked, this, [this] {
        m_bindings.resetAll();
        answer(std::nullopt);
    });
    showCurrent();
}

QWidget* ShortcutEditor::buildTop() {
    auto* top = new QWidget(this);
    auto* row = flushLayout<QHBoxLayout>(top);
    m_layout->addItems({tr("W A S D"), tr("I J K L, for the left hand"), tr("Z Q S D, for AZERTY")});
    m_layout->setCurrentIndex(static_cast<int>(m_bindings.layout()));
    auto* label = new QLabel(tr("&Move with"), top);
    label->setBuddy(m_layout);
    m_layout->setAccessibleName(tr("Move with"));
    m_filter->setPlaceholderText(tr("Find a command"));
    m_filter->setAccessibleName(tr("Find a command"));
    m_filter->setClearButtonEnabled(true);
    row->addWidget(label);
    row->addWidget(m_layout);
    row->addWidget(m_filter, 1);
    connect(m_layout, &QComboBox::activated, this, [this](int index) {
        m_bindings.chooseLayout(static_cast<KeyLayout>(index));
        answer(std::nullopt);
    });
    connect(m_filter, &QLineEdit::textChanged, this, &ShortcutEditor::applyFilter);
    return top;
}

QWidget* ShortcutEditor::buildFoot() {
    auto* foot = new QWidget(this);
    auto* row = flushLayout<QHBoxLayout>(foot);
    auto* label = new QLabel(tr("New &key"), foot);
    label->setBuddy(m_key);
    m_key->setAccessibleName(tr("New key for the command"));
    row->addWidget(label);
    row->addWidget(m_key, 1);
    row->addWidget(m_remove);
    row->addWidget(m_reset);
    for (QPushButton* button : {m_remove, m_reset})
        button->setAutoDefault(false);
    connect(m_key, &QKeySequenceEdit::keySequenceChanged, this, &ShortcutEditor::assign);
    connect(m_remove, &QPushButton::clicked, this, [this] { answer(m_bindings.bind(currentId(), {})); });
    connect(m_reset, &QPushButton::clicked, this, [this] { answer(m_bindings.reset(currentId())); });
    return foot;
}

void ShortcutEditor::fill() {
    QMap<CommandGroup, QTreeWidgetItem*> titles;
    for (const Command& command : m_commands.all()) {
        QTreeWidgetItem*& title = titles[command.group];
        if (title == nullptr) {
            title = new QTreeWidgetItem(m_tree, {plain(titleOf(command.group))});
            title->setFlags(Qt::ItemIsEnabled);
        }
        auto* item = new QTreeWidgetItem(title, {command.plainText()});
        item->setToolTip(kCommand, command.hint);
        item->setData(kCommand, Qt::UserRole, command.id);
        m_items.insert(command.id, item);
    }
    m_tree->expandAll();
    m_tree->header()->setSectionResizeMode(kCommand, QHeaderView::Stretch);
    refresh();
}

void ShortcutEditor::refresh() {
    for (const Command& command : m_commands.all()) {
        QTreeWidgetItem* item = m_items.value(command.id);
        if (item == nullptr)
            continue;
        item->setText(kKeys, command.keysText());
        item->setFont(kKeys, m_bindings.isChanged(command.id) ? strongFont(font()) : font());
    }
}

void ShortcutEditor::applyFilter(const QString& words) {
    for (int group = 0; group < m_tree->topLevelItemCount(); ++group) {
        QTreeWidgetItem* title = m_tree->topLevelItem(group);
        bool any = false;
        for (int i = 0; i < title->childCount(); ++i) {
            QTreeWidgetItem* item = title->child(i);
            const bool found = (item->text(kCommand) + u' ' + item->text(kKeys)).contains(words, Qt::CaseInsensitive);
            item->setHidden(!found);
            any = any || found;
        }
        title->setHidden(!any);
    }
}

QString ShortcutEditor::currentId() const {
    const QTreeWidgetItem* item = m_tree->currentItem();
    return item != nullptr ? item->data(kCommand, Qt::UserRole).toString() : QString();
}

void ShortcutEditor::showCurrent() {
    const bool any = !currentId().isEmpty();
    for (QWidget* control : std::initializer_list<QWidget*>{m_key, m_remove, m_reset})
        control->setEnabled(any);
    m_key->clear();
    answer(std::nullopt);
}

void ShortcutEditor::assign() {
    const QKeySequence typed = m_key->keySequence();
    if (typed.isEmpty() || currentId().isEmpty())
        return;
    const QKeySequence first(typed[0]);
    m_key->clear();  // a shortcut is one key; the next key that is pressed replaces it
    answer(m_bindings.bind(currentId(), {first}));
}

void ShortcutEditor::answer(const std::optional<QString>& problem) {
    setInk(*m_answer, problem ? paletteOf(*this).error : paletteOf(*this).ink);
    const QString hint = currentId().isEmpty()
                             ? tr("Choose a command, then press its new key.")
                             : tr("Press the new key of “%1”.").arg(m_tree->currentItem()->text(kCommand));
    m_answer->setText(problem.value_or(hint));
    m_answer->setAccessibleName(m_answer->text());
    refresh();
}

}  // namespace ui
