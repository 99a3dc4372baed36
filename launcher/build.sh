# Building: Maven makes the jars, then the programs are laid out in build/.

maven() {
    local commit=unknown date=unknown
    if git -C "$S3CSI_HOME" rev-parse HEAD >/dev/null 2>&1; then
        commit=$(git -C "$S3CSI_HOME" rev-parse HEAD)
        date=$(git -C "$S3CSI_HOME" log -1 --format=%cI)
    fi
    # Tests name files in several languages; a JVM without a locale has letters for none of them.
    # The demo runs two of them side by side on one local repository: they lock what they write there.
    cd "$S3CSI_HOME" && LC_ALL=C.UTF-8 "$MAVEN" -Daether.syncContext.named.factory=file-lock -Daether.syncContext.named.nameMapper=file-gav \
        -Ds3csi.commit="$commit" -Ds3csi.date="$date" "$@"
}

use_build_tools() {
    use_jdk
    use_maven
}

is_built() {
    [ -e "$S3CSI_BUILD/.built" ] || return 1
    local sources
    # The testbed's S3 servers are in the test jar of s3.
    mapfile -t sources < <(cd "$S3CSI_HOME" && ls -d pom.xml launcher chart/crds ./*/pom.xml ./*/src/main s3/src/test)
    [ -z "$(cd "$S3CSI_HOME" && find "${sources[@]}" -newer "$S3CSI_BUILD/.built" -print -quit)" ] && caches_fit
}

# Maven replaces jars in build/lib whenever it packages; a cache does not fit jars that came after it.
caches_fit() {
    local cache
    for cache in "$S3CSI_BUILD"/lib/*.aot; do
        [ -e "$cache" ] && [ -z "$(find "$S3CSI_BUILD/lib" -name '*.jar' -newer "$cache" -print -quit)" ] || return 1
    done
}

# The programs: name, module, main class. Their JVM options are in launcher/jvm/NAME.
program_table() {
    cat <<'TABLE'
scality-s3-csi-driver driver s3csi.driver.Main
mount-s3 mounter s3csi.mounter.MountS3
scality-s3-csi-mounter mounter s3csi.mounter.node.CsiMounter
scality-csi-controller reconciler s3csi.reconciler.Main
TABLE
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
    rm -rf "$S3CSI_BUILD/.built" "$S3CSI_BUILD/lib" "$S3CSI_BUILD/bin"
    if step build "building the programs" maven -T 1C -Dspotless.check.skip -DskipTests -Dtests.not-compiled=true package &&
        step lay-out "laying the programs out" lay_out_programs "" "$JAVA_HOME" "$S3CSI_BUILD/lib" "$S3CSI_BUILD/bin" &&
        step train "training the AOT caches" train_programs "$S3CSI_BUILD" "$JAVA_HOME"; then
        touch -r "$stamp" "$S3CSI_BUILD/.built"
    fi
    rm -f "$stamp"
    unlock_checkout
    [ -e "$S3CSI_BUILD/.built" ]
}

# lay_out_programs ROOT JAVA LIB BIN: the programs below a directory that is the root for them, or will be; the other three are paths as
# the programs see them.
lay_out_programs() {
    local name module main
    while read -r name module main; do
        lay_out "$name" "$module" "$main" "$@"
    done < <(program_table)
    # By this name mount(8) finds the program for lines of fstab with the type mount-s3.
    ln -sf mount-s3 "$1$4/mount.mount-s3"
}

version() { sed -n 's#.*<revision>\(.*\)</revision>.*#\1#p' "$S3CSI_HOME/pom.xml"; }

# lay_out NAME MODULE MAIN ROOT JAVA LIB BIN: the argument file of a program and the command that uses it.
lay_out() {
    local name=$1 module=$2 main=$3 root=$4 java=$5 lib=$6 bin=$7 target own libraries command
    target=$S3CSI_HOME/$module/target
    own=$module-$(version).jar
    mapfile -d : -t libraries <"$target/class-path"
    # Copies, because a cache only fits jars that nobody touches: Maven may build its own again at any time. By name, because jars of another
    # version may be left from before a checkout.
    mkdir -p "$root$lib"
    cp "$target/$own" "${libraries[@]/#LIB/$target/lib}" "$root$lib/"
    {
        grep -v '^#' "$S3CSI_HOME/launcher/jvm/$name"
        # What the JVM has to say, about a cache that does not fit for example, must not be taken for the program's answer.
        printf '%s\n' -Xlog:disable -Xlog:all=warning:stderr
        printf -- '-XX:AOTCache="%s"\n' "$lib/$name.aot"
        printf -- '-cp "%s:%s"\n' "$lib/$own" "$(sed "s#LIB/#$lib/#g" "$target/class-path")"
        printf '%s\n' "$main"
    } >"$root$lib/$name.args"
    mkdir -p "$root$bin"
    command="#!$java/bin/java @$lib/$name.args"
    # The kernel reads 255 bytes of the first line; a deeper path needs a shell.
    [ ${#command} -le 255 ] || command="#!/bin/sh
exec '$java/bin/java' '@$lib/$name.args' \"\$0\" \"\$@\""
    printf '%s\n' "$command" >"$root$bin/$name"
    chmod +x "$root$bin/$name"
}

# train_programs DIRECTORY JAVA: a cache holds what the JVM loaded and linked in a training run; it only fits the very runtime, jars, paths and
# options it was made with.
train_programs() { java_main testbed s3csi.testbed.training.Training "$1/lib" "$2"; }

# java_main MODULE CLASS ARGUMENTS...: runs a class of a module that is no program, from its build directory.
java_main() {
    local module=$1 class=$2 target
    target=$S3CSI_HOME/$module/target
    shift 2
    S3CSI_TOOLS=$S3CSI_CACHE/bin S3CSI_PROGRAMS=${S3CSI_PROGRAMS:-$S3CSI_BUILD/bin} "$JAVA_HOME/bin/java" --enable-native-access=ALL-UNNAMED \
        --sun-misc-unsafe-memory-access=allow -cp "$target/classes:$(sed "s#LIB/#$target/lib/#g" "$target/class-path")" "$class" "$@"
}

format_sources() {
    use_build_tools
    step format "formatting" maven spotless:apply
}

clean_checkout() {
    use_build_tools
    [ -z "$(remains_of_cluster)" ] || step cluster-down "ending the cluster" remove_cluster || return 1
    step clean "removing what was built" maven -Dspotless.check.skip clean
    rm -rf "$S3CSI_BUILD"
}
