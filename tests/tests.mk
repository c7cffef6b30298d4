# tests.mk - everything that checks the tree; included by the Makefile. `make help` lists it.
#
# A test is a file: tests/*/test_*.c is a cmocka program of its own, linked with the library;
# tests/*/test_*.sh is a script; tools/check-*.sh guard the habits of the code. tools/run-tests.sh
# runs any of them and ends with the line "N passed, N failed". New files are found by themselves.

CLANG ?= clang
CLANG_TIDY ?= clang-tidy
RUN := tools/run-tests.sh $(B)

TEST_SRCS := $(sort $(wildcard tests/*/test_*.c))
TEST_BINS := $(TEST_SRCS:%.c=$(B)/%)
# The other C files of these folders are helpers, most of them in tests/shared/; every test may use them.
HELP_OBJS := $(patsubst %.c,$(B)/%.o,$(filter-out tests/fuzz/% tests/golden/% $(TEST_SRCS), \
             $(sort $(wildcard tests/*/*.c))))
FUZZ_BINS := $(patsubst %.c,$(B)/%,$(sort $(wildcard tests/fuzz/fuzz_*.c)))
EXAMPLES := $(patsubst %.c,$(B)/%.so,$(sort $(wildcard examples/*.c)))

# $(call tests_in,FOLDERS): programs and scripts of these folders of tests/.
tests_in = $(foreach d,$(1),$(filter $(B)/tests/$(d)/%,$(TEST_BINS)) \
           $(sort $(wildcard tests/$(d)/test_*.sh)))
STYLE := $(addprefix tools/check-,layers.sh circles.sh banned.sh names.sh headers.sh sizes.sh text.sh tests.sh format.sh)
# What the values and the diagnostics depend on; the sanitizer build runs the same.
CORE := unit micro ptx corpus policy cuda cudart cli

# Only what a test uses is linked into it, and hd_follow, which plug-ins may call.
LINK_TEST = $(CC) $(HD_CFLAGS) $(CFLAGS) $(HD_LDFLAGS) $(LDFLAGS) -Wno-double-promotion \
    -Wl,-u,hd_follow -Itests -MF $@.d -o $@ \
    $(filter %.c %.a,$^)

$(B)/tests/%: tests/%.c $(B)/tests/helpers.a $(B)/libheddle.a $(B)/flags
	@mkdir -p $(@D)
	$(LINK_TEST) -lcmocka $(HD_LIBS)
$(B)/tests/helpers.a: $(HELP_OBJS)
	@mkdir -p $(@D)
	@rm -f $@
	@ar rcs $@ $^
$(HELP_OBJS): HD_CFLAGS += -Itests
# A fuzz target is one function; a driver replays stored inputs through it, or libFuzzer invents them.
$(B)/tests/fuzz/fuzz_%: tests/fuzz/fuzz_%.c $(if $(LIBFUZZER),,tests/fuzz/replay.c) $(B)/libheddle.a $(B)/flags
	@mkdir -p $(@D)
	$(LINK_TEST) $(if $(LIBFUZZER),-fsanitize=fuzzer) $(HD_LIBS)
# Compiled as the README tells people to compile their own policy.
$(B)/examples/%.so: examples/%.c $(wildcard include/heddle/*.h include/heddle/policy/*.h)
	@mkdir -p $(@D)
	$(CC) -std=c11 -O2 $(WARN) $(if $(WERROR),-Werror) -shared -fPIC -Iinclude -o $@ $<

-include $(TEST_BINS:=.d) $(FUZZ_BINS:=.d) $(HELP_OBJS:.o=.d)

.PHONY: check check-build check-tools check-docs check-unit check-micro check-ptx check-corpus check-policy check-cuda check-cudart check-sdk check-python check-cli check-golden \
    check-determinism check-workloads matrix check-fuzz check-style check-format check-san check-stress \
    golden pages tidy cppcheck compile_commands.json help

## check: all tests but the long ones (sanitizers, tidy, cppcheck, stress, install)
check: check-build
	@$(RUN) $(STYLE) $(call tests_in,tools docs $(CORE) sdk python golden determinism workloads) $(FUZZ_BINS)
## check-all: the same, with the workloads and numbers of threads that check leaves for other commits
.PHONY: check-all
check-all:
	@TEST_ALL=1 $(MAKE) --no-print-directory check
check-build: $(B)/heddle $(B)/libcuda.so.1 $(CUDARTS) $(NVML) $(TEST_BINS) $(FUZZ_BINS) $(EXAMPLES) $(B)/tests/golden/facts
## check-unit: the data structures and components, each alone
## check-micro: small loops with cycle counts known from the reference
## check-ptx: PTX front end and emulator: programs with their expected values
## check-corpus: compiled CUDA programs against what their source computes on the host
## check-policy: scheduling policies: contract, published examples, distinctness
## check-cuda: the CUDA driver API: in the process, and as libcuda.so.1 under other programs
## check-cudart: the CUDA runtime API: libcudart under programs of plain C and of nvcc
## check-sdk: CUDA programs built by clang and the headers in sdk/, where clang is
## check-python: the module python/heddle and its examples
## check-cli: the program from outside: options, diagnostics, exit codes, result files
## check-determinism: same job, same bytes: run again, other environment, other memory contents
## check-workloads: every workload under a choice of policies that changes with every commit
## check-docs: pages show what the program prints, their links lead somewhere
## check-tools: the scripts that run tests and guard the habits of the code
## check-golden: simulated cycles and instructions against tests/golden/
check-tools check-docs check-unit check-micro check-ptx check-corpus check-policy check-cuda check-cudart check-sdk check-python check-cli check-golden check-determinism check-workloads: check-%: check-build
	@$(RUN) $(call tests_in,$*)
MATRIX_SIZE ?= test
## matrix: every workload under every warp policy, and without timing: a table in build/VARIANT/matrix.md
matrix: $(B)/heddle
	@tools/matrix.py --heddle $(B)/heddle --size $(MATRIX_SIZE) --write $(B)/matrix.md; \
	    status=$$?; cat $(B)/matrix.md; exit $$status
## check-fuzz: stored and mutated inputs through the parsers
check-fuzz: $(FUZZ_BINS)
	@$(RUN) $^
## check-exhaustive: all pairs of f16, all f32 inputs of approximations (about an hour; not part of check)
.PHONY: check-exhaustive
check-exhaustive: $(B)/tests/unit/test_half $(B)/tests/unit/test_approx
	$(B)/tests/unit/test_half all
	$(B)/tests/unit/test_approx 1
FUZZ_SECONDS ?= 60
## fuzz: libFuzzer (clang) on every target for FUZZ_SECONDS each; not part of check
.PHONY: fuzz fuzz-build
fuzz:
	@$(MAKE) --no-print-directory CC=$(CLANG) VARIANT=fuzz SAN=address,undefined LIBFUZZER=1 fuzz-build
	@tools/fuzz.sh build/fuzz $(FUZZ_SECONDS) $(FUZZ_TARGETS)
fuzz-build: $(FUZZ_BINS)
## check-style: layers, circles, banned functions, names, headers, sizes, text, tests, format
check-style: $(B)/libheddle.a
	@$(RUN) $(STYLE)
## test-table: source file -> the tests that cover it (tests/covers.txt has what cannot be found)
.PHONY: test-table
test-table: $(B)/libheddle.a
	@HEDDLE_BUILD=$(B) tools/check-tests.sh --table
## check-format: clang-format 14 alone
check-format:
	@mkdir -p $(B)
	@$(RUN) tools/check-format.sh
## check-san: build with address and undefined-behaviour sanitizers, run the tests in it; of the scripts a third, with every commit the next
## check-san-all: the same with all scripts
check-san:
	@$(MAKE) --no-print-directory SAN=address,undefined CORE_SCRIPTS='$(THIRD_OF_SCRIPTS)' check-core
check-san-all:
	@$(MAKE) --no-print-directory SAN=address,undefined check-core
## check-tsan: build with the thread sanitizer and make runs on several threads in it; skipped where it is missing
.PHONY: check-tsan check-threads
# It fails on kernels that place memory more randomly than it expects.
STILL := $(shell setarch -R true 2>/dev/null && echo setarch -R)
check-tsan:
	@if echo 'int main(void) { return 0; }' | $(CC) -fsanitize=thread -x c -o /dev/null - 2>/dev/null; then \
	    $(STILL) $(MAKE) --no-print-directory SAN=thread check-threads; \
	else \
	    echo "the compiler has no thread sanitizer here; 0 passed, 0 failed, 1 skipped"; \
	fi
check-threads: $(B)/heddle $(B)/libcuda.so.1 $(B)/tests/unit/test_team $(B)/tests/unit/test_rounds
	@$(RUN) $(B)/tests/unit/test_team $(B)/tests/unit/test_rounds \
	    tests/determinism/test_threads.sh tests/determinism/test_functional_threads.sh
## check-stress: build with every capacity at its minimum; values must not change (cycles may)
check-stress:
	@$(MAKE) --no-print-directory STRESS=1 check-values
.PHONY: check-core check-values check-san-all
# ROTATION=N chooses what the N-th commit chose.
ROTATION ?= $(shell git rev-list --count HEAD 2>/dev/null || echo 0)
CORE_SCRIPTS = $(filter %.sh,$(call tests_in,$(CORE)))
THIRD_OF_SCRIPTS = $(shell printf '%s\n' $(CORE_SCRIPTS) | awk 'NR % 3 == $(ROTATION) % 3')
check-core: check-build
	@$(RUN) $(filter-out %.sh,$(call tests_in,$(CORE))) $(CORE_SCRIPTS) $(FUZZ_BINS)
VALUES := $(call tests_in,unit ptx stress)
check-values: $(B)/heddle $(filter $(B)/%,$(VALUES))
	@$(RUN) $(VALUES)

## check-compiler: what a compiler can make wrong: lane loops, instructions, cycles (CC=clang-19 VARIANT=clang-19)
.PHONY: check-compiler
COMPILED := $(foreach t,emu_lanes values half approx access,$(B)/tests/unit/test_$(t)) $(B)/tests/ptx/test_ptx
check-compiler: $(B)/heddle $(COMPILED) $(B)/tests/golden/facts
	@for lanes in baseline avx2; do \
	    echo "HEDDLE_LANES=$$lanes"; HEDDLE_LANES=$$lanes $(RUN) $(filter-out %_lanes %_values,$(COMPILED)) || exit; \
	done
	@$(RUN) $(COMPILED) tests/golden/test_golden.sh

## golden: rewrite tests/golden/ and the output shown in README and docs/; review the diff
golden: check-build
	@HEDDLE=$(B)/heddle HEDDLE_BUILD=$(B) tests/golden/test_golden.sh --write
	@HEDDLE=$(B)/heddle HEDDLE_BUILD=$(B) tests/docs/test_docs.sh --write
## pages: rewrite only the output shown in README and docs/, as after a new instruction, key or counter
pages: $(B)/heddle $(EXAMPLES)
	@HEDDLE=$(B)/heddle HEDDLE_BUILD=$(B) tests/docs/test_docs.sh --write

## check-debian: the Debian packages, built, checked by lintian and tried in chroots (HEDDLE_SUITE=bookworm, trixie, noble)
## check-reproducible: builds in two folders install the same bytes
.PHONY: check-debian check-reproducible
check-debian:
	@tools/check-debian.sh
check-reproducible:
	@tools/check-reproducible.sh

## corpus-ptx: the corpus's PTX and expected values again, with nvcc, clang and g++ where they are
.PHONY: corpus-ptx
corpus-ptx:
	@tools/corpus.sh

TIDY_SRCS := $(SRCS) $(POLICIES)
# How far the analyzer follows one function: a quarter of clang's default takes a quarter of the time.
# A night has time for TIDY_NODES=225000, the default, or more.
TIDY_NODES ?= 50000
## tidy: clang-tidy over src/, one report per file (.clang-tidy says what and why)
tidy: $(B)/policies.inc
	@printf '%s\n' $(TIDY_SRCS) | xargs -P "$$(getconf _NPROCESSORS_ONLN)" -I{} tools/tidy.sh \
	    $(CLANG_TIDY) {} -std=c11 -D_GNU_SOURCE -Iinclude -Isrc -I$(B) \
	    -Xclang -analyzer-config -Xclang max-nodes=$(TIDY_NODES)
## cppcheck: cppcheck over src/ (tools/cppcheck.txt lists what is not believed, with reasons)
cppcheck: $(B)/policies.inc
	@mkdir -p $(B)/cppcheck
	@cppcheck --quiet --std=c11 --language=c --enable=warning,performance,portability \
	    --inline-suppr --suppressions-list=tools/cppcheck.txt --error-exitcode=1 \
	    --cppcheck-build-dir=$(B)/cppcheck -j "$$(getconf _NPROCESSORS_ONLN)" \
	    -D_GNU_SOURCE -DHD_IN_TREE -Iinclude -Isrc -I$(B) src

## compile_commands.json: for editors and clang tools
compile_commands.json:
	@{ echo '['; for f in $(TIDY_SRCS); do \
	    printf '  {"directory": "%s", "file": "%s", "command": "$(CC) $(subst -MMD -MP,,$(HD_CFLAGS)) -c %s"},\n' \
	        "$(CURDIR)" "$$f" "$$f"; done | sed '$$s/,$$//'; echo ']'; } >$@

## bench: host instructions per simulated warp instruction, into bench/table.md and counts.txt
## check-bench: the cycle loop costs what bench/counts.txt says, within 2 %
.PHONY: bench check-bench
bench: check-build
	@HEDDLE=$(B)/heddle bench/run.sh
	@HEDDLE=$(B)/heddle bench/check.sh --write
check-bench: $(B)/heddle
	@HEDDLE=$(B)/heddle bench/check.sh
## bench-threads: what --threads saves on this machine, which must be idle, into bench/threads.md
.PHONY: bench-threads
bench-threads: $(B)/heddle
	@HEDDLE=$(B)/heddle bench/threads.sh
## bench-path: what --threads can save on larger machines: the longest chain of steps, into bench/threads.md
.PHONY: bench-path
bench-path: $(B)/bench/path
	@bench/path.sh $(B)
PATH_WRAPS := hd_sm_step hd_sm_sleeps_until hd_crossbar_new hd_clock_run
$(B)/bench/path: bench/path.c $(B)/src/cmd/main.o $(B)/libheddle.a
	@mkdir -p $(@D)
	$(SAY)$(CC) $(HD_CFLAGS) $(CFLAGS) $(HD_LDFLAGS) $(LDFLAGS) $(PATH_WRAPS:%=-Wl,--wrap=%) -MF $@.d -o $@ \
	    bench/path.c $(B)/src/cmd/main.o -Wl,--whole-archive $(B)/libheddle.a -Wl,--no-whole-archive $(HD_LIBS)
## bench-functional: as bench without timing, into bench/functional.md
.PHONY: bench-functional
bench-functional: $(B)/heddle
	@HEDDLE=$(B)/heddle bench/functional.sh

## bench-policies: host instructions of each scheduling policy, into bench/policies.md (callgrind)
## comparison: the warp policies on every workload, on gtx480 and rtx2060, into docs/comparison.md; takes half an hour
.PHONY: bench-policies comparison
bench-policies: $(B)/heddle
	@tools/policy-cost.py --heddle $(B)/heddle --write bench/policies.md
comparison: $(B)/heddle
	@tools/compare-policies.py --heddle $(B)/heddle

## results: docs/results/, how far heddle reproduces the results of papers; SIZE=paper takes hours and writes docs/results/paper/; runs are kept in RESULTS
RESULTS ?= build/results
SIZE ?= small
PAGES_OF = docs/results$(if $(filter paper,$(SIZE)),/paper)
.PHONY: results
results: $(B)/heddle
	@mkdir -p $(RESULTS) $(PAGES_OF)
	@for paper in lfws pro baws elf laser; do \
	    $(B)/heddle paper $$paper --size $(SIZE) --db $(RESULTS)/$$paper.db --quiet \
	        --markdown $(PAGES_OF)/$$paper.md \
	        $(if $(shell command -v gnuplot),--plot $(PAGES_OF)/$$paper.svg) || exit; \
	done

## verdicts: docs/results/verdicts.md, each claim of the papers under all readings, and the tables of README.md there, from the other pages
.PHONY: verdicts
verdicts:
	@tools/verdicts.py --write
	@tools/headlines.py --write
## readings: docs/results/NAME-readings.md, under which readings the papers' claims hold; takes an hour
.PHONY: readings
readings: $(B)/heddle
	@mkdir -p $(RESULTS) $(PAGES_OF)
	@for paper in lfws pro baws elf laser; do \
	    $(B)/heddle paper $$paper --readings --size $(SIZE) --db $(RESULTS)/$$paper.db --quiet \
	        --markdown $(PAGES_OF)/$$paper-readings.md \
	        $(if $(shell command -v gnuplot),--plot $(PAGES_OF)/$$paper.svg) || exit; \
	done

help:
	@echo 'make                build ./heddle'
	@echo 'make install        to PREFIX (/usr/local), below DESTDIR if that is set; make uninstall removes it'
	@echo 'make clean          remove every build'
	@sed -n 's/^## \([a-z_.-]*\): /\1|/p' $(lastword $(filter %tests.mk,$(MAKEFILE_LIST))) | \
	    awk -F'|' '{ printf "make %-14s %s\n", $$1, $$2 }'
	@echo 'variants: SAN=address,undefined  DEBUG=1  STRESS=1  WERROR=1  CC=clang VARIANT=clang'
