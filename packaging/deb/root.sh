# An empty Debian in a folder, and commands in it; read by build and test, and by test/newest.  As in tools/minimal-root.
# MIRROR: of Debian; DEBOOTSTRAP_OPTIONS: of debootstrap, for instance --unpack-tarball=FILE.
# shellcheck shell=sh

not_run() { echo "not run: $*"; exit 0; }

# can_have_roots: says why not, if not
can_have_roots() {
  [ "$(id -u)" = 0 ] || { echo "it needs root"; return 1; }
  command -v debootstrap >/dev/null 2>&1 || { echo "it needs debootstrap"; return 1; }
  unshare --mount --pid --fork true 2>/dev/null || { echo "this process may not make mounts (unshare)"; return 1; }
}

# make_root SUITE FOLDER: with package lists; says why not, if not
make_root() {
  # shellcheck disable=SC2086 # options
  debootstrap --variant=minbase ${DEBOOTSTRAP_OPTIONS:-} "$1" "$2" "${MIRROR:-http://deb.debian.org/debian}" >"$2/debootstrap.log" 2>&1 ||
    { echo "debootstrap: $(tail -n 1 "$2/debootstrap.log")"; return 1; }
  rm -f "$2/debootstrap.log"
  chmod 755 "$2"
  [ ! -e /etc/resolv.conf ] || cp /etc/resolv.conf "$2/etc/resolv.conf"
  # Unstable's release file may be past its date where a mirror is late.
  case $1 in sid | unstable) echo 'Acquire::Check-Valid-Until "false";' >"$2/etc/apt/apt.conf.d/90unstable" ;; esac
  in_root "$2" apt-get update -qq || { echo "apt-get update fails: is there a network?"; return 1; }
}

# in_root FOLDER COMMAND...: with mounts that go when it ends
in_root() {
  # shellcheck disable=SC2016 # for the shell inside
  unshare --mount --pid --fork sh -c 'root=$1; shift
    mount -t proc proc "$root/proc" && mount --rbind /sys "$root/sys" && mount --rbind /dev "$root/dev" &&
    exec chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"' sh "$@"
}

# install_in FOLDER PACKAGE...
install_in() {
  installed_in=$1; shift
  in_root "$installed_in" apt-get install -y -qq --no-install-recommends "$@" >"$installed_in/apt.log" 2>&1 </dev/null ||
    { tail -n 5 "$installed_in/apt.log"; return 1; }
  in_root "$installed_in" apt-get clean
}
