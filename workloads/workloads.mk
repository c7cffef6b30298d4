# workloads.mk - what is made of the workloads besides heddle's own part; included by the Makefile.

CUDA ?= /usr/local/cuda
REAL = $(patsubst %,$(B)/workloads/%/real,$(WORKLOAD_NAMES))
REAL_SRCS := workloads/standalone.c src/workload/work.c src/workload/work_driver.c src/run/check.c \
             src/base/arena.c src/base/bug.c

.PHONY: workloads-ptx workloads-real
## workloads-ptx: make the workloads' PTX again with nvcc and clang, say what changed
workloads-ptx:
	@tools/workloads-ptx.sh
## workloads-real: the workloads as programs for NVIDIA's driver, build/VARIANT/workloads/NAME/real
workloads-real: $(REAL)
# Beside NVIDIA's header, not ours; the toolkit's stub stands in for a driver that is elsewhere.
$(B)/workloads/%/real: $(WORKLOADS) $(REAL_SRCS) $(B)/flags
	@mkdir -p $(@D)
	$(CC) $(filter-out -MMD -MP -rdynamic,$(HD_CFLAGS)) $(CFLAGS) -DHD_REAL_CUDA -isystem $(CUDA)/include \
	    -DHD_WORKLOAD=hd_workload_$* -o $@ workloads/$$(tools/workload-names.sh --folders | sed -n 's/^$* //p')/host.c \
	    $(REAL_SRCS) $(LDFLAGS) -L$(CUDA)/lib64/stubs -lcuda -lm
