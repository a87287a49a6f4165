#include "ui/look/policy_look.h"

#include "engine/api/parameters.h"

namespace ui {
namespace {

// In the order of the policies. Hues after Paul Tol's "bright" and "muted", darkened or lightened until a thin line is
// visible.
constexpr std::array kPolicyLooks{
    PolicyLook{0xff56616c, 0xffa9b4bf, Texture::plain, 0.45, 0.75, Marker::circle, {}},
    PolicyLook{0xff3366bb, 0xff7fb0f5, Texture::rising, 0.40, 0.85, Marker::square, {4, 1.5}},
    PolicyLook{0xff117733, 0xff5cc98a, Texture::plain, 0, 0.30, Marker::triangle, {}},
    PolicyLook{0xff8a6d00, 0xffdcc050, Texture::falling, 0.55, 0.95, Marker::diamond, {2.5, 1.5}},
    PolicyLook{0xffa8431a, 0xfff0955f, Texture::crossed, 0.15, 0.50, Marker::cross, {4, 1.5, 1.2, 1.5}},
    PolicyLook{0xffaa3377, 0xffe884bd, Texture::rows, 0.15, 0.60, Marker::diamond, {1.2, 1.2}},
    PolicyLook{0xff6a4c93, 0xffb9a0e8, Texture::dots, 0.35, 0.90, Marker::plus, {6, 1.5}},
    PolicyLook{0xff4f5d00, 0xffb5c44a, Texture::crossed, 0.55, 0.65, Marker::triangle, {1.2, 2.4}},
    PolicyLook{0xff00707a, 0xff5fd0d8, Texture::falling, 0.10, 0.20, Marker::circle, {6, 1.5, 1.2, 1.5}},
};
static_assert(kPolicyLooks.size() == engine::kPolicyRows.size());

}  // namespace

const PolicyLook* lookOfPolicy(std::string_view policy) {
    const auto preset = engine::policyPresetNamed(policy);
    return preset ? &kPolicyLooks[static_cast<std::size_t>(*preset)] : nullptr;
}

}  // namespace ui
