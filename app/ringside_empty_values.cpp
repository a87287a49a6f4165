#include "app/ringside_empty_values.h"

#include <QCommandLineParser>

namespace app {

engine::Problems emptyValues(const QCommandLineParser& parser, const char* argument) {
    constexpr const char* kText = "the value is empty";
    engine::Problems problems;
    QStringList options = parser.optionNames();
    options.removeDuplicates();
    for (const QString& option : options) {
        if (parser.values(option).contains(QString()))
            problems.push_back({"--" + option.toStdString(), "", kText});
    }
    if (parser.positionalArguments().contains(QString()))
        problems.push_back({argument, "", kText});
    return problems;
}

}  // namespace app
