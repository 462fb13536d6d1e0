# The library with random faults: $(BUILD)/faults/lib.  Its sources are those of the
# library; the linker redirects their calls of the system to inject.c.
FAULTS_BUILD = $(BUILD)/faults
FAULTS_OBJECTS = $(FAULTS_BUILD)/inject.o $(FAULTS_BUILD)/blocks.o
FAULTS_FLAGS = -include test/faults/atomics.h -fno-omit-frame-pointer -fno-optimize-sibling-calls @test/faults/doors

$(FAULTS_BUILD)/%.o: test/faults/%.c test/faults/faults.h
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -D_GNU_SOURCE -O2 -g -Wall -Wextra -fPIC -fvisibility=hidden -fno-omit-frame-pointer -Wno-frame-address -c $< -o $@

faults-build: $(FAULTS_OBJECTS) test/faults/doors test/faults/atomics.h
	@$(MAKE) -s --no-print-directory BUILD=$(FAULTS_BUILD) FAULTS="$(FAULTS_OBJECTS)" CHECK=1 HARDEN= CFLAGS="$(FAULTS_FLAGS)" lib

ifneq ($(strip $(FAULTS)),)
$(OBJECTS): test/faults/rules.mk test/faults/doors
endif

.PHONY: faults-build faults-short
FAULTS_RUN = --runtime $(FAULTS_BUILD)/lib
faults: all faults-build ## run tests of every kind while memory, threads, calls and time fail at random
	test/faults/check-doors $(GOMP) $(RTS)
	test/faults/boot $(BUILD)/lib $(FAULTS_BUILD)/test
	test/faults/run $(FAULTS_RUN) --build $(FAULTS_BUILD)/test --seeds 12
	test/faults/generated $(FAULTS_RUN) --seconds 180
	$(GCC_SUITE) $(FAULTS_BUILD)/lib --list test/conformance/subset.txt --env GHCOMP_FAULTS=seed=1,delay=1/30,early=1/3,most=2000
	test/faults/haskell --delays

faults-short: all faults-build # the part that check runs
	test/faults/check-doors $(GOMP) $(RTS)
	test/faults/boot $(BUILD)/lib $(FAULTS_BUILD)/test
	test/faults/generated $(FAULTS_RUN) --seconds 20
	test/faults/run $(FAULTS_RUN) --build $(FAULTS_BUILD)/test --seeds 1
