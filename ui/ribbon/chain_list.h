#pragma once

#include "ui/ribbon/reason_chain.h"

#include <QListWidget>

#include <cstddef>
#include <memory>
#include <optional>

namespace ui {

/// A chain of reasons as a list, from a moment backwards: a dozen links, and a last line that asks for earlier ones.
/// Arrows go from link to link; each one that is reached is asked to be shown.
class ChainList final : public QListWidget {
    Q_OBJECT

public:
    explicit ChainList(QWidget* parent = nullptr);

    /// Null or without links: empty.
    void showChain(std::shared_ptr<const ReasonChain> chain, std::optional<std::size_t> from);
    /// Link of the chain that the current line shows; nothing on "earlier".
    std::optional<std::size_t> currentLink() const;
    /// Link that the chain begins with.
    std::optional<std::size_t> from() const { return m_from; }
    static constexpr int kLinks = 12;

Q_SIGNALS:
    void linkChosen(std::size_t link);

private:
    void append(int count);
    void reach(QListWidgetItem* item);

    std::shared_ptr<const ReasonChain> m_chain;
    std::optional<std::size_t> m_from;
    bool m_filling = false;
};

}  // namespace ui
