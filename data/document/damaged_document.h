#pragma once

#include <stdexcept>

namespace data {

/// A document that we wrote ourselves cannot be understood; the message names the key.
class DamagedDocument : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

}  // namespace data
