# hardware.mk - the programs that measure a GPU; included by the Makefile.

MEASURE_SRCS := hardware/measure.c src/workload/work.c src/workload/work_driver.c src/run/check.c src/base/arena.c src/base/bug.c

.PHONY: hardware-kit hardware-folder
## hardware-kit: the programs that run on a GPU with NVIDIA's driver: values, measure and the workloads
hardware-kit: $(B)/hardware/values $(B)/hardware/measure workloads-real
hardware-folder: # for run.sh
	@echo $(B)
$(B)/hardware/measure: $(MEASURE_SRCS) $(B)/flags
	@mkdir -p $(@D)
	$(CC) $(filter-out -MMD -MP -rdynamic,$(HD_CFLAGS)) $(CFLAGS) -DHD_REAL_CUDA -isystem $(CUDA)/include -o $@ \
	    $(MEASURE_SRCS) $(LDFLAGS) -L$(CUDA)/lib64/stubs -lcuda -lm
# What a GPU computes for the tests of the emulator (docs/hardware.md).
$(B)/hardware/values: hardware/values.c tests/shared/ptx_parts.c tests/shared/ptx_parts.h $(B)/flags
	@mkdir -p $(@D)
	$(CC) -std=c11 -D_GNU_SOURCE -O2 $(WARN) $(if $(WERROR),-Werror) -Itests -isystem $(CUDA)/include -o $@ \
	    $(filter %.c,$^) $(LDFLAGS) -L$(CUDA)/lib64/stubs -lcuda
