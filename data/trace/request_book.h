#pragma once

#include "data/experiment/experiment_document.h"
#include "engine/api/access_request.h"

#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace data {

/// The request files that were opened, by their digest, so that an experiment that names a digest can be run. Can be used
/// from any thread.
class RequestBook {
public:
    using Requests = std::shared_ptr<const engine::AccessRequests>;

    void add(engine::AccessRequests requests) {
        const std::lock_guard lock(m_mutex);
        std::string digest = requests.digest;
        m_files.insert_or_assign(std::move(digest),
                                 std::make_shared<const engine::AccessRequests>(std::move(requests)));
    }

    /// Returns the requests that a draft names; null if it names none, or a file that was not opened.
    Requests of(const ExperimentDraft& draft) const {
        const auto named = draft.explicitValues.find("access.trace");
        if (named == draft.explicitValues.end())
            return nullptr;
        const std::lock_guard lock(m_mutex);
        const auto found = m_files.find(std::get<std::string>(named->second));
        return found == m_files.end() ? nullptr : found->second;
    }

private:
    mutable std::mutex m_mutex;
    std::map<std::string, Requests> m_files;
};

}  // namespace data
