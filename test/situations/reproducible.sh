# Two copies of the tree, in folders of other names and with other build folders, make the same files.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset MAKEFLAGS MAKELEVEL BUILD
made() {
  mkdir -p "$work/$1/test/faults" && cp -R Makefile ghc-openmp.cabal app runtime tools "$work/$1" && cp test/faults/rules.mk "$work/$1/test/faults" || exit 1
  (cd "$work/$1" && command -v "${GHC:-ghc}" >/dev/null && rts=$2/lib/libghcomp_rts.so
    make -s -j2 BUILD="$2" "$2/bin/ghcomp" "$2/obj/base/message.o" ${rts:-}) || { echo "reproducible: make fails"; exit 1; }
}
made one build
made another "$work/another/elsewhere"
for file in bin/ghcomp obj/base/message.o lib/libghcomp_rts.so; do
  [ ! -e "$work/one/build/$file" ] || cmp "$work/one/build/$file" "$work/another/elsewhere/$file" || exit 1
done
