#pragma once

#include "data/page/lesson_page.h"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace data {

/// A lesson of a site.
struct SiteLesson {
    std::string file;  ///< "02-ring-reduce-scatter.html"
    std::string title, summary;
};

/// Returns the lessons that come with the program, as a site has them.
std::vector<SiteLesson> bundledSite();

/// Gives the page's links to the pages before and after, and to the list of all.
void addNeighbours(std::span<const SiteLesson> lessons, std::size_t index, LessonPageRequest& request);

/// Returns index.html: the titles and summaries, without a script.
std::string siteIndex(std::span<const SiteLesson> lessons);

/// A folder of web pages. It is written beside its place and takes it in keep(), so that a site is never half there.
/// A folder that has anything but such pages is not replaced. All functions throw FileError.
class SiteFolder {
public:
    explicit SiteFolder(const std::string& path);
    ~SiteFolder();
    SiteFolder(const SiteFolder&) = delete;
    SiteFolder& operator=(const SiteFolder&) = delete;

    void write(const std::string& file, std::string_view text);
    void keep();

private:
    std::string m_path, m_draft;
};

}  // namespace data
