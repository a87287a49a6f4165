#include "ui/figure/font_subset.h"

#include <QList>

#include <hb-subset.h>
#include <memory>

namespace ui {
namespace {

template <auto destroy>
struct Destroy {
    template <class T>
    void operator()(T* held) const {
        destroy(held);
    }
};
using Blob = std::unique_ptr<hb_blob_t, Destroy<hb_blob_destroy>>;
using Face = std::unique_ptr<hb_face_t, Destroy<hb_face_destroy>>;
using Input = std::unique_ptr<hb_subset_input_t, Destroy<hb_subset_input_destroy>>;

}  // namespace

QByteArray fontSubset(const QByteArray& font, const QString& text) {
    const Blob blob(hb_blob_create(font.constData(), static_cast<unsigned>(font.size()), HB_MEMORY_MODE_READONLY,
                                   nullptr, nullptr));
    const Face face(hb_face_create(blob.get(), 0));
    const Input input(hb_subset_input_create_or_fail());
    if (!input || hb_face_get_glyph_count(face.get()) == 0)
        return {};
    hb_set_t* letters = hb_subset_input_unicode_set(input.get());
    for (const uint letter : text.toUcs4())
        hb_set_add(letters, letter);
    const Face subset(hb_subset_or_fail(face.get(), input.get()));
    if (!subset)
        return {};
    const Blob result(hb_face_reference_blob(subset.get()));
    unsigned length = 0;
    const char* bytes = hb_blob_get_data(result.get(), &length);
    return {bytes, static_cast<qsizetype>(length)};
}

}  // namespace ui
