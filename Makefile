# ghc-openmp.  `make help` prints the targets.

CC     ?= gcc
GHC    ?= ghc
BUILD  ?= build
PREFIX ?= /usr/local
# The version is in the cabal file, and nowhere else; a changed one is compiled anew.
VERSION := $(shell sed -n 's/^version: *//p' ghc-openmp.cabal)

# Optimisation and checks; ThreadSanitizer's build has CHECK=2 (base/check.h).
# Functions start on cache lines, so that a change in one does not put another's fast path on two.
OPTIMISE ?= -O2 -g -falign-functions=64
CHECK    ?= 0
# As Debian builds its packages.  A packager with such flags of his own, and a build with a sanitizer, have HARDEN=.
FORTIFY      = $(if $(findstring _FORTIFY_SOURCE,$(CPPFLAGS) $(CFLAGS)),,-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
PROTECTOR    = -fstack-protector-strong
HARDEN      ?= $(PROTECTOR) $(FORTIFY) -Werror=format-security
HARDEN_LINK ?= -Wl,-z,relro -Wl,-z,now
# A file is the same wherever the tree and the build folder are.
ANYWHERE    = -ffile-prefix-map=$(CURDIR)=. -ffile-prefix-map=$(BUILD)/=build/
CFLAGS_BOTH = -std=gnu11 -D_GNU_SOURCE $(OPTIMISE) $(ANYWHERE) -Wall -Wextra -Werror=implicit-function-declaration $(HARDEN) $(CPPFLAGS) $(CFLAGS)
CFLAGS_ALL  = -fPIC -fvisibility=hidden -Iruntime -DGHCOMP_CHECK=$(CHECK) $(CFLAGS_BOTH)

SOURCES = $(wildcard runtime/*/*.c runtime/abi/*/*.c runtime/threads/pthread/*.c)
OBJECTS = $(SOURCES:runtime/%.c=$(BUILD)/obj/%.o)
GOMP    = $(BUILD)/lib/libgomp.so.1
FAULTS ?= # object files that stand between the library and the system; see test/faults/rules.mk

.DEFAULT_GOAL := all
.PHONY: check check-quick clean deps lib python3 storeys install uninstall $(shell sed -n 's/^\([a-z-]*\):.*##.*/\1/p' Makefile)

all: lib $(BUILD)/bin/ghcomp ## the library, the GHC substrate and the ghcomp command

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1\t\2/p' Makefile | expand -t 34

$(BUILD)/obj/%.o: runtime/%.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -MMD -MP -c $< -o $@

# What constructs and tasks call reads no texts: only its functions with arrays of characters are protected.  With the strong kind a
# task of fib took 7 % longer, and a loop with a reduction 6 %.
FAST = wait task work admission team abi/gomp abi/kmp
$(foreach storey,$(FAST),$(eval $(filter $(BUILD)/obj/$(storey)/%,$(OBJECTS)): PROTECTOR = -fstack-protector))

$(BUILD)/obj/base/version.o: CFLAGS_ALL += -DGHCOMP_VERSION='"$(VERSION)"'
$(BUILD)/obj/base/version.o: ghc-openmp.cabal

# The names and their version nodes; then LLVM's node for those that have libgomp's.
NAMES = runtime/abi/exports.map runtime/abi/kmp/gomp.ld runtime/abi/kmp/omp.ld
# Objects whose source is gone would count as part of the library for whoever looks at what is in obj/.
STALE = $(filter-out $(OBJECTS),$(wildcard $(BUILD)/obj/*/*.o $(BUILD)/obj/*/*/*.o))
$(GOMP): $(OBJECTS) $(FAULTS) $(NAMES)
	@mkdir -p $(@D)
	@rm -f $(STALE) $(STALE:.o=.d)
	$(CC) $(CFLAGS) -shared -o $@ $(OBJECTS) $(FAULTS) -Wl,-soname,libgomp.so.1 -Wl,-z,nodelete \
	  -Wl,--version-script,$(firstword $(NAMES)) $(filter %.ld,$(NAMES)) -Wl,--no-undefined $(HARDEN_LINK) $(LDFLAGS) -lpthread -ldl

# Each storey by itself, for tests that link it with what is below it.
STOREYS = $(patsubst runtime/%/,%,$(filter-out runtime/include/,$(sort $(dir $(wildcard runtime/*/*.[ch])))))
storeys: $(STOREYS:%=$(BUILD)/storeys/%.a)
$(foreach storey,$(STOREYS),$(eval $(BUILD)/storeys/$(storey).a: $(filter $(BUILD)/obj/$(storey)/%,$(OBJECTS))))
$(BUILD)/storeys/%.a:
	@mkdir -p $(@D)
	rm -f $@ && ar rcs $@ $^

# The same file under other names: that of LLVM's runtime, which a process that needs both maps once, and our own, for
# programs that link with it by name.
ALIASES  = libghcomp.so libomp.so.5
$(ALIASES:%=$(BUILD)/lib/%): $(GOMP)
	ln -sf libgomp.so.1 $@

# What a linker finds as libomp.so and libiomp5.so: LLVM's names alone, in a library that is called libomp.so.5, so that a
# program needs that one, of whatever runtime.  It has no code.  A program that needs one of these two by name gets the library
# itself with it: for the loader it is a filter, whose names stand for those of the file beside it.
LLVM_NAMES   = $(BUILD)/lib/libomp.so
LLVM_ALIASES = libiomp5.so
$(LLVM_NAMES): $(GOMP) tools/make-llvm-names
	tools/make-llvm-names $(GOMP) >$(BUILD)/obj/llvm-names.s
	echo 'VERSION { global: *; };' >$(BUILD)/obj/llvm-names.map
	$(CC) -shared -nostdlib -o $@ $(BUILD)/obj/llvm-names.s -Wl,-soname,libomp.so.5 -Wl,--filter,'$$ORIGIN/libgomp.so.1' \
	  -Wl,--version-script,$(BUILD)/obj/llvm-names.map $(LDFLAGS)
$(LLVM_ALIASES:%=$(BUILD)/lib/%): $(LLVM_NAMES)
	ln -sf libomp.so $@

# Beside the library, where gdb looks for its commands.
GDB_SCRIPT = $(GOMP)-gdb.py
$(GDB_SCRIPT): tools/gdb/libgomp.so.1-gdb.py
	@mkdir -p $(@D)
	cp $< $@

# ---------------------------------------------------------------- GHC substrate

include runtime/threads/ghc/rules.mk

lib: $(GOMP) $(GDB_SCRIPT) $(RTS) $(LLVM_NAMES) $(ALIASES:%=$(BUILD)/lib/%) $(LLVM_ALIASES:%=$(BUILD)/lib/%)

# ------------------------------------------------------------------ the command

$(BUILD)/bin/ghcomp: $(wildcard app/*.[ch] runtime/machine/*.[ch]) ghc-openmp.cabal
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_BOTH) -fPIE -pie -DGHCOMP_VERSION='"$(VERSION)"' -I. -Iruntime \
	  -o $@ $(filter %.c,$^) $(HARDEN_LINK) $(LDFLAGS) -lpthread -ldl

# ------------------------------------------------------------------------ tests

GCC_SUITE = python3 test/conformance/gcc_suite.py --build $(BUILD)/gcc-suite \
            --expect test/conformance/known.txt --prefix ghcomp --jobs 2 --runtime

LLVM_SUITE = python3 test/conformance/llvm_suite.py --build $(BUILD)/llvm-suite $(if $(LLVM),--llvm $(LLVM)) --fetch \
             --expect test/conformance/known-llvm.txt --jobs 2 --runtime

deps:
	@tools/install-deps

# Builds on all processors, unless whoever calls make has said how many jobs there are.
ALL_JOBS = $(if $(filter -j% --jobserver%,$(MAKEFLAGS)),,-j$(shell nproc))

demo: ## a C program and the runtime's own account of it, beside libgomp
	@tools/install-deps demo && echo "building" && $(MAKE) --no-print-directory -s $(ALL_JOBS) all && demos/run

test: deps ## installs what is missing, builds, runs every test
	@$(MAKE) --no-print-directory check

test-quick: deps ## the same, only the tests that tell most: a few minutes
	@$(MAKE) --no-print-directory check-quick

# What test and test-quick run, without installing anything.  make starts run-checks itself, without a shell between them that
# would keep signals from it.
check: python3
	@tools/run-checks

check-quick: python3
	@tools/run-checks quick

python3:
	@command -v python3 >/dev/null || { echo "the tests need python3; on Debian, as root: apt-get install python3" >&2; exit 1; }

sdist: ## the Haskell package as Hackage takes it, in build/sdist
	@packaging/hackage/sdist

sdist-test: ## builds and tests it by itself on Debian 12, 13 and unstable, with profiling too; needs root and the network, half an hour
	@packaging/hackage/test

minimal-root: ## the README's commands, in a Debian 12 that has only a copy of this tree
	@tools/minimal-root

mpi: all ## hybrid programs under Open MPI and MPICH: every binding, thread level and way to die; some minutes
	@demos/mpi/run

conformance: all ## GCC's whole suite of libgomp, C, C++ and Fortran
	$(GCC_SUITE) $(BUILD)/lib

# LLVM=19: that version's suite, by its own Clang; without it the newest that is installed.
conformance-llvm: all ## LLVM's whole suite of libomp by its own lit, with both substrates; fetches its sources once (130 MB)
	@failed=0; for substrate in ghc pthread; do echo "$$substrate"; \
	  $(LLVM_SUITE) $(BUILD)/lib --env GHCOMP_SUBSTRATE=$$substrate || failed=1; done; exit $$failed

# PARTS, ROOT, LLVM, ONLY and others: test/newest --help
newest: ## compilers' suites and the project's tests of their code, by the newest compilers in a Debian unstable (root, network; hours)
	@test/newest $(PARTS)

haskell: ## the Haskell package, with cabal
	@tools/cabal-build lib:ghc-openmp

haskell-hard: ## the Haskell package's tests at each level of optimisation, with the debugging RTS and without; an hour
	@failed=0; for level in 0 1 2; do for debug in "" --debug-rts; do \
	  echo "optimise $$level $$debug"; test/haskell/run $$debug --optimise $$level >$(BUILD)/haskell-hard.log 2>&1 || failed=1; \
	  grep -a -A 30 -E 'exit status|^[0-9]+ passed' $(BUILD)/haskell-hard.log; done; done; exit $$failed

haskell-bench: ## what Haskell loops cost, beside forkIO, async and sparks
	@tools/cabal-build loops-bench && $$(find $(BUILD)/cabal -type f -perm -u+x -name loops-bench)

matrix: all ## the whole suite under every setting: C five times in a row in each
	test/conformance/matrix $(BUILD)/lib

binaries: all ## a small set of programs from Debian give the same output as under libgomp; installs nothing
	@test/clients/run --small

# RUNS, MOST_RUNS: timed rounds (test/clients/run --help); THREADS: thread counts; CLIENTS: some of test/clients/descriptions.
clients: all ## installs real programs (Debian, PyPI), compares outputs and times with libgomp, into a record; 50 minutes
	@RUNS="$(RUNS)" MOST_RUNS="$(MOST_RUNS)" THREADS="$(THREADS)" test/clients/run $(CLIENTS)

TSAN_FLAGS = -O1 -g -fsanitize=thread
tsan: ## stress tests under ThreadSanitizer, on the pthread substrate
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/tsan OPTIMISE="-O1 -g" HARDEN= CFLAGS="-fsanitize=thread" CHECK=2 $(BUILD)/tsan/lib/libgomp.so.1
	python3 test/run.py test/stress test/constructs --runtime $(BUILD)/tsan/lib --build $(BUILD)/tsan/test \
	  --cflags "$(TSAN_FLAGS)" --substrates pthread --timeout 300

include test/faults/rules.mk

soak: all ## programs that go on for a million rounds: peak memory and stacks, beside libgomp's
	@test/soak/run

fuzz: all ## random programs for ten minutes, at random settings, beside libgomp
	test/fuzz/fuzz --runtime $(BUILD)/lib --build $(BUILD)/fuzz

fuzz-disturbed: all ## the same with signals, stops and cancelled masters at random moments
	test/fuzz/fuzz --disturbed --runtime $(BUILD)/lib --build $(BUILD)/fuzz-disturbed

fuzz-stacks: all ## the same on stacks that are just large enough for libgomp
	test/fuzz/fuzz --stacks --runtime $(BUILD)/lib --build $(BUILD)/fuzz-stacks

refused: all ## each system call is refused in turn, by errors and by the process's end, beside libgomp and libomp; ten minutes
	test/refusals/refusals calls --runtime $(BUILD)/lib --build $(BUILD)/refusals

limits: all ## random limits of addresses, data, threads, files, stacks and locked pages, beside libgomp and libomp; ten minutes
	test/refusals/refusals limits --runtime $(BUILD)/lib --build $(BUILD)/refusals

fuzz-inputs: all ## random files and environments for what reads them, under AddressSanitizer and UBSan; three minutes
	test/fuzz/inputs/inputs --build $(BUILD)/fuzz-inputs

models: ## model checks of the protocols (needs spin), and of their memory orders
	@test/model/check $(BUILD)/model
	@test/weak/check $(BUILD)/weak

mutate: ## each memory order weakened, one at a time: does a model notice? (a minute or two)
	@test/weak/mutate --build $(BUILD)/weak

# Settings are in the environment: build/bin/ghcomp bench RUN --help.
BENCH = bench/run

bench: all ## every workload on every system, into records; hours on a large machine
	$(BENCH) RUN all

bench-quick: all ## the same, smaller
	$(BENCH) RUN all --quick

bench-summary: ## the tables of the newest records, without running anything
	@$(BENCH) SUMMARY

bench-bundle: all ## one archive that measures on another x86-64 Linux machine
	@tools/bench-bundle

bench-documents: ## puts the tables and charts of stored records into the documentation
	@$(BENCH) DOCUMENTS

docs: ## the documentation as a site, in build/site; no network, now or when it is read
	@tools/install-deps && tools/docs

PORT ?= 8000
docs-serve: docs ## shows it at http://127.0.0.1:PORT
	@echo "http://127.0.0.1:$(PORT)/, until interrupted" && python3 -m http.server --bind 127.0.0.1 --directory $(BUILD)/site $(PORT)

bench-constructs: all ## what each construct costs, beside libgomp and libomp (for Clang's code: libomp-dev, clang)
	@$(BENCH) RUN constructs

bench-tasks: all ## programs of many small tasks, on one thread and on two
	@$(BENCH) RUN tasks

bench-startup: all ## what it takes to be loaded and to run a first region
	bench/startup

# GUEST=1: also in QEMU guests with 1, 2 and 4 virtual processors (bench/guest/README.md).
IN_GUEST = $(if $(filter-out 0 1,$(GUEST)),$(error GUEST=$(GUEST): expected 1, or 0 or nothing for the machine itself; nothing was run))$(if $(filter 1,$(GUEST)),_guest)

run-process-scale: all ## independent workers that count primes; GUEST=1: also in QEMU guests
	@$(BENCH) RUN process_scale$(IN_GUEST)

run-thread-scale: all ## workers of one process that sum up blocks; GUEST=1: also in QEMU guests
	@$(BENCH) RUN thread_scale$(IN_GUEST)

run-linux-thread-scale-baseline: all ## the same by POSIX threads alone
	@$(BENCH) RUN thread_scale --systems linux-pthreads

# ROWS, SIZES, RUNTIMES, ON, SEEDS: bench/scale/scale --help.
scale: python3 ## constructs on 2 to 128 simulated processors, beside libgomp and libomp: a table and its data; ten minutes
	@bench/scale/scale $(if $(ROWS),--rows $(ROWS)) $(if $(SIZES),--sizes $(SIZES)) $(if $(RUNTIMES),--runtimes $(RUNTIMES)) \
	  $(if $(ON),--on $(ON)) $(if $(SEEDS),--seeds $(SEEDS))

scale-record: python3 ## the same at more sizes, as a record; a quarter of an hour
	@bench/scale/scale --record

# PREFIX is where it will be; below DESTDIR it is put meanwhile, as packagers need it.  The library is in a folder
# of its own: where the dynamic linker searches, it would be every program's libgomp.so.1.
PKGCONFIGDIR ?= $(PREFIX)/lib/pkgconfig
LIBRARIES = $(DESTDIR)$(PREFIX)/lib/ghc-openmp

# Paths with these are not understood by LD_LIBRARY_PATH, make or pkg-config.
.PHONY: check-folders
check-folders:
	@packaging/check-folders PREFIX "$$PREFIX" DESTDIR "$$DESTDIR" PKGCONFIGDIR "$$PKGCONFIGDIR"
check-folders install uninstall: export PREFIX := $(PREFIX)
check-folders install uninstall: export DESTDIR := $(DESTDIR)
check-folders install uninstall: export PKGCONFIGDIR := $(PKGCONFIGDIR)

install: check-folders all ## into PREFIX (default /usr/local), below DESTDIR if that is given
	install -d $(DESTDIR)$(PREFIX)/bin $(LIBRARIES) $(DESTDIR)$(PREFIX)/include $(DESTDIR)$(PKGCONFIGDIR) \
	  $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 755 $(BUILD)/bin/ghcomp $(DESTDIR)$(PREFIX)/bin
	install -m 755 $(GOMP) $(LLVM_NAMES) $(RTS) $(RTS_COPY) $(RTS_COMPANIONS) $(LIBRARIES)
	install -m 644 $(GDB_SCRIPT) $(LIBRARIES)
	for name in $(ALIASES); do ln -sf libgomp.so.1 $(LIBRARIES)/$$name; done
	for name in $(LLVM_ALIASES); do ln -sf libomp.so $(LIBRARIES)/$$name; done
	install -m 644 runtime/include/ghcomp.h $(DESTDIR)$(PREFIX)/include
	sed 's|@PREFIX@|$(PREFIX)|; s|@VERSION@|$(VERSION)|' docs/ghc-openmp.pc.in > $(BUILD)/ghc-openmp.pc
	install -m 644 $(BUILD)/ghc-openmp.pc $(DESTDIR)$(PKGCONFIGDIR)
	install -m 644 docs/ghcomp.1 $(DESTDIR)$(PREFIX)/share/man/man1

uninstall: check-folders ## removes what install put there, given the same PREFIX and DESTDIR
	rm -f $(DESTDIR)$(PREFIX)/bin/ghcomp $(DESTDIR)$(PREFIX)/include/ghcomp.h \
	  $(DESTDIR)$(PKGCONFIGDIR)/ghc-openmp.pc $(DESTDIR)$(PREFIX)/share/man/man1/ghcomp.1
	rm -rf $(LIBRARIES)

wheel: ## a Python wheel in build/wheel, for systems as old as Debian 11's C library or older
	@packaging/wheel/build

wheel-test: wheel ## that wheel in a Debian 11, 12 and 13, and beside packages from PyPI (root, network; ten minutes)
	@packaging/wheel/test/roots && packaging/wheel/test/packages

deb: ## Debian packages, in build/deb; as root in a root of their own (SUITE=bookworm), else with what is installed
	@packaging/deb/build

deb-test: ## installs them in an empty Debian, runs what they are for, removes them; needs root, debootstrap, the network
	@packaging/deb/test

clean: ## removes what was built
	rm -rf $(BUILD)

-include $(OBJECTS:.o=.d)
