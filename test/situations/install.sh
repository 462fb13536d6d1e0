# make install as packagers use it, with DESTDIR, PREFIX and a folder for pkg-config's file.  The installed files must serve a
# program after they were moved; uninstall must leave no file; make must refuse folders that cannot work, and install nothing.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset MAKEFLAGS MAKELEVEL PREFIX DESTDIR LD_LIBRARY_PATH GHCOMP_SUBSTRATE
failures=0
fail() { echo "install: $*"; failures=1; }

put() { make --no-print-directory install "$@" >"$work/make" 2>&1; }
refused() {
  expected=$1; shift
  if put "$@"; then fail "make install $* was not refused"; fi
  grep -qF -- "$expected" "$work/make" && grep -q "nothing was installed" "$work/make" || { fail "make install $*: expected '$expected':"; tail -n 3 "$work/make"; }
}
refused "PREFIX='relative': expected an absolute path" PREFIX=relative
refused "PREFIX='$work/a b': expected a path of" PREFIX="$work/a b"
refused "PREFIX='$work/a:b': expected a path of" PREFIX="$work/a:b"
refused "DESTDIR='$work/a|b': expected a path of" DESTDIR="$work/a|b"
[ ! -e relative ] && [ -z "$(ls -d "$work"/a* 2>/dev/null)" ] || fail "something was put all the same"

# As a package is made.  The modes are those that others need, whatever the umask.
umask 0
put DESTDIR="$work/root" PREFIX=/opt/ghcomp PKGCONFIGDIR=/opt/ghcomp/share/pkgconfig || { fail "make fails:"; tail -n 5 "$work/make"; }
umask 022
root=$work/root/opt/ghcomp
modes=$(find "$root" -type f ! -perm 644 ! -perm 755 -o -type d ! -perm 755)
[ -z "$modes" ] || fail "of other modes than 644 and 755: $modes"
grep -qx 'prefix=/opt/ghcomp' "$root/share/pkgconfig/ghc-openmp.pc" || fail "the pkg-config file has another prefix than /opt/ghcomp"
if grep -q '@' "$root/share/pkgconfig/ghc-openmp.pc"; then fail "the pkg-config file is not filled in"; fi
grep -qrF "$work" "$root" && fail "a file names DESTDIR: $(grep -rlF "$work" "$root")"
# Debian 12's RTS asks for an executable stack by mistake: glibc 2.41 does not load such a library, older ones make all stacks executable.
others=$(find "$root/lib/ghc-openmp" -type f -name 'lib*.so*' ! -name 'libg*')
# shellcheck disable=SC2086 # lists
tools/check-hardening "$root/bin/ghcomp" $(find "$root/lib/ghc-openmp" -type f -name 'libg*.so*' ! -name '*.py') >"$work/hardening" &&
  { [ -z "$others" ] || tools/check-hardening --others $others >>"$work/hardening"; } || { fail "memory is not protected as it should be:"; cat "$work/hardening"; }
printf 'int main(void)\n{\n  int n = 0;\n#pragma omp parallel num_threads(3) reduction(+ : n)\n  n++;\n  return n;\n}\n' >"$work/gomp.c"
${CC:-gcc} -fopenmp "$work/gomp.c" -o "$work/gomp" || exit 1
mv "$root" "$work/moved"
GHCOMP_STATS=1 "$work/moved/bin/ghcomp" run -- "$work/gomp" 2>"$work/said"; [ $? = 3 ] || fail "moved elsewhere, it does not serve"
grep -q '^ghcomp: regions *1 ' "$work/said" || { fail "the program was not served:"; cat "$work/said"; }
mv "$work/moved" "$root"

make --no-print-directory uninstall DESTDIR="$work/root" PREFIX=/opt/ghcomp PKGCONFIGDIR=/opt/ghcomp/share/pkgconfig >/dev/null || fail "uninstall fails"
left=$(find "$work/root" ! -type d)
[ -z "$left" ] || fail "uninstall leaves $left"

# A GHC that is not the system's brings its own libffi.  That file must be installed too, for machines without this GHC.
# Simulated by a copy of the RTS with the system's libffi beside it.
rts=$(runtime/threads/ghc/find-rts "${GHC:-ghc}" | sed -n 's/^RTS_LIBRARY := //p')
ffi=$([ -n "$rts" ] && ldd "$rts" | sed -n 's/.*=> \(.*libffi.so.[0-9]*\) .*/\1/p')
if [ -n "$ffi" ]; then
  mkdir "$work/ghc" && cp "$rts" "$work/ghc" && cp -L "$ffi" "$work/ghc"
  ln -s "$(runtime/threads/ghc/find-rts "${GHC:-ghc}" | sed -n 's/^RTS_INCLUDE := //p')" "$work/ghc/include"
  printf '#!/bin/sh\ncase $1 in --print-libdir) echo %s ;; *) exec %s "$@" ;; esac\n' "$work/ghc" "${GHC:-ghc}" >"$work/ghc-elsewhere"
  chmod +x "$work/ghc-elsewhere"
  mkdir "$work/build" && cp -a "${BUILD:-build}/obj" "${BUILD:-build}/lib" "${BUILD:-build}/bin" "$work/build" # so that make makes only what names GHC
  put -j2 BUILD="$work/build" PREFIX="$work/prefix" GHC="$work/ghc-elsewhere" || { fail "with another GHC, make fails:"; tail -n 5 "$work/make"; }
  rm -r "$work/ghc" "$work/ghc-elsewhere"
  GHCOMP_SUBSTRATE=ghc LD_DEBUG=libs "$work/prefix/bin/ghcomp" info >"$work/info" 2>"$work/loads" || fail "without that GHC, info fails"
  grep -q '^substrate *ghc: GHC' "$work/info" || { fail "without that GHC its RTS does not serve:"; cat "$work/info"; }
  tools/check-hardening "$work/prefix/lib/ghc-openmp/libghcomp_rts.so" >"$work/hardening" || { fail "with another GHC:"; cat "$work/hardening"; }
  grep -q "calling init: $work/prefix/lib/ghc-openmp/libffi" "$work/loads" || fail "libffi is not the one that was installed"
else
  echo "install: not tried: a GHC with a libffi of its own (no RTS that needs libffi is here)"
fi
exit $failures
