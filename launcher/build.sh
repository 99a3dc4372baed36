# Building: Maven makes the jars, then the programs are laid out in build/.

maven() {
    local commit=unknown date=unknown
    if git -C "$S3CSI_HOME" rev-parse HEAD >/dev/null 2>&1; then
        commit=$(git -C "$S3CSI_HOME" rev-parse HEAD)
        date=$(git -C "$S3CSI_HOME" log -1 --format=%cI)
    fi
    cd "$S3CSI_HOME" && "$MAVEN" -Ds3csi.commit="$commit" -Ds3csi.date="$date" "$@"
}

use_build_tools() {
    use_jdk
    use_maven
}

is_built() {
    [ -e "$S3CSI_BUILD/.built" ] || return 1
    local sources
    mapfile -t sources < <(cd "$S3CSI_HOME" && ls -d pom.xml launcher ./*/pom.xml ./*/src/main)
    [ -z "$(cd "$S3CSI_HOME" && find "${sources[@]}" -newer "$S3CSI_BUILD/.built" -print -quit)" ]
}

build_programs() {
    use_build_tools
    lock_checkout
    if is_built; then
        unlock_checkout
        return
    fi
    local stamp
    stamp=$(mktemp)
    step build "building the programs" maven -Dspotless.check.skip -DskipTests package
    touch -r "$stamp" "$S3CSI_BUILD/.built"
    rm -f "$stamp"
    unlock_checkout
}

format_sources() {
    use_build_tools
    step format "formatting" maven spotless:apply
}

clean_checkout() {
    use_build_tools
    step clean "removing what was built" maven -Dspotless.check.skip clean
    rm -rf "$S3CSI_BUILD"
}
