# ghcomp for the login shells of one user, and all that they start: add these lines to
# ~/.profile and log in again; remove them to undo.
LD_LIBRARY_PATH=/usr/lib/ghc-openmp${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH
