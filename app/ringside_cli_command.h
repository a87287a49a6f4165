#pragma once

#include <functional>
#include <utility>

namespace CLI {
class App;
}

namespace cli {

/// A command that is declared in a file of its own, with what it does once it was chosen; that returns the exit code.
using DeclaredCommand = std::pair<CLI::App*, std::function<int()>>;

}  // namespace cli
