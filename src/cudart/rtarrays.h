// rtarrays.h - properties of arrays, for copies and textures.
#ifndef HEDDLE_CUDART_RTARRAYS_H
#define HEDDLE_CUDART_RTARRAYS_H

#include "cudart/runtime.h"

#include <stdbool.h>

cudaError_t hd_rtarrays_element(cudaArray_t array, size_t *bytes); // of an element
cudaError_t hd_rtarrays_width(cudaArray_t array, size_t *bytes);   // of a row
// The driver's format of a channel and the number of channels; false if there is no such format.
bool hd_rtarrays_format(const struct cudaChannelFormatDesc *d, CUarray_format *format,
                        unsigned *channels);
struct cudaChannelFormatDesc hd_rtarrays_channels(CUarray_format format, unsigned channels);

#endif
