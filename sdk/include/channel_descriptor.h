// channel_descriptor.h - everything is there from the start; programs include it by this name.
#include "cuda_runtime.h"
