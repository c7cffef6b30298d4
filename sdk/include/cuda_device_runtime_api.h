// cuda_device_runtime_api.h - everything is there from the start; programs include it by this name.
#include "cuda_runtime.h"
