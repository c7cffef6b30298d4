# heddle: plain GNU make, one file, no recursion. `make help` lists the targets.
#
# Variants live side by side in build/<variant>/: make SAN=address, make SAN=undefined, make
# DEBUG=1, make STRESS=1, make CC=clang-14 VARIANT=clang. Ours are HD_CFLAGS; CFLAGS is the user's.

CC ?= gcc
VARIANT ?= $(if $(SAN),$(subst $(comma),-,$(SAN)),release)$(if $(DEBUG),-debug)$(if $(STRESS),-stress)
comma := ,
B := build/$(VARIANT)

WARN := -Wall -Wextra -Wshadow -Wconversion -Wundef -Wvla -Wstrict-prototypes \
        -Wmissing-prototypes -Wwrite-strings -Wcast-qual -Wdouble-promotion -Wpointer-arith
# Position independent: the same objects make the program and libcuda.so.1.
HD_CFLAGS := -std=c11 -fPIC -fno-semantic-interposition -D_GNU_SOURCE -ffp-contract=off -O2 -g $(WARN) -Iinclude -Isrc -I$(B) \
             -MMD -MP
# Debug information does not name the folder of the build, so that every folder gives the same bytes.
HD_CFLAGS += -ffile-prefix-map=$(CURDIR)=.
# The oldest x86-64 that has popcnt; MARCH=native is faster, MARCH= is the compiler's default.
ifeq ($(shell uname -m),x86_64)
MARCH ?= x86-64-v2
endif
HD_CFLAGS += $(if $(MARCH),-march=$(MARCH))
ifdef WERROR
HD_CFLAGS += -Werror
endif
ifdef SAN
HD_CFLAGS += -fsanitize=$(SAN) -fno-sanitize-recover=all -fno-omit-frame-pointer -DHD_DEBUG
HD_LDFLAGS += -fsanitize=$(SAN)
endif
# Coverage of edges only: tables are compared with every input word, and tracing that is most of the time.
ifdef LIBFUZZER
CFLAGS += -O1 -fsanitize=fuzzer-no-link -fno-sanitize-coverage=trace-cmp
endif
ifdef DEBUG
HD_CFLAGS += -DHD_DEBUG
endif
ifdef STRESS
HD_CFLAGS += -DHD_STRESS
endif
# Policies are reached from plug-ins, so the program exports its symbols.
HD_LDFLAGS += -rdynamic
HD_LIBS := -ljansson -linih -llz4 -lzstd -lsqlite3 -lelf -lmd -ldl -lm
# Of the C++ runtime only what decodes its names, which needs nothing else of it: a program that brings
# a runtime of its own does not meet another one.
HD_LIBS += -l:libstdc++.a -Wl,--exclude-libs,libstdc++.a

# The folders of the program, lowest first. Policies, and the libraries beside the program, have rules
# of their own.
FOLDERS := $(filter-out policy cudart nvml,$(shell sed -n 's/^\([a-z_/]*\):.*/\1/p' src/LAYERS))
SRCS := $(foreach d,$(FOLDERS),$(sort $(wildcard src/$(d)/*.c)))
POLICIES := $(sort $(wildcard src/policy/*.c))
# A folder of workloads/ with a host.c is a workload, or several: each is a struct that host.c defines.
WORKLOADS := $(sort $(wildcard workloads/*/host.c))
WORKLOAD_NAMES = $(sort $(shell tools/workload-names.sh))
# The lane loops are built once per host vector width and chosen at start (same bytes, tested). They take
# longest to compile, so that they come first.
LANE_FILES := lanes_conversions lanes_ints lanes_halves lanes_floats access whole
LANE_WIDTHS := $(if $(filter x86_64,$(shell uname -m)),-avx512 -avx2)
OBJS := $(foreach f,$(LANE_FILES),$(foreach w,$(LANE_WIDTHS),$(B)/src/emu/$(f)$(w).o) $(B)/src/emu/$(f).o)
OBJS += $(filter-out $(OBJS),$(SRCS:%.c=$(B)/%.o)) $(POLICIES:%.c=$(B)/%.o) $(WORKLOADS:%.c=$(B)/%.o)
LIB_OBJS := $(filter-out $(B)/src/cmd/main.o,$(OBJS))

CUDART_VERSIONS := 13 12 11.0
CUDARTS := $(CUDART_VERSIONS:%=$(B)/libcudart.so.%)
NVML := $(B)/libnvidia-ml.so.1

# Commands are shown with V=1; without, the file they make; with -s, nothing.
SAY = $(if $(V),,$(if $(findstring s,$(firstword -$(MAKEFLAGS))),@,@echo "  $@"; ))

.PHONY: all
all: heddle

# With the libraries that `heddle exec` gives to programs: they are of the same sources as the program.
# sdk/lib64 is where makefiles that link with gcc look for a toolkit's libraries. legacy is the name that
# sdk/compat had: people's makefiles name it.
heddle: $(B)/heddle $(B)/libcuda.so.1 $(CUDARTS) $(NVML)
	@ln -sf $< $@; mkdir -p sdk/compat/lib64; ln -sf ../../../$(NVML) sdk/compat/lib64/libnvidia-ml.so; \
	    ln -sf ../../../$(B)/libcuda.so.1 sdk/compat/lib64/libcuda.so.1
	@[ -L legacy ] || rm -rf legacy/lib64; [ -e legacy ] && rmdir legacy 2>/dev/null; \
	    [ -e legacy ] || ln -sfn sdk/compat legacy
	@ln -sf ../../$(B)/libcuda.so.1 sdk/lib64/libcuda.so.1; ln -sf libcuda.so.1 sdk/lib64/libcuda.so; \
	    ln -sf ../../$(B)/libcudart.so.11.0 sdk/lib64/libcudart.so

$(B)/heddle: $(B)/src/cmd/main.o $(B)/libheddle.a
	$(SAY)$(CC) $(HD_CFLAGS) $(CFLAGS) $(HD_LDFLAGS) $(LDFLAGS) -o $@ $< \
	    -Wl,--whole-archive $(B)/libheddle.a -Wl,--no-whole-archive $(HD_LIBS)

# What other programs load as NVIDIA's driver: the same code, its cu* functions on the outside (and
# hd_follow, which plug-ins call).
$(B)/libcuda.so.1: $(B)/libheddle.a src/cuda/abi/exports.map
	$(SAY)$(CC) $(HD_CFLAGS) $(CFLAGS) $(filter-out -rdynamic,$(HD_LDFLAGS)) $(LDFLAGS) -shared -o $@ \
	    -Wl,-soname,libcuda.so.1 -Wl,--version-script=src/cuda/abi/exports.map $(if $(SAN),,-Wl,-z$(comma)defs) \
	    -Wl,--whole-archive $(B)/libheddle.a -Wl,--no-whole-archive $(HD_LIBS)
	@ln -sf $(@F) $(B)/libcuda.so

# NVIDIA's management library, above the driver's.
$(NVML): $(B)/src/nvml/nvml.o $(B)/libcuda.so.1
	$(SAY)$(CC) $(HD_CFLAGS) $(CFLAGS) $(filter-out -rdynamic,$(HD_LDFLAGS)) $(LDFLAGS) -shared -o $@ \
	    -Wl,-soname,libnvidia-ml.so.1 $(if $(SAN),,-Wl,-z$(comma)defs) -Wl,-rpath,'$$ORIGIN' $^
	@ln -sf $(@F) $(B)/libnvidia-ml.so
-include $(B)/src/nvml/nvml.d

# NVIDIA's runtime for programs: one library for each of its major versions, from the same source.
# src/cudart/namesN.txt lists what the library of that version exports, under one version node.
CUDART_SRCS := $(sort $(wildcard src/cudart/*.c))
CUDART_BASE := $(patsubst %,$(B)/src/base/%.o,arena bug diag lock)
define CUDART_RULES
$(B)/cudart$(1)/%.o: %.c $(B)/flags
	@mkdir -p $$(@D)
	$$(SAY)$$(CC) $$(HD_CFLAGS) -DHD_CUDART=$(firstword $(subst ., ,$(1))) $$(CFLAGS) -c -o $$@ $$<
$(B)/cudart$(1)/exports.map: src/cudart/names$(1).txt
	@mkdir -p $$(@D)
	@{ echo 'libcudart.so.$(1) { global:'; sed 's/$$$$/;/' $$<; echo 'local: *; };'; } >$$@
$(B)/libcudart.so.$(1): $(CUDART_SRCS:%.c=$(B)/cudart$(1)/%.o) $(CUDART_BASE) $(B)/cudart$(1)/exports.map $(B)/libcuda.so.1
	$$(SAY)$$(CC) $$(HD_CFLAGS) $$(CFLAGS) $$(filter-out -rdynamic,$$(HD_LDFLAGS)) $$(LDFLAGS) -shared -o $$@ \
	    -Wl,-soname,libcudart.so.$(1) -Wl,--version-script=$(B)/cudart$(1)/exports.map $(if $(SAN),,-Wl,-z$(comma)defs) \
	    -Wl,-rpath,'$$$$ORIGIN' $$(filter %.o %.so.1,$$^)
	@ln -sf libcudart.so.$(firstword $(CUDART_VERSIONS)) $(B)/libcudart.so
-include $(CUDART_SRCS:%.c=$(B)/cudart$(1)/%.d)
endef
$(foreach v,$(CUDART_VERSIONS),$(eval $(call CUDART_RULES,$(v))))

$(B)/libheddle.a: $(LIB_OBJS)
	@rm -f $@
	@ar rcs $@ $^

$(B)/%.o: %.c $(B)/flags
	@mkdir -p $(@D)
	$(SAY)$(CC) $(HD_CFLAGS) $(CFLAGS) -c -o $@ $<
$(B)/src/policy/%.o: HD_CFLAGS += -DHD_IN_TREE
# The cycle loop: three to five per cent fewer instructions than with -O2. Private: the flags file
# below is also a prerequisite of these.
LOOP_FLAGS := -O3
$(patsubst %.c,$(B)/%.o,$(wildcard src/hw/*.c src/sm/*.c src/mem/*.c src/gpu/*.c src/trace/*.c)): private HD_CFLAGS += $(LOOP_FLAGS)
# On the device integers wrap and floating-point operations set no flags.
LANE_FLAGS := -O3 -fwrapv -fno-trapping-math -fno-math-errno
$(LANE_FILES:%=$(B)/src/emu/%.o): $(B)/%.o: %.c $(B)/flags
	@mkdir -p $(@D)
	$(SAY)$(CC) $(HD_CFLAGS) $(LANE_FLAGS) $(CFLAGS) -c -o $@ $<
$(B)/%-avx2.o: %.c $(B)/flags
	@mkdir -p $(@D)
	$(SAY)$(CC) $(HD_CFLAGS) $(LANE_FLAGS) $(CFLAGS) -mavx2 -mfma -mbmi -mbmi2 -mf16c -DHD_LANES_SUFFIX=avx2 -c -o $@ $<
$(B)/%-avx512.o: %.c $(B)/flags
	@mkdir -p $(@D)
	$(SAY)$(CC) $(HD_CFLAGS) $(LANE_FLAGS) $(CFLAGS) -march=skylake-avx512 -mprefer-vector-width=512 -DHD_LANES_SUFFIX=avx512 -c -o $@ $<

# A changed flag rebuilds everything; an unchanged one nothing. In which folder the tree lies changes no object.
ALL_FLAGS = $(CC) $(filter-out -ffile-prefix-map=%,$(HD_CFLAGS)) $(LOOP_FLAGS) $(LANE_FLAGS) $(CFLAGS)
$(B)/flags: FORCE
	@mkdir -p $(B)
	@echo '$(ALL_FLAGS)' | cmp -s - $@ || echo '$(ALL_FLAGS)' >$@

# One X(name) per policy file and per workload; replaced only when the list changed, so
# deleting one works too.
X_LIST = @mkdir -p $(B); printf 'X(%s)\n' $(1) | cmp -s - $@ || printf 'X(%s)\n' $(1) >$@
$(B)/policies.inc: FORCE
	$(call X_LIST,$(notdir $(POLICIES:.c=)))
$(B)/workloads.inc: FORCE
	$(call X_LIST,$(WORKLOAD_NAMES))
# What results depend on, as checksums: a stored result of other sources is not taken for one of these.
# That is what makes a result (src/study/simulate.c), what reads its input (src/job/job.c), and all that
# these two link; tests/tools/test_sources.sh compares this list with what they do link. It leaves out
# files of these folders that neither links, and files that they link but whose words and pictures, for
# people, stand in no result.
RESULT_APART := workloads/kernels/cu.h $(patsubst %,src/%.c,base/configsource present/chart present/cyclespage present/html present/palette present/sheet report/correlate report/diff report/measured report/reusefigures fatbin/executable gpgpusim/simtext \
                $(addprefix cuda/,abi/exporttable abi/graph_legacy abi/legacy_symbols abi/nvrtc abi/ptsz abi/symbols \
                abi/unsupported core/procaddress graph/graph_dot graphexec/graphexec graphexec/graphmem \
                graphexec/graphnodes graphexec/graphrun graphexec/graphupdate launch/occupancy launch/oldlaunch \
                memory/pointers stream/fill stream/hostfuncs stream/ordered))
RESULT_WORDS := $(patsubst %,src/%.c,cuda/abi/errors cuda/abi/loaded fatbin/kernellibs \
                report/annotatetable report/runnames present/table report/timeline)
RESULT_SRCS := $(filter-out $(RESULT_APART) $(RESULT_WORDS),$(sort $(wildcard include/heddle/*.h include/heddle/policy/*.h \
               src/policy/*.[ch] workloads/*.h workloads/*/*.[ch] src/study/simulate.[ch] \
               $(foreach d,$(filter-out contract toy study paper cc cmd,$(FOLDERS)),src/$(d)/*.[ch] src/$(d)/*.def))))
.PHONY: result-lists
result-lists: # for the test
	@printf 'words %s\n' $(RESULT_WORDS); printf 'source %s\n' $(RESULT_SRCS)
$(B)/sources.inc: FORCE
	@mkdir -p $(B); sha256sum $(RESULT_SRCS) | sed 's/^\([0-9a-f]*\)  \(.*\)/X("\2", "\1")/' >$@.new; \
	    cmp -s $@.new $@ && rm $@.new || mv $@.new $@
# The interactive part of HTML pages, as C strings: style and script are files of their own.
PAGE_STYLE := src/present/page/cycles.css
PAGE_SCRIPT := $(patsubst %,src/present/page/%.js,data paint details app)
AS_STRINGS = @mkdir -p $(B); sed 's/[\\"]/\\&/g; s/^/"/; s/$$/\\n"/' $^ >$@
$(B)/page_style.inc: $(PAGE_STYLE)
	$(AS_STRINGS)
$(B)/page_script.inc: $(PAGE_SCRIPT)
	$(AS_STRINGS)
$(B)/src/present/cyclespage.o: $(B)/page_style.inc $(B)/page_script.inc
# The terms of the glossary, for heddle explain.
$(B)/glossary.inc: docs/glossary.md tools/glossary.sh
	@mkdir -p $(B); tools/glossary.sh $< >$@
$(B)/src/cmd/cmd_explainwords.o: $(B)/glossary.inc
$(B)/src/registry/catalog.o: $(B)/policies.inc
$(B)/src/study/identity.o: $(B)/sources.inc
$(B)/src/workload/workloads.o: $(B)/workloads.inc

PREFIX ?= /usr/local
# The program and all that belongs to it, to DESTDIR/PREFIX (tools/install.sh says what goes where).
.PHONY: install uninstall
install: heddle
	@tools/install.sh install '$(B)' '$(PREFIX)' '$(DESTDIR)'
uninstall:
	@tools/install.sh uninstall '$(PREFIX)' '$(DESTDIR)'

.PHONY: FORCE clean
FORCE:
clean:
	rm -rf build heddle

-include workloads/workloads.mk
-include hardware/hardware.mk
-include tests/tests.mk
-include $(OBJS:.o=.d)
