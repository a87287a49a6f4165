# What packaging/run and packaging/test share: install what is missing, configure, build.
# Sourced, not run. Every message goes to standard error, so that a program's own output stays clean.

set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
program=packaging/$(basename "$0")

# Tools count as there when they can be called, wherever they come from; libraries are asked of dpkg.
tool_packages="g++:g++ cmake:cmake ninja-build:ninja"
base_packages="libtbb-dev libboost-graph-dev libsqlitecpp-dev libsqlite3-dev nlohmann-json3-dev libcli11-dev libssl-dev zlib1g-dev"
# libqt6opengl6-dev and the three after it are needed by Qt's CMake files, though nothing pulls them in.
window_packages="qt6-base-dev qt6-charts-dev qt6-svg-dev libqt6opengl6-dev libgl-dev libopengl-dev libxkbcommon-dev"
# What writes figures: letters of a font for SVG, zips.
window_packages+=" libharfbuzz-dev libarchive-dev"
# Without these the tests that read figures' files as others do are skipped.
figure_packages="poppler-utils:pdfinfo"
# Without it the tests under German, Turkish, Arabic and Pashto locales, which they generate, are skipped.
locale_packages="locales"
# What a Debian package is made with, and what tries it. lintian checks the manual pages too, when man-db is there.
deb_packages="dpkg-dev:dpkg-shlibdeps binutils:strip xz-utils:xz"
deb_trial_packages="lintian:lintian appstream:appstreamcli desktop-file-utils:desktop-file-validate man-db:man fakeroot:fakeroot"
lint_packages="clang-format-16:clang-format-16 clang-tidy-16:clang-tidy-16"

not_installed=""

say() { printf '%s: %s\n' "$program" "$*" >&2; }
die() { say "$*"; exit 1; }

# Names of the given packages ("package" or "package:tool") that are not installed, on one line.
missing_of() {
    local item missing="" libraries=() installed
    for item in "$@"; do
        if [[ $item == *:* ]]; then
            command -v "${item#*:}" >/dev/null 2>&1 || missing+=" ${item%%:*}"
        else
            libraries+=("$item")
        fi
    done
    if ((${#libraries[@]})) && command -v dpkg-query >/dev/null 2>&1; then
        installed=$(dpkg-query -W -f='${Package} ${db:Status-Status}\n' "${libraries[@]}" 2>/dev/null || true)
        for item in "${libraries[@]}"; do
            grep -qxF "$item installed" <<<"$installed" || missing+=" $item"
        done
    fi
    printf '%s' "${missing# }"
}

as_root() {
    if ((EUID == 0)); then "$@"; else sudo "$@"; fi
}

# Installs the given packages. False, having said why, when that cannot be done for all of them.
install_packages() {
    local package unavailable="" available=()
    if ! command -v apt-get >/dev/null 2>&1; then
        say "not installed: $*. There is no apt-get here; install what they stand for by other means."
        not_installed+=" $*"
        return 1
    fi
    if ((EUID != 0)) && ! command -v sudo >/dev/null 2>&1; then
        say "not installed, and neither root nor sudo here. Ask an administrator for: apt-get install $*"
        not_installed+=" $*"
        return 1
    fi
    say "installing with apt-get: $*"
    if [[ -z ${lists_updated:-} ]]; then
        as_root apt-get -q update >&2 || say "apt-get update failed; going on with the package lists that are there"
        lists_updated=yes
    fi
    for package in "$@"; do
        if apt-cache show "$package" >/dev/null 2>&1; then
            available+=("$package")
        else
            unavailable+=" $package"
        fi
    done
    if [[ $unavailable ]]; then
        say "not available from this system's package sources:$unavailable"
        not_installed+=$unavailable
    fi
    if ((${#available[@]})); then
        as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300 \
            install --no-install-recommends "${available[@]}" >&2 || {
            say "apt-get could not install: ${available[*]}"
            not_installed+=" ${available[*]}"
            return 1
        }
    fi
    [[ -z $unavailable ]]
}

# ensure_packages PACKAGE...: does nothing, quickly, when all are there.
ensure_packages() {
    local missing
    missing=$(missing_of "$@")
    [[ -z $missing ]] || install_packages $missing
}

# configure PRESET: only when that has not been done, or was done for another place or by an older preset file.
configure() {
    local preset=$1 build=$root/build/$1 home
    if [[ -f $build/CMakeCache.txt ]]; then
        home=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$build/CMakeCache.txt")
        if [[ $home != "$root" ]]; then
            say "build/$preset belongs to $home; starting it afresh"
            rm -rf "$build"
        fi
    fi
    if [[ ! -f $build/build.ninja || $root/CMakePresets.json -nt $build/build.ninja ]]; then
        say "configuring build/$preset"
        (cd "$root" && cmake --preset "$preset") >&2 || {
            say "configuring failed; the lines above say why${not_installed:+. Not installed:$not_installed}"
            return 1
        }
    fi
}

# build_targets PRESET TARGET...: as many jobs as there are processors, and memory for (1 GiB each).
build_targets() {
    local preset=$1 jobs memory_jobs
    shift
    jobs=$(nproc 2>/dev/null || echo 2)
    memory_jobs=$(awk '/^MemAvailable:/ { print int($2 / 1048576) }' /proc/meminfo 2>/dev/null || echo "$jobs")
    if ((memory_jobs < jobs)); then jobs=$((memory_jobs < 1 ? 1 : memory_jobs)); fi
    say "building ${*:-everything} in build/$preset"
    (
        # Two builds in one folder would write the same files.
        exec 9>"$root/build/$preset/.packaging-lock"
        flock 9
        NINJA_STATUS='[%f/%t %es] ' ninja -C "$root/build/$preset" -j "$jobs" "$@" 9>&-
    ) >&2 || {
        say "the build failed; the lines above say where"
        return 1
    }
}

# Installs what a build needs and sets preset: with the window, or without where RINGSIDE_WINDOW=OFF asks for
# that or, given "window-if-possible", where Qt is not there and cannot be installed.
choose_preset() {
    local need=$1
    preset=release
    ensure_packages $tool_packages $base_packages ||
        say "going on; CMake will say what is really missing"
    if [[ ${RINGSIDE_WINDOW:-ON} == OFF ]]; then
        preset=release-cli
    elif [[ $need == window-if-possible && $(missing_of $window_packages) && -f $root/build/release-cli/build.ninja ]]; then
        preset=release-cli
    elif ! ensure_packages $window_packages; then
        if [[ $need == window-if-possible ]]; then
            say "Qt cannot be installed here; building the command line without it"
            preset=release-cli
            not_installed=""
        else
            say "going on; CMake will say what is really missing"
        fi
    fi
}

# Prints the preset to use, as choose_preset does, and leaves it ready to build.
prepare() {
    local preset
    choose_preset "$1"
    configure "$preset" || return 1
    printf '%s' "$preset"
}
