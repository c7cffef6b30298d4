# hardware.mk - the programs that measure a GPU; included by the Makefile.

MEASURE_SRCS := hardware/measure.c src/workload/work.c src/workload/work_driver.c src/run/check.c src/base/arena.c src/base/bug.c

.PHONY: hardware-kit hardware-folder
## hardware-kit: the programs that hardware/run.sh runs on a GPU: measure and the workloads, for NVIDIA's driver
hardware-kit: $(B)/hardware/measure workloads-real
hardware-folder: # for run.sh
	@echo $(B)
$(B)/hardware/measure: $(MEASURE_SRCS) $(B)/flags
	@mkdir -p $(@D)
	$(CC) $(filter-out -MMD -MP -rdynamic,$(HD_CFLAGS)) $(CFLAGS) -DHD_REAL_CUDA -isystem $(CUDA)/include -o $@ \
	    $(MEASURE_SRCS) $(LDFLAGS) -L$(CUDA)/lib64/stubs -lcuda -lm
