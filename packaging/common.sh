# Functions of packaging/run and packaging/test: they install missing packages, configure and build.
# Sourced, not run. Every message goes to standard error, so that a program's own output stays clean.

set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
program=packaging/$(basename "$0")

# A tool counts as installed if it can be called, wherever it comes from; for libraries dpkg decides.
tool_packages="g++:g++ cmake:cmake ninja-build:ninja"
base_packages="libtbb-dev libboost-graph-dev libsqlitecpp-dev libsqlite3-dev nlohmann-json3-dev libcli11-dev libssl-dev zlib1g-dev"
# Qt's CMake files need libqt6opengl6-dev and the three packages after it, but no package depends on them.
window_packages="qt6-base-dev qt6-charts-dev qt6-svg-dev libqt6opengl6-dev libgl-dev libopengl-dev libxkbcommon-dev"
# Packages for writing figures: letters of a font for SVG, zips.
window_packages+=" libharfbuzz-dev libarchive-dev"
# Without these packages the tests that read figure files with other programs are skipped.
figure_packages="poppler-utils:pdfinfo"
# Without this package the tests under German, Turkish, Arabic and Pashto locales, which they generate, are skipped.
locale_packages="locales"
# Packages that make a Debian package, and packages that test it. lintian also checks the manual pages if man-db is
# installed.
deb_packages="dpkg-dev:dpkg-shlibdeps binutils:strip xz-utils:xz"
deb_trial_packages="lintian:lintian appstream:appstreamcli desktop-file-utils:desktop-file-validate man-db:man fakeroot:fakeroot"
# Packages for live web pages: what compiles the web engine (840 MB), and what runs the tests of web pages.
web_engine_packages="emscripten:em++"
web_test_packages="nodejs:node npm:npm chromium:chromium"
lint_packages="clang-format-16:clang-format-16 clang-tidy-16:clang-tidy-16"

not_installed=""

say() { printf '%s: %s\n' "$program" "$*" >&2; }
die() { say "$*"; exit 1; }

# Prints the given packages ("package" or "package:tool") that are not installed, on one line.
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

# Installs the given packages. Prints why and returns false if not all of them can be installed.
install_packages() {
    local package unavailable="" available=()
    if ! command -v apt-get >/dev/null 2>&1; then
        say "not installed: $*. There is no apt-get here; install the same software by other means."
        not_installed+=" $*"
        return 1
    fi
    if ((EUID != 0)) && ! command -v sudo >/dev/null 2>&1; then
        say "not installed, and this needs root or sudo. Ask an administrator for: apt-get install $*"
        not_installed+=" $*"
        return 1
    fi
    say "installing with apt-get: $*"
    if [[ -z ${lists_updated:-} ]]; then
        as_root apt-get -q update >&2 || say "apt-get update failed; continuing with the present package lists"
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

# ensure_packages PACKAGE...: installs packages; returns quickly if all are installed.
ensure_packages() {
    local missing
    missing=$(missing_of "$@")
    [[ -z $missing ]] || install_packages $missing
}

# has_option PRESET NAME=VALUE: returns whether the preset is configured with this value.
has_option() {
    grep -qE "^${2%%=*}:[A-Z]+=${2#*=}\$" "$root/build/$1/CMakeCache.txt" 2>/dev/null
}

# configure PRESET [NAME=VALUE...]: configures unless that has been done, for this folder, with this preset file and with
# these options.
configure() {
    local preset=$1 build=$root/build/$1 home option options=() changed=""
    for option in "${@:2}"; do
        options+=("-D$option")
        has_option "$preset" "$option" || changed=yes
    done
    if [[ -f $build/CMakeCache.txt ]]; then
        home=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$build/CMakeCache.txt")
        if [[ $home != "$root" ]]; then
            say "build/$preset was made for $home; making it again"
            rm -rf "$build"
        fi
    fi
    if [[ $changed || ! -f $build/build.ninja || $root/CMakePresets.json -nt $build/build.ninja ]]; then
        say "configuring build/$preset${options[*]:+ with ${options[*]}}"
        (cd "$root" && cmake --preset "$preset" "${options[@]}") >&2 || {
            say "configuring failed; see the lines above${not_installed:+. Not installed:$not_installed}"
            return 1
        }
    fi
}

# build_targets PRESET TARGET...: builds with one job for each processor, and at least 2 GiB of memory for each job.
build_targets() {
    local preset=$1 jobs memory_jobs
    shift
    jobs=$(nproc 2>/dev/null || echo 2)
    memory_jobs=$(awk '/^MemAvailable:/ { print int($2 / 2097152) }' /proc/meminfo 2>/dev/null || echo "$jobs")
    if ((memory_jobs < jobs)); then jobs=$((memory_jobs < 1 ? 1 : memory_jobs)); fi
    say "building ${*:-everything} in build/$preset"
    (
        # Prevents two builds in one folder, which would write the same files.
        exec 9>"$root/build/$preset/.packaging-lock"
        flock 9
        NINJA_STATUS='[%f/%t %es] ' ninja -C "$root/build/$preset" -j "$jobs" "$@" 9>&-
    ) >&2 || {
        say "the build failed; see the lines above"
        return 1
    }
}

# Installs the packages of a build and sets preset: with the window, or without it if RINGSIDE_WINDOW=OFF, or, given
# "window-if-possible", if Qt is not installed and cannot be installed.
choose_preset() {
    local need=$1
    preset=release
    ensure_packages $tool_packages $base_packages ||
        say "continuing; CMake will report what is really missing"
    if [[ ${RINGSIDE_WINDOW:-ON} == OFF ]]; then
        preset=release-cli
    elif [[ $need == window-if-possible && $(missing_of $window_packages) && -f $root/build/release-cli/build.ninja ]]; then
        preset=release-cli
    elif ! ensure_packages $window_packages; then
        if [[ $need == window-if-possible ]]; then
            say "Qt cannot be installed here; building only the command line, which needs no Qt"
            preset=release-cli
            not_installed=""
        else
            say "continuing; CMake will report what is really missing"
        fi
    fi
}

# Prints the preset that choose_preset sets, and configures it.
prepare() {
    local preset
    choose_preset "$1"
    configure "$preset" || return 1
    printf '%s' "$preset"
}
