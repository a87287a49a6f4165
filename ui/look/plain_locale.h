#pragma once

namespace ui {

/// Makes the process show and read numbers, dates and the system's messages in English, with ASCII digits and a decimal
/// point. Call it right after constructing the QApplication, which sets the C library's locale to the user's, and before
/// any text is laid out: letters are shaped by the rules of that locale's language.
void usePlainLocale();

}  // namespace ui
