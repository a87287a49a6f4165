#include "data/document/json_reading.h"

namespace data {

CLocale::CLocale() {
    static const locale_t kPlain = newlocale(LC_ALL_MASK, "C", nullptr);
    m_before = uselocale(kPlain);
}

CLocale::~CLocale() { uselocale(m_before); }

}  // namespace data
