#include "tests/house_rules.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

namespace tests {
namespace {

namespace fs = std::filesystem;

struct Include {
    std::string target;
    int line = 0;
};

struct DefinedType {
    std::string name;
    int line = 0;
};

struct SourceFile {
    std::vector<Include> includes;
    std::vector<DefinedType> types;  // types defined at the left margin, which belong to the namespace of the house
};

struct LinkLine {
    std::string target;
    std::string file;
    int line = 0;
    std::vector<std::string> items;
};

/// The folders of a file: "engine/memory/dram.h" is in house "engine", room "memory"; "ui/ringside_window.h" has no
/// room.
struct Place {
    std::string house;
    std::string room;
};

struct Tree {
    std::map<std::string, SourceFile> sources;
    std::vector<LinkLine> links;
    std::map<std::string, std::string> houseOfTarget;
    std::map<std::string, std::set<std::string>> sourcesOfTarget;
};

constexpr std::array kHouses{"engine", "data", "ui", "app", "web"};

Place placeOf(const std::string& path) {
    const auto first = path.find('/');
    const auto last = path.rfind('/');
    if (first == std::string::npos)
        return {};
    return {path.substr(0, first), first == last ? std::string{} : path.substr(first + 1, last - first - 1)};
}

using Floors = std::map<std::string, int, std::less<>>;

/// Returns the floors of a house, from the ground up, or null if its rooms have no floors. A room that is not listed
/// has no floor yet.
const Floors* floorsOf(const std::string& house) {
    static const std::map<std::string, Floors, std::less<>> houses{
        {"engine",
         {{"api", 0},
          {"kernel", 1},
          {"workload", 1},
          {"record", 1},
          {"timetable", 1},
          {"memory", 2},
          {"network", 2},
          {"overlap", 3},
          {"compute", 4},
          {"collective", 4},
          {"run", 5}}},
        {"data",
         {{"document", 0},
          {"presets", 1},
          {"experiment", 2},
          {"results", 3},
          {"store", 4},
          {"laboratory", 5},
          {"model", 6},
          {"trace", 6},
          {"replay", 6},
          {"lessons", 6},
          {"sweep", 6},
          {"tasks", 6},
          {"measured", 6},
          {"collectives", 7},
          {"questions", 7},
          {"evaluations", 7},
          {"figure", 8},
          {"page", 8},
          {"opening", 9}}},
    };
    const auto found = houses.find(house);
    return found == houses.end() ? nullptr : &found->second;
}

std::optional<int> floorOf(const Place& place) {
    const Floors* floors = floorsOf(place.house);
    if (floors == nullptr)
        return std::nullopt;
    const auto found = floors->find(place.room);
    return found == floors->end() ? std::nullopt : std::optional(found->second);
}

/// Returns the floor of a room that the features of the window share: look, drawing, state, workbench, from the ground
/// up. A feature has no floor, because nothing builds on it.
std::optional<int> groundOf(const std::string& room) {
    static const Floors grounds{{"look", 0}, {"drawing", 1}, {"shared", 2}, {"workbench", 3}};
    const auto found = grounds.find(room);
    return found == grounds.end() ? std::nullopt : std::optional(found->second);
}

bool startsWithAny(std::string_view text, std::initializer_list<std::string_view> beginnings) {
    return std::any_of(beginnings.begin(), beginnings.end(), [&](auto b) { return text.starts_with(b); });
}

bool isAnyOf(std::string_view text, std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), text) != words.end();
}

/// Returns whether a header is one of Qt's, whose names have the form <QWidget>, <QtCharts/QChart> or <QtGlobal>.
bool isQtHeader(std::string_view header) {
    return header.size() > 1 && header[0] == 'Q' &&
           ((header[1] >= 'A' && header[1] <= 'Z') || (header[1] == 't' && header.size() > 2));
}

bool isTbbHeader(std::string_view header) { return startsWithAny(header, {"tbb/", "oneapi/tbb"}); }

bool isStorageHeader(std::string_view header) {
    return startsWithAny(header, {"SQLiteCpp/", "sqlite3", "nlohmann/", "CLI/", "openssl/"});
}

bool isOutputHeader(std::string_view header) {
    return isAnyOf(header, {"iostream", "fstream", "ostream", "istream", "cstdio", "stdio.h", "print", "syncstream",
                            "filesystem"});
}

/// Returns the rule that an include between two rooms of a house with floors breaks, if any.
std::optional<std::string> wrongFloor(const Place& here, const Place& there) {
    const auto from = floorOf(here), to = floorOf(there);
    if (!from || !to)
        return std::nullopt;  // a room without a floor is reported once, elsewhere
    return *to > *from ? std::optional<std::string>("an include goes down or stays, never up") : std::nullopt;
}

/// Returns the rule that an include between two rooms of the window breaks, if any. Files outside of rooms compose the
/// window: they may include every room, and no room may include them.
std::optional<std::string> wrongRoomOfWindow(const Place& here, const Place& there) {
    if (here.room.empty() || here.room == there.room)
        return std::nullopt;
    if (there.room.empty())
        return "no room of the window may include the composition root";
    const auto from = groundOf(here.room), to = groundOf(there.room);
    if (from && !to)
        return "ui/" + here.room + " must not include a feature";
    if (from && *to > *from)
        return "ui/" + here.room + " must not include ui/" + there.room;
    return from || to
               ? std::nullopt
               : std::optional<std::string>(
                     "a feature must not include another feature; shared code belongs in ui/shared or ui/workbench");
}

/// Returns the rule that a file of the window breaks by including a feature's header, if any. A feature plugs itself
/// in, so only its own source and the files that compose the window may include its header.
std::optional<std::string> wrongFeature(const std::string& from, const std::string& to) {
    if (!to.ends_with("_feature.h") || placeOf(from).room.empty())
        return std::nullopt;
    const std::string own = to.substr(0, to.size() - 1) + "cpp";
    return from == own ? std::nullopt
                       : std::optional<std::string>("only the composition root may include a feature's header");
}

/// Returns the rule that `from` breaks by including `to`, if any. Both are files of the tree.
std::optional<std::string> wrongArrow(const std::string& from, const std::string& to) {
    const Place here = placeOf(from);
    const Place there = placeOf(to);
    const std::string& target = there.house;
    if (target == "tests")
        return "released code must not include tests";
    if (here.house != "engine" && target == "engine")
        return there.room == "api" ? std::nullopt
                                   : std::optional<std::string>("only engine/api may be included from outside");
    if (here.house == "engine") {
        if (target != "engine")
            return "the engine may include only the engine";
        if (here.room == "kernel" && !isAnyOf(there.room, {"kernel", "api"}))
            return "engine/kernel must not include a component";
        return wrongFloor(here, there);
    }
    if (here.house == "data") {
        if (target != "data")
            return "data may include only data and engine/api";
        return wrongFloor(here, there);
    }
    if (target == "web" && here.house != "web")
        return "no house may include web";
    if (here.house == "web" && !isAnyOf(target, {"web", "data"}))
        return "web may include only data and engine/api";
    if (here.house == "ui" && target == "app")
        return "ui must not include app";
    if (here.house == "ui" && target == "ui") {
        const auto wrong = wrongRoomOfWindow(here, there);
        return wrong ? wrong : wrongFeature(from, to);
    }
    return std::nullopt;
}

/// Returns the rule that a file breaks by including a header of another project, if any.
std::optional<std::string> wrongHeader(const std::string& from, const std::string& header) {
    const Place here = placeOf(from);
    if (isQtHeader(header) && isAnyOf(here.house, {"engine", "data", "web"}))
        return "no Qt in " + here.house;
    if (isTbbHeader(header) && !(here.house == "engine" && isAnyOf(here.room, {"run", "kernel"})))
        return "only engine/run and engine/kernel may use TBB";
    if (here.house == "engine" && isStorageHeader(header))
        return "no documents, store or command line in the engine";
    if (here.house == "engine" && isOutputHeader(header))
        return "no file or console in the engine";
    return std::nullopt;
}

std::string readFile(const fs::path& path) {
    std::ifstream stream(path, std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

SourceFile readSource(const fs::path& path) {
    static const std::regex pattern(R"re(^\s*#\s*include\s*[<"]([^>"]+)[>"])re");
    static const std::regex definition(R"re(^(?:struct|class|enum class)\s+(\w+)(?:\s+final)?(?:\s*:\s[^;]*)?\s*\{)re");
    SourceFile source;
    std::istringstream text(readFile(path));
    std::string line;
    std::smatch match;
    for (int number = 1; std::getline(text, line); ++number) {
        if (std::regex_search(line, match, pattern))
            source.includes.push_back({match[1], number});
        else if (std::regex_search(line, match, definition))
            source.types.push_back({match[1], number});
    }
    return source;
}

/// Returns CMake text without comments. The line numbers do not change.
std::string withoutComments(const std::string& text) {
    static const std::regex comment("#[^\n]*");
    return std::regex_replace(text, comment, "");
}

std::vector<std::string> wordsOf(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> words;
    for (std::string word; stream >> word;)
        words.push_back(word);
    return words;
}

/// Returns the paths of the tree that match a pattern of file(GLOB); "*" matches everything but a slash.
std::set<std::string> matching(const std::string& pattern, const std::set<std::string>& names) {
    std::string expression;
    for (const char c : pattern)
        expression += c == '*'               ? std::string("[^/]*")
                      : c == '.' || c == '+' ? std::string("\\") + c
                                             : std::string(1, c);
    const std::regex whole(expression);
    std::set<std::string> found;
    std::copy_if(names.begin(), names.end(), std::inserter(found, found.end()),
                 [&](const auto& name) { return std::regex_match(name, whole); });
    return found;
}

/// Reads one CMake file: its targets, their sources and their libraries.
class CMakeReader {
public:
    CMakeReader(Tree& tree, const std::set<std::string>& names) : m_tree(tree), m_names(names) {}

    void read(const std::string& name, const std::string& rawText) {
        static const std::regex command(
            R"((target_link_libraries|add_library|add_executable|qt_add_executable|qt_add_library|file)\s*\(([^)]*)\))");
        const std::string text = withoutComments(rawText);
        m_folder = name.substr(0, name.rfind('/') + 1);
        m_globs.clear();
        for (std::sregex_iterator it(text.begin(), text.end(), command), end; it != end; ++it) {
            auto words = wordsOf((*it)[2]);
            if (words.size() < 2)
                continue;
            const std::string first = words.front();
            words.erase(words.begin());
            const int line = 1 + static_cast<int>(std::count(text.begin(), text.begin() + it->position(), '\n'));
            if ((*it)[1] == "target_link_libraries")
                m_tree.links.push_back({first, name, line, words});
            else if ((*it)[1] != "file")
                readTarget(first, words);
            else if (first.starts_with("GLOB"))
                readGlob(words);
        }
    }

private:
    void readTarget(const std::string& target, const std::vector<std::string>& words) {
        m_tree.houseOfTarget[target] = m_folder.substr(0, m_folder.find('/'));
        auto& sources = m_tree.sourcesOfTarget[target];
        for (const auto& word : words) {
            if (const auto glob = m_globs.find(word); glob != m_globs.end())
                sources.insert(glob->second.begin(), glob->second.end());
            else
                sources.insert(m_folder + word);
        }
    }

    void readGlob(const std::vector<std::string>& words) {
        static const std::string here = "${CMAKE_CURRENT_SOURCE_DIR}/";
        auto& sources = m_globs["${" + words.front() + "}"];
        for (const auto& word : words) {
            if (word.starts_with(here))
                sources.merge(matching(m_folder + word.substr(here.size()), m_names));
        }
    }

    Tree& m_tree;
    const std::set<std::string>& m_names;
    std::string m_folder;
    std::map<std::string, std::set<std::string>> m_globs;
};

Tree readTree(const fs::path& root) {
    Tree tree;
    std::set<std::string> names;
    std::vector<std::string> cmakeFiles;
    for (const char* house : {"engine", "data", "ui", "app", "web", "resources"}) {
        if (!fs::is_directory(root / house))
            continue;
        for (auto it = fs::recursive_directory_iterator(root / house); it != fs::recursive_directory_iterator(); ++it) {
            const fs::directory_entry& entry = *it;
            if (entry.path().filename() == "node_modules") {
                it.disable_recursion_pending();  // packages of others, which are not in git
                continue;
            }
            const std::string name = entry.path().lexically_relative(root).generic_string();
            const auto extension = entry.path().extension();
            names.insert(name);
            if (extension == ".h" || extension == ".cpp")
                tree.sources[name] = readSource(entry.path());
            else if (extension == ".cmake" || entry.path().filename() == "CMakeLists.txt")
                cmakeFiles.push_back(name);
        }
    }
    CMakeReader reader(tree, names);
    for (const auto& name : cmakeFiles)
        reader.read(name, readFile(root / name));
    return tree;
}

/// Returns the file of the tree that an include names: relative to the root, or to the folder of the including file.
std::optional<std::string> ownFile(const Tree& tree, const std::string& from, const std::string& target) {
    if (tree.sources.contains(target))
        return target;
    const std::string beside = (fs::path(from).parent_path() / target).lexically_normal().generic_string();
    if (tree.sources.contains(beside))
        return beside;
    // The include of a missing file still names a house.
    const auto house = target.substr(0, target.find('/'));
    if (target.ends_with(".h") &&
        (house == "tests" || std::find(kHouses.begin(), kHouses.end(), house) != kHouses.end()))
        return target;
    return std::nullopt;
}

void checkIncludes(const Tree& tree, std::vector<Trespass>& found) {
    for (const auto& [name, source] : tree.sources) {
        for (const auto& include : source.includes) {
            const auto own = ownFile(tree, name, include.target);
            const auto wrong = own ? wrongArrow(name, *own) : wrongHeader(name, include.target);
            if (wrong)
                found.push_back({name, include.line, "includes " + include.target + ": " + *wrong});
        }
    }
}

// If two types have the same name, the linker uses one of them for both without a warning.
void checkTypes(const Tree& tree, std::vector<Trespass>& found) {
    std::map<std::pair<std::string, std::string>, std::string> fileOfType;
    for (const auto& [name, source] : tree.sources) {
        if (!name.ends_with(".h"))
            continue;
        for (const DefinedType& type : source.types) {
            const auto [there, isNew] = fileOfType.emplace(std::pair(placeOf(name).house, type.name), name);
            if (!isNew)
                found.push_back({name, type.line, "defines " + type.name + " as " + there->second + " does"});
        }
    }
}

void checkRooms(const Tree& tree, std::vector<Trespass>& found) {
    for (const auto& [name, source] : tree.sources) {
        const Place place = placeOf(name);
        if (place.house == "ui" && place.room.empty() && !name.starts_with("ui/ringside_window."))
            found.push_back({name, 0, "lies in no room: the folder ui itself holds only the composition root"});
        if (place.room.find('/') != std::string::npos)
            found.push_back({name, 0, "lies too deep: one folder level below " + place.house + ", never two"});
        else if (floorsOf(place.house) != nullptr && !floorOf(place))
            found.push_back(
                {name, 0, place.house + "/" + place.room + " has no floor: give it one in tests/house_rules.cpp"});
    }
}

/// Searches for circles, depth-first over the includes. A file that is reached again before its search has ended closes
/// a circle.
class CircleSearch {
public:
    CircleSearch(const Tree& tree, std::vector<Trespass>& found) : m_tree(tree), m_found(found) {}

    void run() {
        for (const auto& [name, source] : m_tree.sources)
            visit(name);
    }

private:
    void visit(const std::string& name) {
        if (!m_seen.insert(name).second)
            return;
        m_open.push_back(name);
        for (const auto& include : m_tree.sources.at(name).includes) {
            const auto own = ownFile(m_tree, name, include.target);
            if (!own || !m_tree.sources.contains(*own))
                continue;
            const auto open = std::find(m_open.begin(), m_open.end(), *own);
            if (open != m_open.end())
                report(open, name, include.line);
            else
                visit(*own);
        }
        m_open.pop_back();
    }

    void report(std::vector<std::string>::iterator first, const std::string& name, int line) {
        std::string circle;
        for (auto it = first; it != m_open.end(); ++it)
            circle += *it + " -> ";
        m_found.push_back({name, line, "closes a circle of includes: " + circle + *first});
    }

    const Tree& m_tree;
    std::vector<Trespass>& m_found;
    std::set<std::string> m_seen;
    std::vector<std::string> m_open;
};

std::optional<std::string> wrongLink(const Tree& tree, const std::string& house, const std::string& item) {
    const bool qt = startsWithAny(item, {"Qt6::", "Qt::", "Qt5::"});
    if (qt && isAnyOf(house, {"engine", "data", "web"}))
        return "no Qt in " + house;
    if (startsWithAny(item, {"TBB::", "tbb"}) && house != "engine")
        return "only engine/run and engine/kernel may use TBB";
    if (house == "engine" && startsWithAny(item, {"SQLite", "sqlite", "nlohmann_json", "CLI11", "OpenSSL"}))
        return "no documents, store or command line in the engine";

    const auto owner = tree.houseOfTarget.find(item);
    if (owner == tree.houseOfTarget.end() || owner->second == house)
        return std::nullopt;
    static const std::map<std::string, std::set<std::string>> allowed{
        {"engine", {}},
        {"resources", {}},
        {"data", {"engine", "resources"}},
        {"ui", {"engine", "data", "resources"}},
        {"app", {"engine", "data", "ui", "resources"}},
        {"web", {"engine", "data"}},
    };
    const auto rule = allowed.find(house);
    if (rule == allowed.end() || rule->second.contains(owner->second))
        return std::nullopt;
    return house + " does not see " + owner->second;
}

void checkLinks(const Tree& tree, std::vector<Trespass>& found) {
    for (const auto& link : tree.links) {
        const std::string house = link.file.substr(0, link.file.find('/'));
        for (const auto& item : link.items) {
            if (const auto wrong = wrongLink(tree, house, item))
                found.push_back({link.file, link.line, link.target + " links " + item + ": " + *wrong});
        }
    }
}

constexpr std::string_view kCommandLine = "ringside-cli";

/// Returns the targets of the command line: itself and all targets of this project that it links.
std::set<std::string> commandLineTargets(const Tree& tree) {
    std::set<std::string> reached{std::string(kCommandLine)};
    for (bool grew = true; grew;) {
        grew = false;
        for (const auto& link : tree.links) {
            if (!reached.contains(link.target))
                continue;
            for (const auto& item : link.items)
                grew |= tree.houseOfTarget.contains(item) && reached.insert(item).second;
        }
    }
    return reached;
}

void checkCommandLineLinks(const Tree& tree, const std::set<std::string>& targets, std::vector<Trespass>& found) {
    for (const auto& link : tree.links) {
        if (!targets.contains(link.target))
            continue;
        for (const auto& item : link.items) {
            const auto owner = tree.houseOfTarget.find(item);
            if (startsWithAny(item, {"Qt6::", "Qt::"}) || (owner != tree.houseOfTarget.end() && owner->second == "ui"))
                found.push_back(
                    {link.file, link.line, link.target + " links " + item + ": the command line has no Qt"});
        }
    }
}

void checkCommandLineIncludes(const Tree& tree, const std::set<std::string>& targets, std::vector<Trespass>& found) {
    std::set<std::string> files;
    for (const auto& target : targets) {
        const auto sources = tree.sourcesOfTarget.find(target);
        if (sources == tree.sourcesOfTarget.end())
            continue;
        for (const auto& source : sources->second) {
            if (tree.sources.contains(source))
                files.insert(source);
        }
    }
    std::vector<std::string> open(files.begin(), files.end());
    while (!open.empty()) {
        const std::string name = open.back();
        open.pop_back();
        for (const auto& include : tree.sources.at(name).includes) {
            const auto own = ownFile(tree, name, include.target);
            if (isQtHeader(include.target) || (own && placeOf(*own).house == "ui"))
                found.push_back({name, include.line, "includes " + include.target + ": the command line has no Qt"});
            else if (own && tree.sources.contains(*own) && files.insert(*own).second)
                open.push_back(*own);
        }
    }
}

}  // namespace

std::vector<Trespass> trespassesIn(const std::filesystem::path& root) {
    const Tree tree = readTree(root);
    std::vector<Trespass> found;
    checkRooms(tree, found);
    checkTypes(tree, found);
    checkIncludes(tree, found);
    CircleSearch(tree, found).run();
    checkLinks(tree, found);
    const auto commandLine = commandLineTargets(tree);
    checkCommandLineLinks(tree, commandLine, found);
    checkCommandLineIncludes(tree, commandLine, found);
    return found;
}

std::string describe(const Trespass& trespass) {
    return trespass.file + ":" + std::to_string(trespass.line) + ": " + trespass.text;
}

}  // namespace tests
