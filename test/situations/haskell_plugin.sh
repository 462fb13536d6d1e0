# Haskell libraries in a C program: see the folder of the same name.
exec "$(dirname "$0")/haskell_plugin/run.sh"
