#include "ui/figure/zip_archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <memory>
#include <new>

namespace ui {
namespace {

constexpr int kMostEntries = 10'000;

struct CloseReading {
    void operator()(archive* held) const { archive_read_free(held); }
};
struct CloseWriting {
    void operator()(archive* held) const { archive_write_free(held); }
};
struct FreeEntry {
    void operator()(archive_entry* held) const { archive_entry_free(held); }
};

la_ssize_t append(archive*, void* bytes, const void* data, std::size_t size) {
    static_cast<QByteArray*>(bytes)->append(static_cast<const char*>(data), static_cast<qsizetype>(size));
    return static_cast<la_ssize_t>(size);
}

QByteArray lastPartOf(const char* path) {
    const QByteArray whole(path);
    return whole.mid(whole.lastIndexOf('/') + 1);
}

std::optional<QByteArray> contentOf(archive* reader, std::size_t limit) {
    QByteArray content;
    char piece[16 * 1024];
    for (;;) {
        const la_ssize_t read = archive_read_data(reader, piece, sizeof piece);
        if (read == 0)
            return content;
        if (read < 0 || static_cast<std::size_t>(content.size() + read) > limit)
            return std::nullopt;
        content.append(piece, static_cast<qsizetype>(read));
    }
}

}  // namespace

QByteArray zipOf(const std::vector<FigureFile>& files) {
    QByteArray bytes;
    const std::unique_ptr<archive, CloseWriting> writer(archive_write_new());
    const std::unique_ptr<archive_entry, FreeEntry> entry(archive_entry_new());
    if (!writer || !entry)
        throw std::bad_alloc();
    archive_write_set_format_zip(writer.get());
    archive_write_set_bytes_per_block(writer.get(), 0);
    archive_write_open(writer.get(), &bytes, nullptr, append, nullptr);
    for (const FigureFile& file : files) {
        archive_entry_clear(entry.get());
        archive_entry_set_pathname(entry.get(), file.name.toUtf8().constData());
        archive_entry_set_filetype(entry.get(), AE_IFREG);
        archive_entry_set_perm(entry.get(), 0644);
        archive_entry_set_size(entry.get(), file.content.size());
        archive_write_header(writer.get(), entry.get());
        archive_write_data(writer.get(), file.content.constData(), static_cast<std::size_t>(file.content.size()));
    }
    archive_write_close(writer.get());
    return bytes;
}

std::optional<QByteArray> fileInZip(const QByteArray& zip, const QByteArray& name, std::size_t limit) {
    const std::unique_ptr<archive, CloseReading> reader(archive_read_new());
    if (!reader)
        throw std::bad_alloc();
    archive_read_support_format_zip(reader.get());
    if (archive_read_open_memory(reader.get(), zip.constData(), static_cast<std::size_t>(zip.size())) != ARCHIVE_OK)
        return std::nullopt;
    archive_entry* entry = nullptr;
    for (int i = 0; i < kMostEntries; ++i) {
        const int result = archive_read_next_header(reader.get(), &entry);
        if (result != ARCHIVE_OK && result != ARCHIVE_WARN)
            return std::nullopt;
        const char* path = archive_entry_pathname(entry);
        if (path != nullptr && lastPartOf(path) == name)
            return contentOf(reader.get(), limit);
    }
    return std::nullopt;
}

}  // namespace ui
