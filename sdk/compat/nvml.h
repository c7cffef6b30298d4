// nvml.h - the toolkit's, or where it has none heddle's own: libnvidia-ml.so.1 of the build folder.
#if __has_include_next(<nvml.h>)
#include_next <nvml.h>
#else
#include "../../src/nvml/nvml.h"
#endif
