#pragma once

#include "data/trace/request_book.h"

#include <QObject>
#include <QString>

#include <memory>

namespace ui {

class ExperimentModel;
class RunController;
class Workbench;

/// Opens request files: memory requests of DRAM simulators become the access pattern of the experiment.
class RequestFeature final : public QObject {
    Q_OBJECT

public:
    /// All must outlive the feature. `book`: where runs find the requests.
    RequestFeature(Workbench& workbench, ExperimentModel& experiment, RunController& runs,
                   std::shared_ptr<data::RequestBook> book);

private:
    /// Reads a file into the book. Returns its digest; an empty text, with a message if `reports`, if that fails.
    std::string read(const QString& file, bool reports);
    void open(const QString& file);

    Workbench& m_workbench;
    ExperimentModel& m_experiment;
    RunController& m_runs;
    std::shared_ptr<data::RequestBook> m_book;
    QString m_file;  // the newest
};

}  // namespace ui
