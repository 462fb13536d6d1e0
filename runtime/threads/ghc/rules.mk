# The GHC substrate: $(BUILD)/lib/libghcomp_rts.so, and beside it a copy of the
# threaded RTS of $(GHC).  The copy has a SONAME of its own (copy-rts): a Haskell library that
# the program loads later gets the RTS that it was linked with, not this one.
# $(RTS_COMPANIONS): libffi, where GHC brings its own; copies lie beside them, as make install puts them.
# Without GHC both are left out, and regions run on plain threads.
# Uses CC, CFLAGS_ALL, HARDEN_LINK, BUILD, GHC, VERSION.  Sets RTS and RTS_COPY, empty without GHC.

RTS_FOLDER := runtime/threads/ghc
GHC ?= ghc

# Asked each time and written when the answer is another: GHC may come, change or go.  Two makes may ask at once.
.PHONY: ask-ghc without-ghc
$(BUILD)/rts.mk: ask-ghc
	@mkdir -p $(@D)
	@new=$@.$$$$ && $(RTS_FOLDER)/find-rts $(GHC) > $$new && if cmp -s $$new $@; then rm $$new; else mv $$new $@; fi

ifneq ($(filter-out help clean deps demo test check minimal-root docs docs-serve uninstall check-folders deb deb-test,$(or $(MAKECMDGOALS),all)),)
include $(BUILD)/rts.mk
endif

# It says whether there is an RTS to load.
$(BUILD)/obj/threads/load.o: $(BUILD)/rts.mk

ifeq ($(RTS_LIBRARY),)

$(BUILD)/obj/threads/load.o: CFLAGS_ALL += -DGHCOMP_WITHOUT_GHC=1
without-ghc:
	@echo "ghc-openmp is built without GHC ($(RTS_MISSING)): regions run on plain threads"
lib: without-ghc

else

RTS = $(BUILD)/lib/libghcomp_rts.so
RTS_COPY = $(BUILD)/lib/$(patsubst libHS%,libOM%,$(notdir $(RTS_LIBRARY)))
RTS_SOURCES = $(RTS_FOLDER)/boot.c $(RTS_FOLDER)/capability.c $(RTS_FOLDER)/limits.c $(RTS_FOLDER)/reservation.c \
              $(RTS_FOLDER)/rts_threads.c $(RTS_FOLDER)/stand_ins.c \
              runtime/threads/spawn.c runtime/base/message.c \
              $(addprefix runtime/machine/,disturbance.c filter.c process.c processors.c quota.c refusal.c thread.c)
RTS_HEADERS = $(wildcard $(RTS_FOLDER)/*.h runtime/threads/*.h runtime/machine/*.h runtime/base/*.h)
RTS_FLAGS = -Wno-unused-parameter -isystem $(RTS_INCLUDE) \
            -DGHCOMP_VERSION='"$(VERSION)"' -DGHCOMP_GHC_VERSION='"$(RTS_VERSION)"' -DGHCOMP_RTS_NAME='"libOMrts"' \
            -DGHCOMP_RTS_SIZES_HEAP=$(RTS_SIZES_HEAP)

$(BUILD)/obj/stubs.c: tools/make-rts-stubs $(BUILD)/rts.mk
	@mkdir -p $(@D)
	tools/make-rts-stubs $(RTS_LIBRARY) > $@.new && mv $@.new $@

# One command for both files: the second is nothing without the first.
$(RTS): $(RTS_SOURCES) $(BUILD)/obj/stubs.c $(FAULTS) $(RTS_HEADERS) $(BUILD)/rts.mk $(RTS_FOLDER)/copy-rts ghc-openmp.cabal
	@mkdir -p $(@D)
	$(RTS_FOLDER)/copy-rts $(RTS_LIBRARY) $(RTS_COPY)
	$(if $(RTS_COMPANIONS),install -m 755 $(RTS_COMPANIONS) $(@D))
	$(CC) $(CFLAGS_ALL) $(RTS_FLAGS) -shared -o $@ $(RTS_SOURCES) $(BUILD)/obj/stubs.c $(FAULTS) \
	  -Wl,--no-as-needed $(RTS_COMPANIONS) $(RTS_COPY) -Wl,--as-needed -Wl,-soname,$(@F) \
	  -Wl,-rpath,'$$ORIGIN' -Wl,-z,nodelete -Wl,-z,defs $(HARDEN_LINK) $(LDFLAGS) -lpthread -ldl

endif
