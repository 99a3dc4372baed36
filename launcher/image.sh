# The container image: one tar, made without a container engine. In it are a Java runtime, the libraries of C that it needs, and the programs.

IMAGE_REPOSITORY=scality/s3-csi-driver

# What the jars need by jdeps, and nothing by reflection beyond that. Left out: java.desktop and java.sql, for whose types Jackson, Gson and
# SnakeYAML have special cases that nothing here comes to.
IMAGE_MODULES=java.base,java.logging,java.management,java.naming,java.net.http,java.xml,jdk.httpserver,jdk.jfr,jdk.management,jdk.unsupported

S3CSI_IMAGE=$S3CSI_BUILD/image
image_archive() { printf '%s/s3-csi-driver-%s.tar\n' "$1" "$(version)"; }
# The jars have it inside, too.
image_time() { sed -n 's#.*<project.build.outputTimestamp>\(.*\)</project.build.outputTimestamp>.*#\1#p' "$S3CSI_HOME/pom.xml"; }

run_image() {
    need_mounts "training the programs in the image"
    say "image:"
    build_image || return 1
    tail -n 1 "$S3CSI_LOGS/image-archive.log"
}

build_image() {
    build_programs || return 1
    lock_checkout
    local status=0
    image_is_built || make_image "$S3CSI_IMAGE" || status=1
    unlock_checkout
    return $status
}
image_is_built() {
    local archive
    archive=$(image_archive "$S3CSI_IMAGE")
    [ -e "$archive" ] && [ -z "$(find "$S3CSI_BUILD/.built" "$S3CSI_HOME"/{LICENSE,NOTICE} -newer "$archive" -print -quit)" ]
}

# make_image DIRECTORY: DIRECTORY/root, and the archive of it next to that.
make_image() {
    rm -rf "$1"
    mkdir -p "$1/root"
    step image-runtime "linking the Java runtime of the image" link_runtime "$1/root" &&
        step image-files "laying the image out" lay_out_image "$1/root" &&
        step image-train "training the AOT caches in the image" train_in_image "$1/root" &&
        step image-archive "packing the image" pack_image "$1"
}

# Classes are not compressed in the runtime: that would cost time at every start, and the layer is compressed anyway.
link_runtime() {
    local java=$1/opt/s3csi/java
    mkdir -p "$(dirname "$java")"
    "$JAVA_HOME/bin/jlink" --add-modules "$IMAGE_MODULES" --output "$java" --strip-debug --no-header-files --no-man-pages \
        --compress=zip-0 --dedup-legal-notices=error-if-not-same-content
    find "$java/bin" "$java/lib/jexec" -type f ! -name java -delete
    # A distribution may keep the authorities outside of its JDK.
    cp -L --remove-destination "$JAVA_HOME/lib/security/cacerts" "$java/lib/security/cacerts"
    copy_libraries "$1" "$java"
}

# copy_libraries ROOT DIRECTORY: what the programs and libraries in the directory are linked with, and what glibc loads to look up names.
copy_libraries() {
    local libraries library libc
    mapfile -t libraries < <(find "$2" -type f \( -name '*.so' -o -path '*/bin/*' \) -exec ldd {} + 2>/dev/null |
        sed -n 's#^\t\(.* => \)\{0,1\}\(/[^ ]*\) (0x[0-9a-f]*)$#\2#p' | grep -v "^$2/" | sort -u)
    libc=$(printf '%s\n' "${libraries[@]}" | grep '/libc\.so\.6$')
    for library in "${libraries[@]}" "${libc%/*}"/{libnss_dns,libnss_files,libresolv}.so.2; do
        [ ! -e "$library" ] || copy_from_machine "$1" "$library"
    done
}

# copy_from_machine ROOT FILE: at the same path, with the licence of the package that it is from; which packages those are is noted in ROOT.packages.
copy_from_machine() {
    local package
    mkdir -p "$1$(dirname "$2")"
    cp -RL "$2" "$1$(dirname "$2")/"
    package=$(package_of "$2") || missing "the package of $2" \
        "The image says where its parts come from, by what dpkg knows: build it on Debian or Ubuntu, with the package libc-bin."
    # shellcheck disable=SC2016
    dpkg-query -W -f "pkg:deb/$(. /etc/os-release && printf '%s' "$ID")/\${binary:Package}@\${Version}?arch=\${Architecture}\n" "$package" |
        sed 's/:[a-z0-9]*@/@/' >>"$1.packages"
    mkdir -p "$1/usr/share/doc/$package"
    cp -L "/usr/share/doc/$package/copyright" "$1/usr/share/doc/$package/"
}
# What is linked into the file system by another name is known by one of the two. The list of authorities is made when its package is installed.
package_of() {
    case "$1" in
        /etc/ssl/certs/ca-certificates.crt) printf 'ca-certificates\n' ;;
        *) { dpkg -S "$1" || dpkg -S "$(readlink -f "$1")"; } 2>/dev/null | sed -n '1s/[:,].*//p' | grep . ;;
    esac
}

lay_out_image() {
    local root=$1 directory
    for directory in dev etc/ssl/certs mnt proc run sys tmp; do mkdir -p "$root/$directory"; done
    chmod 1777 "$root/tmp"
    # Mountpoint Pods run as user 1000; a user without a line here has no home, and needs none.
    printf '%s\n' root:x:0:0:root:/: mountpoint:x:1000:1000:mountpoint:/: nobody:x:65534:65534:nobody:/: >"$root/etc/passwd"
    printf '%s\n' root:x:0: mountpoint:x:1000: nogroup:x:65534: >"$root/etc/group"
    printf '%s\n' 'passwd: files' 'group: files' 'hosts: files dns' >"$root/etc/nsswitch.conf"
    [ -e /etc/ssl/certs/ca-certificates.crt ] || install_package ca-certificates || missing "a list of certificate authorities" "Install it (Debian: ca-certificates)."
    copy_from_machine "$root" /etc/ssl/certs/ca-certificates.crt
    # Names of files have letters; without this locale Java knows those of ASCII only.
    copy_from_machine "$root" /usr/lib/locale/C.utf8
    lay_out_programs "$root" /opt/s3csi/java /opt/s3csi/lib /bin
    cp "$S3CSI_HOME/LICENSE" "$S3CSI_HOME/NOTICE" "$root/opt/s3csi/"
    write_bill_of_materials "$root"
    # A cache fits jars of the very time that it was made with, and in the archive all have this one.
    find "$root" -exec touch -h -d "$(image_time)" {} +
}

write_bill_of_materials() {
    local dependencies
    mapfile -t dependencies < <(program_table | cut -d' ' -f2 | sort -u | sed "s#.*#$S3CSI_HOME/&/target/dependencies#")
    sort -u -o "$1.packages" "$1.packages"
    java_main testbed s3csi.testbed.image.SoftwareBill "$IMAGE_REPOSITORY:$(version)" "$(image_time)" "$1" "$S3CSI_HOME/NOTICE" "$1.packages" \
        "${dependencies[@]}"
}

# The programs are trained where they will run: a cache fits the runtime, the paths and the options that it was made with.
train_in_image() { unshare --mount --propagation private "$S3CSI_HOME/launcher/step.sh" train_at_its_paths "$1"; }
train_at_its_paths() {
    # All that is in /opt, and what the image has there; of the latter the files themselves, because caches are written next to the jars.
    mount -t overlay -o "lowerdir=$1/opt:/opt" overlay /opt
    mount --bind "$1/opt/s3csi" /opt/s3csi
    LC_ALL=C.UTF-8 S3CSI_PROGRAMS=$1/bin train_programs /opt/s3csi /opt/s3csi/java
}

# Layers from what changes least to what changes most: a node that has an older image fetches the last ones only. The caches are never twice
# the same.
pack_image() {
    image_from_directory "$IMAGE_REPOSITORY:$(version)" "$1/root" "$(image_archive "$1")" \
        --env PATH=/bin --env LC_ALL=C.UTF-8 --layer '**' --layer 'opt/s3csi/java/**' --layer 'opt/s3csi/lib/*.jar' \
        --layer "{bin/*,opt/s3csi/lib/*.args,opt/s3csi/lib/*-$(version).jar,opt/s3csi/*}" --layer 'opt/s3csi/lib/*.aot'
    cp "$1/root/opt/s3csi/sbom.json" "$(image_archive "$1" | sed 's/tar$/sbom.json/')"
}

# image_from_directory NAME DIRECTORY ARCHIVE [OPTIONS]: any image; the options are those of s3csi.testbed.image.Main.
image_from_directory() {
    local name=$1 directory=$2 archive=$3
    shift 3
    java_main testbed s3csi.testbed.image.Main "$name" "$directory" "$archive" "$(image_time)" "$@"
}
