#include "ui/workbench/key_bindings.h"

#include "ui/workbench/commands.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace ui {
namespace {

using LayoutTable = QMap<QString, QList<QKeySequence>>;

QString tr(const char* text) { return QCoreApplication::translate("ui::KeyBindings", text); }

QList<QKeySequence> keys(std::initializer_list<int> values) {
    QList<QKeySequence> list;
    for (const int value : values)
        list << QKeySequence(value);
    return list;
}

int shifted(Qt::Key key) { return (Qt::SHIFT | key).toCombined(); }

/// Returns the shortcuts of a layout that differ from the commands' default shortcuts.
const LayoutTable& tableOf(KeyLayout layout) {
    static const LayoutTable leftHanded{
        {QStringLiteral("view.zoom-in"), keys({Qt::Key_I, Qt::Key_Plus})},
        {QStringLiteral("view.zoom-out"), keys({Qt::Key_K, Qt::Key_Minus})},
        {QStringLiteral("view.pan-left"), keys({Qt::Key_J, Qt::Key_Left})},
        {QStringLiteral("view.pan-right"), keys({Qt::Key_L, Qt::Key_Right})},
        {QStringLiteral("view.pan-left-fast"), keys({shifted(Qt::Key_J), shifted(Qt::Key_Left)})},
        {QStringLiteral("view.pan-right-fast"), keys({shifted(Qt::Key_L), shifted(Qt::Key_Right)})},
    };
    // On AZERTY keyboards Z Q S D have the positions of W A S D. W gets the function of Z, and the key of 0 types à
    // without Shift. A dot needs Shift, and Shift with a comma types a question mark, so the steps are on , ; : !
    // instead, which are side by side.
    static const LayoutTable azerty{
        {QStringLiteral("view.zoom-in"), keys({Qt::Key_Z, Qt::Key_Plus})},
        {QStringLiteral("view.pan-left"), keys({Qt::Key_Q, Qt::Key_Left})},
        {QStringLiteral("view.pan-left-fast"), keys({shifted(Qt::Key_Q), shifted(Qt::Key_Left)})},
        {QStringLiteral("view.zoom-to-selection"), keys({Qt::Key_W})},
        {QStringLiteral("view.whole-run"), keys({Qt::Key_0, Qt::Key_Agrave})},
        {QStringLiteral("playback.event-forward"), keys({Qt::Key_Semicolon})},
        {QStringLiteral("playback.step-back"), keys({Qt::Key_Colon})},
        {QStringLiteral("playback.step-forward"), keys({Qt::Key_Exclam})},
    };
    switch (layout) {
    case KeyLayout::standard: break;
    case KeyLayout::leftHanded: return leftHanded;
    case KeyLayout::azerty: return azerty;
    }
    static const LayoutTable standard;
    return standard;
}

/// The word for each layout in the settings.
const std::array<QString, kKeyLayouts> kLayoutWords{QStringLiteral("standard"), QStringLiteral("left-handed"),
                                                    QStringLiteral("azerty")};

/// Returns whether each shortcut is a single key that Qt knows, with or without modifiers.
bool areKeys(const QList<QKeySequence>& sequences) {
    return std::ranges::all_of(sequences, [](const QKeySequence& sequence) {
        return sequence.count() == 1 && sequence[0].key() != Qt::Key_unknown && sequence[0].key() != 0;
    });
}

}  // namespace

KeyBindings::KeyBindings(Commands& commands, const WindowSettings& settings)
    : m_commands(commands), m_settings(settings) {
    const auto word = std::ranges::find(kLayoutWords, m_settings.keyLayout());
    if (word != kLayoutWords.end())
        m_layout = static_cast<KeyLayout>(word - kLayoutWords.begin());
    const QMap<QString, QString> kept = m_settings.ownKeys();
    for (auto own = kept.begin(); own != kept.end(); ++own) {
        const QList<QKeySequence> sequences = QKeySequence::listFromString(own.value(), QKeySequence::PortableText);
        if (m_commands.find(own.key()) != nullptr && areKeys(sequences))
            m_own.insert(own.key(), sequences);
    }
    applyAll();
}

void KeyBindings::chooseLayout(KeyLayout layout) {
    m_layout = layout;
    applyAll();
    keep();
}

std::optional<QString> KeyBindings::bind(const QString& id, const QList<QKeySequence>& sequences) {
    if (!areKeys(sequences))
        return tr("This key cannot be used as a shortcut.");
    if (const auto problem = whoseElse(id, sequences))
        return problem;
    if (sequences == layoutKeys(id))
        m_own.remove(id);
    else
        m_own.insert(id, sequences);
    m_commands.setKeys(id, sequences);
    keep();
    return std::nullopt;
}

std::optional<QString> KeyBindings::reset(const QString& id) { return bind(id, layoutKeys(id)); }

void KeyBindings::resetAll() {
    m_own.clear();
    applyAll();
    keep();
}

QList<QKeySequence> KeyBindings::layoutKeys(const QString& id) const {
    const LayoutTable& table = tableOf(m_layout);
    const auto entry = table.find(id);
    return entry != table.end() ? *entry : m_commands.find(id)->keys;
}

std::optional<QString> KeyBindings::whoseElse(const QString& id, const QList<QKeySequence>& sequences) const {
    for (const QKeySequence& key : sequences) {
        const Command* holder = m_commands.holderOf(key, id);
        if (holder != nullptr) {
            return tr("%1 is the key of “%2”. Give that command another key first.")
                .arg(key.toString(QKeySequence::NativeText), holder->plainText());
        }
    }
    return std::nullopt;
}

void KeyBindings::applyAll() {
    // Removes all shortcuts first, so that the user's shortcuts apply even if two commands have exchanged their keys.
    for (const Command& command : m_commands.all())
        m_commands.setKeys(command.id, {});
    for (const Command& command : m_commands.all()) {
        if (m_own.contains(command.id) && !whoseElse(command.id, m_own[command.id]))
            m_commands.setKeys(command.id, m_own[command.id]);
        else
            m_own.remove(command.id);
    }
    // A command does not get a key of its layout if the user has given that key to another command.
    for (const Command& command : m_commands.all()) {
        if (m_own.contains(command.id))
            continue;
        QList<QKeySequence> free;
        for (const QKeySequence& key : layoutKeys(command.id)) {
            if (m_commands.holderOf(key, command.id) == nullptr)
                free << key;
        }
        m_commands.setKeys(command.id, free);
    }
}

void KeyBindings::keep() const {
    QMap<QString, QString> own;
    for (auto entry = m_own.begin(); entry != m_own.end(); ++entry)
        own.insert(entry.key(), QKeySequence::listToString(entry.value(), QKeySequence::PortableText));
    m_settings.rememberKeys(kLayoutWords[static_cast<std::size_t>(m_layout)], own);
}

}  // namespace ui
