# ghc-openmp.  `make help` prints the targets.

CC     ?= gcc
GHC    ?= ghc
BUILD  ?= build
PREFIX ?= /usr/local
VERSION = 0.1.0

# Optimisation and checks; CHECK=1 is what the tests are built with.
OPTIMISE ?= -O2 -g
CHECK    ?= 0
CFLAGS_ALL = -std=gnu11 -D_GNU_SOURCE $(OPTIMISE) -Wall -Wextra -fPIC -fvisibility=hidden \
             -Iruntime -DGHCOMP_CHECK=$(CHECK) -DGHCOMP_VERSION='"$(VERSION)"' $(CFLAGS)

SOURCES = $(wildcard runtime/abi/*.c runtime/core/*.c runtime/substrate/*.c \
                     runtime/substrate/pthread/*.c runtime/base/*.c)
OBJECTS = $(SOURCES:runtime/%.c=$(BUILD)/obj/%.o)
GOMP    = $(BUILD)/lib/libgomp.so.1
RTS     = $(BUILD)/lib/libghcomp_rts.so

.DEFAULT_GOAL := all
.PHONY: all help lib demo test check conformance bench install clean tsan models deps

all: lib $(BUILD)/bin/ghcomp ## the library, the GHC substrate and the ghcomp command

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/\1\t\2/p' Makefile | expand -t 14

lib: $(GOMP) $(RTS) $(BUILD)/lib/libghcomp.so

$(BUILD)/obj/%.o: runtime/%.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -MMD -MP -c $< -o $@

$(GOMP): $(OBJECTS) runtime/abi/exports.map
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -shared -o $@ $(OBJECTS) -Wl,-soname,libgomp.so.1 -Wl,-z,nodelete \
	  -Wl,-z,now -Wl,--version-script,runtime/abi/exports.map -Wl,--no-undefined -lpthread -ldl

# The same library under our own name, for programs that link with it by name.
$(BUILD)/lib/libghcomp.so: $(GOMP)
	ln -sf libgomp.so.1 $@

# ---------------------------------------------------------------- GHC substrate

$(BUILD)/rts.mk: runtime/substrate/ghc/find-rts
	@mkdir -p $(@D)
	@runtime/substrate/ghc/find-rts $(GHC) > $@.new && mv $@.new $@

ifneq ($(filter-out help clean deps demo test,$(or $(MAKECMDGOALS),all)),)
-include $(BUILD)/rts.mk
endif

$(BUILD)/obj/stubs.c: tools/make-rts-stubs $(BUILD)/rts.mk
	@mkdir -p $(@D)
	tools/make-rts-stubs $(RTS_LIBRARY) > $@

$(RTS): runtime/substrate/ghc/boot.c $(BUILD)/obj/stubs.c runtime/substrate/spawn.c runtime/base/message.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -Wno-unused-parameter $(RTS_INCLUDES) -DGHCOMP_GHC_VERSION='"$(RTS_VERSION)"' -shared -o $@ $^ \
	  $(RTS_LIBRARY) -Wl,-rpath,$(dir $(RTS_LIBRARY)) -Wl,-z,nodelete -lpthread

# ------------------------------------------------------------------ the command

$(BUILD)/bin/ghcomp: $(wildcard app/*.c app/*.h) runtime/substrate/machine.c
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -D_GNU_SOURCE $(OPTIMISE) -Wall -Wextra $(CFLAGS) -DGHCOMP_VERSION='"$(VERSION)"' -I. -Iruntime \
	  -o $@ $(filter %.c,$^) -ldl

clean: ## removes what was built
	rm -rf $(BUILD)

-include $(OBJECTS:.o=.d)
