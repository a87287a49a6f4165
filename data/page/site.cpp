#include "data/page/site.h"

#include "data/document/html_text.h"
#include "data/document/whole_file.h"
#include "data/lessons/lesson_library.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace data {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kIndex = "index.html", kSiteTitle = "Lessons of Ringside";

/// Returns whether a folder may be replaced: it is empty, or it has web pages of this program only.
bool isSite(const fs::path& folder) {
    return std::ranges::all_of(fs::directory_iterator(folder), [](const fs::directory_entry& entry) {
        if (!entry.is_regular_file() || entry.path().extension() != ".html")
            return false;
        std::ifstream file(entry.path());
        std::string head(2'000, '\0');
        file.read(head.data(), static_cast<std::streamsize>(head.size()));
        return head.find("<meta name=\"generator\" content=\"Ringside\">") != std::string::npos;
    });
}

[[noreturn]] void refuseFolder(const std::string& path, const std::string& why) { throw FileError(path + ": " + why); }

}  // namespace

std::vector<SiteLesson> bundledSite() {
    std::vector<SiteLesson> lessons;
    for (const BundledLesson& lesson : bundledLessons())
        lessons.push_back({lesson.file + ".html", lesson.title, lesson.summary});
    return lessons;
}

void addNeighbours(std::span<const SiteLesson> lessons, std::size_t index, LessonPageRequest& request) {
    const auto neighbour = [&](std::size_t at) { return PageNeighbour{lessons[at].file, lessons[at].title}; };
    request.all = PageNeighbour{std::string(kIndex), "All lessons"};
    if (index > 0)
        request.previous = neighbour(index - 1);
    if (index + 1 < lessons.size())
        request.next = neighbour(index + 1);
}

std::string siteIndex(std::span<const SiteLesson> lessons) {
    std::string body = "<header>\n<h1>" + std::string(kSiteTitle) +
                       "</h1>\n<p>How a GEMM and the collective that consumes its output overlap, in " +
                       std::to_string(lessons.size()) +
                       " lessons. Each page is complete: it plays its runs without a network.</p>\n</header>\n"
                       "<main>\n<ol class=\"site\">\n";
    for (const SiteLesson& lesson : lessons)
        body += "<li><a href=\"" + escapedHtml(lesson.file) + "\">" + escapedHtml(lesson.title) + "</a><p>" +
                escapedHtml(lesson.summary) + "</p></li>\n";
    return writeTextPage(kSiteTitle, body + "</ol>\n</main>\n");
}

SiteFolder::SiteFolder(const std::string& path) : m_path(path) {
    try {
        const fs::path target = fs::absolute(path).lexically_normal();
        m_path = (target.has_filename() ? target : target.parent_path()).string();
        if (fs::exists(m_path) && (!fs::is_directory(m_path) || !isSite(m_path)))
            refuseFolder(path,
                         "is there and is no site; allowed: a new folder, an empty one, or one with such pages only");
        m_draft = m_path + ".new";
        if (!fs::create_directory(m_draft))
            refuseFolder(m_draft, "is there already, perhaps of another program that writes the same site");
    } catch (const fs::filesystem_error& error) { throw FileError(path + ": " + error.code().message()); }
}

SiteFolder::~SiteFolder() {
    std::error_code ignored;
    if (!m_draft.empty())
        fs::remove_all(m_draft, ignored);
}

void SiteFolder::write(const std::string& file, std::string_view text) { writeWholeFile(m_draft + "/" + file, text); }

void SiteFolder::keep() {
    try {
        const std::string old = m_path + ".old";
        const bool replaces = fs::exists(m_path);
        if (replaces)
            fs::rename(m_path, old);
        std::error_code failure;
        fs::rename(m_draft, m_path, failure);
        if (failure && replaces)
            fs::rename(old, m_path);
        if (failure)
            throw FileError(m_path + ": " + failure.message());
        m_draft.clear();
        if (replaces)
            fs::remove_all(old);
    } catch (const fs::filesystem_error& error) { throw FileError(m_path + ": " + error.code().message()); }
}

}  // namespace data
