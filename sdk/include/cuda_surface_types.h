// cuda_surface_types.h - everything is there from the start; programs include it by this name.
#include "cuda_runtime.h"
