# Haskell programs as hosts: see the folder of the same name.
exec "$(dirname "$0")/haskell_host/run.sh"
