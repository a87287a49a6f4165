# Runs clang-format and clang-tidy on the project's own files. packaging/test sources this file after common.sh.

# Prints our C++ files, one per line, relative to the root: all, or those that differ from the last commit.
lint_files() {
    cd "$root"
    if [[ $1 == all ]]; then
        find engine data ui app tests web/engine web/standin -name '*.h' -o -name '*.cpp'
    elif git rev-parse --verify -q HEAD >/dev/null 2>&1; then
        { git diff --name-only --diff-filter=d HEAD; git ls-files --others --exclude-standard; } |
            grep -E '^(engine|data|ui|app|tests|web/engine|web/standin)/.*\.(h|cpp)$' || true
    fi | LC_ALL=C sort -u
}

# Prints the sources for clang-tidy for the files on standard input: a header is checked through the source beside it.
lint_sources() {
    local file
    while read -r file; do
        if [[ $file == *.h ]]; then file=${file%.h}.cpp; fi
        if [[ -f $root/$file ]] && grep -qF "\"file\": \"$root/$file\"" "$1"; then printf '%s\n' "$file"; fi
    done | LC_ALL=C sort -u
}

# lint PRESET all|changed: returns false if a file is not formatted or clang-tidy reports a problem.
lint() {
    local preset=$1 scope=$2 files sources commands=$root/build/$1/lint failed=0 count=0 total
    files=$(lint_files "$scope")
    if [[ -z $files ]]; then
        say "lint: no file differs from the last commit (packaging/test --lint checks all)"
        return 0
    fi
    if ! ensure_packages $lint_packages; then
        say "lint: not possible without clang-format-16 and clang-tidy-16"
        # Tests can run on a system without these tools; a request for lint fails.
        [[ $scope == changed ]]
        return
    fi

    say "lint: format of $(wc -l <<<"$files") files"
    (cd "$root" && xargs clang-format-16 --dry-run --Werror <<<"$files") >&2 || failed=1

    # The release compiles several files as one, but clang-tidy needs the command of each single file. A second build
    # folder is configured for these commands; its paths are replaced, so that clang-tidy finds the generated files of
    # the real build. The precompiled headers are removed from the commands, because clang cannot read those of g++.
    (cd "$root" && cmake --preset "$preset" -B "$commands/files" -DRINGSIDE_QUICK_BUILD=OFF -DRINGSIDE_CCACHE=OFF) >/dev/null || return 1
    sed -E "s#$commands/files#$root/build/$preset#g;"'s/ -Winvalid-pch//g; s/ -include [^ ]*cmake_pch\.hxx//g; s/ -Werror / /g' \
        "$commands/files/compile_commands.json" >"$commands/compile_commands.json"
    sources=$(lint_sources "$commands/compile_commands.json" <<<"$files")
    total=$(grep -c . <<<"$sources" || true)
    if ((total > 0)); then
        say "lint: clang-tidy over $total sources"
        (cd "$root" && xargs -P "$(nproc)" -I{} sh -c \
            'printf "lint: %s\n" "$1"; clang-tidy-16 --quiet -p "$0" "$1" 2>/dev/null' "$commands" {} <<<"$sources") >&2 || failed=1
    fi
    if ((failed)); then say "lint: the lines above show what to change"; fi
    return $failed
}
