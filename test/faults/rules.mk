# The library with faults by chance: $(BUILD)/faults/lib.  Its sources are those of the
# library; the linker sends their calls to the system through inject.c.
FAULTS_BUILD = $(BUILD)/faults
FAULTS_OBJECTS = $(FAULTS_BUILD)/inject.o $(FAULTS_BUILD)/blocks.o
FAULTS_FLAGS = -include test/faults/atomics.h -fno-omit-frame-pointer -fno-optimize-sibling-calls @test/faults/doors

$(FAULTS_BUILD)/%.o: test/faults/%.c test/faults/faults.h
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -D_GNU_SOURCE -O2 -g -Wall -Wextra -fPIC -fvisibility=hidden -fno-omit-frame-pointer -Wno-frame-address -c $< -o $@

faults-build: $(FAULTS_OBJECTS) test/faults/doors test/faults/atomics.h
	@$(MAKE) -s --no-print-directory BUILD=$(FAULTS_BUILD) FAULTS="$(FAULTS_OBJECTS)" CHECK=1 CFLAGS="$(FAULTS_FLAGS)" lib

ifneq ($(strip $(FAULTS)),)
$(OBJECTS): test/faults/rules.mk test/faults/doors
endif

.PHONY: faults-build
SEEDS ?= 12
faults: all faults-build ## memory, threads, calls and time fail by chance, under tests of every kind
	test/faults/check-doors $(GOMP) $(RTS)
	test/faults/boot $(BUILD)/lib $(FAULTS_BUILD)/test
	test/faults/run --runtime $(FAULTS_BUILD)/lib --build $(FAULTS_BUILD)/test --seeds $(SEEDS)
