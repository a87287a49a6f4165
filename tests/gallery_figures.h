#pragma once

#include "data/figure/figure_document.h"
#include "data/figure/figure_gallery.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>

namespace tests {

/// The figures of the gallery at interactive detail, each made once. They take half a minute to simulate, and several
/// tests judge them: tst_figure_gallery keeps their documents, and the runs of their evaluations, in the folder
/// $RINGSIDE_TEST_GALLERY, and ctest starts the other tests after it. Without the folder each test simulates them.
class GalleryFigures {
public:
    enum class Use { makes, reads };
    explicit GalleryFigures(Use use) : m_use(use), m_folder(folder()), m_gallery(optionsOf(use)) {}

    /// Returns a copy, with this name, of the store that has the runs of the gallery's evaluations; an empty text if
    /// the folder is not set.
    static std::string runsFor(const std::string& name) {
        if (folder().empty())
            return {};
        const std::string path = folder() + "/" + name + ".sqlite";
        std::filesystem::copy_file(runs(), path, std::filesystem::copy_options::overwrite_existing);
        return path;
    }

    static data::GalleryOptions options() {
        data::GalleryOptions options;
        options.settings["detail.level"] = std::string("interactive");
        options.threads = 2;
        return options;
    }

    const data::FigureSpec& figure(const std::string& name) {
        const auto found = m_figures.find(name);
        if (found != m_figures.end())
            return found->second;
        return m_figures.emplace(name, m_use == Use::reads && !m_folder.empty() ? kept(name) : made(name))
            .first->second;
    }

private:
    static std::string folder() {
        const char* const set = std::getenv("RINGSIDE_TEST_GALLERY");
        return set != nullptr ? set : "";
    }
    static std::string runs() { return folder() + "/runs.sqlite"; }

    static data::GalleryOptions optionsOf(Use use) {
        data::GalleryOptions made = options();
        if (use == Use::makes && !folder().empty()) {
            std::filesystem::create_directories(folder());
            for (const char* part : {"", "-wal", "-shm"})
                std::filesystem::remove(runs() + part);  // of an engine that may have changed
            made.store = runs();
        }
        return made;
    }

    std::string pathOf(const std::string& name) const { return m_folder + "/" + name + ".json"; }

    data::FigureSpec made(const std::string& name) {
        data::FigureSpec figure = m_gallery.make(name);
        if (!m_folder.empty())
            std::ofstream(pathOf(name), std::ios::binary) << data::writeFigure(figure);
        return figure;
    }

    data::FigureSpec kept(const std::string& name) const {
        std::ifstream file(pathOf(name), std::ios::binary);
        const std::string text(std::istreambuf_iterator<char>(file), {});
        const auto reading = data::readFigure(text, pathOf(name));
        if (!reading.figure)
            throw std::runtime_error(pathOf(name) + ": tst_figure_gallery kept no figure");
        return *reading.figure;
    }

    Use m_use;
    std::string m_folder;
    data::Gallery m_gallery;
    std::map<std::string, data::FigureSpec> m_figures;
};

}  // namespace tests
