# Finding or installing what the project builds and tests with. Everything comes from package registries, by name.

JDK_AT_LEAST=25
MAVEN_AT_LEAST=3.9
MAVEN_VERSION=3.9.16
GO_AT_LEAST=1.25
S3PROXY_VERSION=4.1.0
MINIO_VERSION=v0.0.0-20260212201848-7aac2a2c5b7c
VERSITYGW_VERSION=v1.8.0
CSI_TEST_VERSION=v5.6.0
HELM_VERSION=v3.22.0
RUST_AT_LEAST=1.85
PJDFSTEST_VERSION=0.2.2
PANDAS_VERSION=3.1.1
PYARROW_VERSION=26.0.1

# at_least WANTED FOUND: whether version FOUND is WANTED or newer.
at_least() { [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n 1)" = "$1" ]; }

jdk_feature() { sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release" 2>/dev/null; }

# A JDK has javac; a JRE does not.
is_jdk() { [ -x "$1/bin/javac" ] && at_least "$JDK_AT_LEAST" "$(jdk_feature "$1" || echo 0)"; }

find_jdk() {
    local candidate on_path
    on_path=$(command -v javac || true)
    [ -z "$on_path" ] || on_path=$(dirname "$(dirname "$(readlink -f "$on_path")")")
    for candidate in "${JAVA_HOME:-}" "$on_path" /usr/lib/jvm/* /opt/java/* /opt/jdk*; do
        if [ -n "$candidate" ] && is_jdk "$candidate"; then
            printf '%s\n' "$candidate"
            return 0
        fi
    done
    return 1
}

use_jdk() {
    if ! JAVA_HOME=$(find_jdk); then
        install_package openjdk-$JDK_AT_LEAST-jdk-headless || true
        JAVA_HOME=$(find_jdk) || missing "a JDK $JDK_AT_LEAST or newer" \
            "Install one (Debian 13 and newer, Ubuntu 25.10 and newer: openjdk-$JDK_AT_LEAST-jdk-headless; elsewhere Temurin $JDK_AT_LEAST) and set JAVA_HOME to it."
    fi
    export JAVA_HOME
}

install_package() {
    command -v apt-get >/dev/null && [ "$(id -u)" = 0 ] || return 1
    step "install-$1" "installing the package $1" apt_install "$1"
}
apt_install() {
    apt-get update -qq || true
    DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$1"
}

maven_version() { "$1" -v 2>/dev/null | sed 's/\x1b\[[0-9;]*m//g' | sed -n 's/^Apache Maven \([0-9.]*\).*/\1/p'; }

# An old Maven can fetch a new one as the artifact it is; that needs no address of any repository.
use_maven() {
    local own=$S3CSI_CACHE/apache-maven-$MAVEN_VERSION/bin/mvn installed
    export MAVEN=
    installed=$(command -v mvn || true)
    if [ -n "$installed" ] && at_least "$MAVEN_AT_LEAST" "$(maven_version "$installed")"; then
        MAVEN=$installed
    elif [ -x "$own" ]; then
        MAVEN=$own
    else
        [ -n "$installed" ] || { install_package maven && installed=$(command -v mvn); } ||
            missing "Maven" "Install any Maven 3 (Debian: maven); the launcher fetches $MAVEN_VERSION with it."
        step fetch-maven "fetching Maven $MAVEN_VERSION" fetch_maven "$installed" ||
            missing "Maven $MAVEN_AT_LEAST or newer" "It could not be fetched as org.apache.maven:apache-maven:$MAVEN_VERSION:zip:bin; install it and put it on the PATH."
        MAVEN=$own
    fi
}
fetch_maven() {
    local unpacked
    unpacked=$(mktemp -d "$S3CSI_CACHE/maven.XXXXXX")
    # shellcheck disable=SC2064
    trap "rm -rf '$unpacked'" EXIT
    (cd "$unpacked" && "$1" -B -q org.apache.maven.plugins:maven-dependency-plugin:3.8.1:unpack \
        -Dartifact=org.apache.maven:apache-maven:$MAVEN_VERSION:zip:bin -DoutputDirectory="$unpacked")
    chmod +x "$unpacked/apache-maven-$MAVEN_VERSION/bin/mvn"
    rm -rf "$S3CSI_CACHE/apache-maven-$MAVEN_VERSION"
    mv "$unpacked/apache-maven-$MAVEN_VERSION" "$S3CSI_CACHE/"
}

# The S3 server of the demo: a Java library, so that a newcomer needs a JDK and Maven and nothing else.
need_s3proxy() {
    local kept=$S3CSI_CACHE/java/s3proxy-$S3PROXY_VERSION
    use_build_tools
    if [ ! -e "$kept" ]; then
        step fetch-s3proxy "fetching S3Proxy $S3PROXY_VERSION (once)" fetch_s3proxy "$kept" ||
            missing "S3Proxy $S3PROXY_VERSION" "Maven could not fetch org.gaul:s3proxy:$S3PROXY_VERSION; the log above says why."
    fi
    mkdir -p "$S3CSI_CACHE/bin"
    # Keys become names of files, which Java can only make in a locale that knows their letters.
    printf '#!/bin/sh\nLC_ALL=C.UTF-8 exec "%s/bin/java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx256m -cp "%s/*:%s" org.gaul.s3proxy.Main "$@"\n' \
        "$JAVA_HOME" "$kept" "$kept" >"$S3CSI_CACHE/bin/s3proxy"
    chmod +x "$S3CSI_CACHE/bin/s3proxy"
}
fetch_s3proxy() {
    local unfinished=$1.unfinished.$$
    # shellcheck disable=SC2064
    trap "rm -rf '$unfinished'" EXIT
    maven -q -f "$S3CSI_HOME/launcher/s3proxy/pom.xml" -Ds3proxy.version=$S3PROXY_VERSION \
        org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies -DoutputDirectory="$unfinished"
    cp "$S3CSI_HOME/launcher/s3proxy/logback.xml" "$unfinished/"
    mv "$unfinished" "$1"
}

# Structures of the kernel are compared with what C makes of its headers.
need_c_compiler() {
    command -v cc >/dev/null || install_package gcc || missing "a C compiler" "Install one (Debian: gcc and libc6-dev)."
    [ -e /usr/include/stdio.h ] || install_package libc6-dev || missing "the headers of C" "Install them (Debian: libc6-dev)."
}

use_go() {
    local found
    command -v go >/dev/null || missing "Go $GO_AT_LEAST or newer" "The S3 servers and csi-sanity are built from Go modules. Install Go and put it on the PATH."
    found=$(go env GOVERSION | sed 's/^go//; s/[^0-9.].*//')
    at_least "$GO_AT_LEAST" "$found" || missing "Go $GO_AT_LEAST or newer (found $found)" "Install a newer Go and put it first on the PATH."
}

# go_program NAME PACKAGE VERSION: builds a program of somebody else once and keeps it in the cache, by version.
go_program() {
    local name=$1 package=$2 version=$3
    local kept=$S3CSI_CACHE/go/$name-$version/$name
    if [ ! -x "$kept" ]; then
        use_go
        step "build-$name" "building $name $version (once)" go_install "$name" "$package@$version" "$(dirname "$kept")" ||
            missing "$name $version" "Its Go module could not be built; the log above says why."
    fi
    mkdir -p "$S3CSI_CACHE/bin"
    ln -sfn "$kept" "$S3CSI_CACHE/bin/$name"
}
go_install() {
    local unfinished=$3.unfinished.$$
    # shellcheck disable=SC2064
    trap "rm -rf '$unfinished'" EXIT
    mkdir -p "$unfinished"
    GOBIN=$unfinished CGO_ENABLED=0 GOFLAGS=-buildvcs=false go install -trimpath -ldflags '-s -w' "$2"
    rm -rf "$3"
    mv "$unfinished" "$3"
}

need_minio() { go_program minio github.com/minio/minio "$MINIO_VERSION"; }
need_versitygw() { go_program versitygw github.com/versity/versitygw/cmd/versitygw "$VERSITYGW_VERSION"; }
need_csi_sanity() { go_program csi-sanity github.com/kubernetes-csi/csi-test/v5/cmd/csi-sanity "$CSI_TEST_VERSION"; }
need_helm() { go_program helm helm.sh/helm/v3/cmd/helm "$HELM_VERSION"; }

# What stands in front of stores where people run them: two from the distribution, one on Go's library, built once for each state of its source.
need_proxies() {
    local sources=$S3CSI_HOME/testbed/reverse-proxy state kept
    command -v nginx >/dev/null || install_package nginx || missing "nginx" "Install it (Debian: nginx) and put it on the PATH."
    command -v haproxy >/dev/null || install_package haproxy || missing "haproxy" "Install it (Debian: haproxy) and put it on the PATH."
    state=$(cat "$sources/go.mod" "$sources/main.go" | sha256sum | cut -c1-16)
    kept=$S3CSI_CACHE/go/reverse-proxy-$state/reverse-proxy
    if [ ! -x "$kept" ]; then
        use_go
        step build-reverse-proxy "building the reverse proxy (once)" go_build "$sources" "$kept" ||
            missing "reverse-proxy" "It could not be built; the log above says why."
    fi
    mkdir -p "$S3CSI_CACHE/bin"
    ln -sfn "$kept" "$S3CSI_CACHE/bin/reverse-proxy"
}
go_build() {
    local unfinished=$2.unfinished.$$
    # shellcheck disable=SC2064
    trap "rm -f '$unfinished'" EXIT
    mkdir -p "$(dirname "$2")"
    (cd "$1" && CGO_ENABLED=0 GOFLAGS=-buildvcs=false go build -trimpath -ldflags '-s -w' -o "$unfinished" .)
    mv "$unfinished" "$2"
}

# Kubernetes and its store. Their versions and those of all that they are made of are in the module's files; one build for all of them,
# because they share most of their packages.
need_control_plane() {
    local sources=$S3CSI_HOME/testbed/control-plane state kept program
    state=$(cat "$sources/go.mod" "$sources/go.sum" | sha256sum | cut -c1-16)
    kept=$S3CSI_CACHE/go/control-plane-$state
    if [ ! -e "$kept" ]; then
        use_go
        step build-control-plane "building etcd and Kubernetes (once, some minutes)" go_build_control_plane "$sources" "$kept" ||
            missing "etcd and Kubernetes" "Their Go modules could not be built; the log above says why."
    fi
    mkdir -p "$S3CSI_CACHE/bin"
    for program in "$kept"/*; do ln -sfn "$program" "$S3CSI_CACHE/bin/${program##*/}"; done
}
go_build_control_plane() {
    local unfinished=$2.unfinished.$$ release version=k8s.io/component-base/version
    # shellcheck disable=SC2064
    trap "rm -rf '$unfinished'" EXIT
    mkdir -p "$unfinished"
    cd "$1"
    export CGO_ENABLED=0 GOFLAGS=-buildvcs=false
    release=$(go list -m -f '{{.Version}}' k8s.io/kubernetes)
    # The API server refuses to start without knowing which release it is.
    go build -trimpath -ldflags "-s -w -X $version.gitVersion=$release -X $version.gitMajor=$(cut -d. -f1 <<<"${release#v}") -X $version.gitMinor=$(cut -d. -f2 <<<"$release")" \
        -o "$unfinished/" k8s.io/kubernetes/cmd/{kube-apiserver,kube-controller-manager,kube-scheduler,kubelet,kubectl}
    go build -trimpath -ldflags '-s -w' -o "$unfinished/etcd" go.etcd.io/etcd/server/v3
    mv "$unfinished" "$2"
}

# What runs containers on the nodes of a cluster. The packages are unpacked, not installed: their installation would start a daemon, and
# would remove a container engine that the machine has from elsewhere.
need_containers() {
    local kept=$S3CSI_CACHE/debian/containers
    command -v ip >/dev/null || install_package iproute2 || missing "ip" "Install it (Debian: iproute2)."
    command -v openssl >/dev/null || install_package openssl || missing "openssl" "Install it (Debian: openssl)."
    [ -e "$kept" ] || step fetch-containers "fetching containerd, runc, CNI plugins and busybox (once)" fetch_containers "$kept" ||
        missing "containerd, runc, CNI plugins and busybox" "They are unpacked from Debian's packages by apt-get and dpkg; the log above says why that failed."
    "$kept/usr/sbin/runc" --version >/dev/null 2>&1 || install_package libseccomp2 || missing "libseccomp" "Install it (Debian: libseccomp2)."
}
fetch_containers() {
    local unfinished=$1.unfinished.$$ package
    # shellcheck disable=SC2064
    trap "rm -rf '$unfinished'" EXIT
    mkdir -p "$unfinished/packages"
    cd "$unfinished/packages"
    apt-get update -qq || true
    apt-get download containerd runc containernetworking-plugins busybox-static
    for package in *.deb; do dpkg --extract "$package" "$unfinished"; done
    rm -r "$unfinished/packages"
    mv "$unfinished" "$1"
}

use_cargo() {
    local found advice="Test programs are built with it. Install Rust with rustup, or from a newer distribution, and put cargo on the PATH."
    command -v cargo >/dev/null || missing "Rust $RUST_AT_LEAST or newer" "$advice"
    found=$(cargo --version 2>/dev/null | sed 's/^cargo \([0-9.]*\).*/\1/') || true
    at_least "$RUST_AT_LEAST" "$found" || missing "Rust $RUST_AT_LEAST or newer (found $found)" "$advice"
}

# The peer's C parts: the CRT by CMake, its bindings by libclang, mounting by libfuse 2.
need_peer_libraries() {
    command -v cmake >/dev/null || install_package cmake || missing "CMake" "Install it (Debian: cmake)."
    command -v make >/dev/null || install_package make || missing "make" "Install it (Debian: make)."
    command -v clang >/dev/null || install_package clang || missing "clang" "Install it (Debian: clang)."
    compgen -G '/usr/lib/llvm-*/lib/libclang*.so' >/dev/null || install_package libclang-dev ||
        missing "libclang" "Install it (Debian: libclang-dev)."
    command -v pkg-config >/dev/null || install_package pkg-config || missing "pkg-config" "Install it (Debian: pkg-config)."
    pkg-config --exists fuse || install_package libfuse-dev || missing "libfuse 2" "Install it (Debian: libfuse-dev)."
}

# The published crates of Mountpoint for Amazon S3 behind a command of ours; built once for each state of its sources.
need_peer() {
    local sources=$S3CSI_HOME/testbed/peer state kept
    state=$(cd "$sources" && cat Cargo.toml src/*.rs | sha256sum | cut -c1-16)
    kept=$S3CSI_CACHE/peer/kept/$state/mountpoint-peer
    if [ ! -x "$kept" ]; then
        use_cargo
        need_c_compiler
        need_peer_libraries
        step build-mountpoint-peer "building the peer on Mountpoint's crates (once, some ten minutes)" cargo_install "$sources" "$kept" ||
            missing "mountpoint-peer" "It could not be built; the log above says why."
    fi
    mkdir -p "$S3CSI_CACHE/bin"
    ln -sfn "$kept" "$S3CSI_CACHE/bin/mountpoint-peer"
}
cargo_install() {
    local target=$S3CSI_CACHE/peer
    (cd "$1" && CARGO_TARGET_DIR=$target cargo build --release)
    mkdir -p "$(dirname "$2")"
    cp "$target/release/mountpoint-peer" "$2.unfinished"
    mv "$2.unfinished" "$2"
}

# A collection of tests for file systems.
need_pjdfstest() {
    local kept=$S3CSI_CACHE/rust/pjdfstest-$PJDFSTEST_VERSION
    if [ ! -x "$kept/bin/pjdfstest" ]; then
        use_cargo
        need_c_compiler
        step build-pjdfstest "building pjdfstest $PJDFSTEST_VERSION (once)" \
            cargo install --locked --quiet pjdfstest --version "$PJDFSTEST_VERSION" --root "$kept" ||
            missing "pjdfstest $PJDFSTEST_VERSION" "Its crate could not be built; the log above says why."
    fi
    mkdir -p "$S3CSI_CACHE/bin"
    ln -sfn "$kept/bin/pjdfstest" "$S3CSI_CACHE/bin/pjdfstest"
}

need_s3fs() { command -v s3fs >/dev/null || install_package s3fs || missing "s3fs" "Install it (Debian: s3fs)."; }

# What users run on a mounted bucket, and the tests with them.
need_user_programs() {
    local program
    for program in git perl python3 rsync sqlite3 tar zip; do
        command -v "$program" >/dev/null || install_package "$program" || missing "$program" "Install it (Debian: $program)."
    done
}

# What the engine's tests mount and lay cables with.
need_engine_programs() {
    command -v fusermount3 >/dev/null || install_package fuse3 || missing "fusermount3" "Install it (Debian: fuse3)."
    command -v ip >/dev/null || install_package iproute2 || missing "ip" "Install it (Debian: iproute2)."
}

need_fio() { command -v fio >/dev/null || install_package fio || missing "fio" "Install it (Debian: fio)."; }

# pandas and Arrow in an environment of their own, reached by a command that starts its Python.
need_pandas() {
    local kept=$S3CSI_CACHE/python/pandas-$PANDAS_VERSION-pyarrow-$PYARROW_VERSION
    if [ ! -e "$kept/complete" ]; then
        need_user_programs
        python3 -c 'import ensurepip, venv' 2>/dev/null || install_package python3-venv ||
            missing "Python's venv" "Install it (Debian: python3-venv)."
        step install-pandas "installing pandas $PANDAS_VERSION and pyarrow $PYARROW_VERSION (once)" pip_install "$kept" \
            "pandas==$PANDAS_VERSION" "pyarrow==$PYARROW_VERSION" ||
            missing "pandas $PANDAS_VERSION" "It could not be installed by pip; it needs Python 3.11 or newer. The log above says more."
    fi
    mkdir -p "$S3CSI_CACHE/bin"
    printf '#!/bin/sh\nexec "%s/bin/python" "$@"\n' "$kept" >"$S3CSI_CACHE/bin/python-with-pandas"
    chmod +x "$S3CSI_CACHE/bin/python-with-pandas"
}
pip_install() {
    local kept=$1
    shift
    # An environment cannot be moved, so it is made where it stays, and removed if it does not become complete.
    # shellcheck disable=SC2064
    trap "[ -e '$kept/complete' ] || rm -rf '$kept'" EXIT
    rm -rf "$kept"
    python3 -m venv "$kept"
    "$kept/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: "$@"
    touch "$kept/complete"
}

setup_everything() {
    say "setup:"
    lock_checkout
    use_jdk
    say "  JDK: $JAVA_HOME"
    use_maven
    say "  Maven: $MAVEN"
    need_c_compiler
    need_s3proxy
    need_minio
    need_versitygw
    need_csi_sanity
    need_control_plane
    need_containers
    need_helm
    need_proxies
    need_engine_programs
    need_user_programs
    need_pandas
    need_fio
    unlock_checkout
    say "ready: ./s3csi demo shows the driver, ./s3csi test tests it"
}
