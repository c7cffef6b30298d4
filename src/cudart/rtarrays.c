// rtarrays.c - arrays, and the format of their elements.
#include "cudart/rtarrays.h"

#include "cudart/session.h"

static const struct {
    CUarray_format format;
    int bits;
    enum cudaChannelFormatKind kind;
} formats[] = {
    {CU_AD_FORMAT_UNSIGNED_INT8, 8, cudaChannelFormatKindUnsigned},
    {CU_AD_FORMAT_UNSIGNED_INT16, 16, cudaChannelFormatKindUnsigned},
    {CU_AD_FORMAT_UNSIGNED_INT32, 32, cudaChannelFormatKindUnsigned},
    {CU_AD_FORMAT_SIGNED_INT8, 8, cudaChannelFormatKindSigned},
    {CU_AD_FORMAT_SIGNED_INT16, 16, cudaChannelFormatKindSigned},
    {CU_AD_FORMAT_SIGNED_INT32, 32, cudaChannelFormatKindSigned},
    {CU_AD_FORMAT_HALF, 16, cudaChannelFormatKindFloat},
    {CU_AD_FORMAT_FLOAT, 32, cudaChannelFormatKindFloat},
};
#define N_FORMATS (sizeof formats / sizeof *formats)

bool hd_rtarrays_format(const struct cudaChannelFormatDesc *d, CUarray_format *format,
                        unsigned *channels)
{
    const int bits[] = {d->x, d->y, d->z, d->w};
    unsigned n = 0;

    while (n < 4 && bits[n])
        n++;
    for (unsigned i = 0; i < 4; i++)
        if (bits[i] != (i < n ? d->x : 0))
            return false;
    *channels = n;
    for (size_t i = 0; i < N_FORMATS && n && n != 3; i++)
        if (formats[i].bits == d->x && formats[i].kind == d->f) {
            *format = formats[i].format;
            return true;
        }
    return false;
}

struct cudaChannelFormatDesc hd_rtarrays_channels(CUarray_format format, unsigned channels)
{
    struct cudaChannelFormatDesc d = {0, 0, 0, 0, cudaChannelFormatKindNone};

    for (size_t i = 0; i < N_FORMATS; i++)
        if (formats[i].format == format) {
            d.x = formats[i].bits;
            d.y = channels > 1 ? d.x : 0;
            d.z = d.w = channels > 2 ? d.x : 0;
            d.f = formats[i].kind;
        }
    return d;
}

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   enum cudaChannelFormatKind f)
{
    return (struct cudaChannelFormatDesc){x, y, z, w, f};
}

cudaError_t hd_rtarrays_element(cudaArray_t array, size_t *bytes)
{
    CUDA_ARRAY3D_DESCRIPTOR d;
    CUresult r = cuArray3DGetDescriptor(&d, array);

    if (r == CUDA_SUCCESS)
        *bytes = (size_t)hd_rtarrays_channels(d.Format, 1).x / 8 * d.NumChannels;
    return (cudaError_t)r;
}

cudaError_t hd_rtarrays_width(cudaArray_t array, size_t *bytes)
{
    CUDA_ARRAY3D_DESCRIPTOR d;
    CUresult r = cuArray3DGetDescriptor(&d, array);

    if (r == CUDA_SUCCESS)
        *bytes = (size_t)hd_rtarrays_channels(d.Format, 1).x / 8 * d.NumChannels * d.Width;
    return (cudaError_t)r;
}

cudaError_t cudaMalloc3DArray(cudaArray_t *out, const struct cudaChannelFormatDesc *channels,
                              struct cudaExtent extent, unsigned flags)
{
    CUDA_ARRAY3D_DESCRIPTOR d = {
        .Width = extent.width, .Height = extent.height, .Depth = extent.depth, .Flags = flags};

    HD_RT_ENTER();
    if (!out || !channels)
        return hd_session_note(cudaErrorInvalidValue);
    if (!hd_rtarrays_format(channels, &d.Format, &d.NumChannels))
        return hd_session_note(cudaErrorInvalidChannelDescriptor);
    return hd_session_note(cuArray3DCreate(out, &d));
}

cudaError_t cudaMallocArray(cudaArray_t *out, const struct cudaChannelFormatDesc *channels,
                            size_t width, size_t height, unsigned flags)
{
    return cudaMalloc3DArray(out, channels, (struct cudaExtent){width, height, 0}, flags);
}

cudaError_t cudaFreeArray(cudaArray_t array)
{
    HD_RT_ENTER();
    return array ? hd_session_note(cuArrayDestroy(array)) : cudaSuccess;
}

cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *channels, struct cudaExtent *extent,
                             unsigned *flags, cudaArray_t array)
{
    CUDA_ARRAY3D_DESCRIPTOR d;

    HD_RT_ENTER();
    CUresult r = cuArray3DGetDescriptor(&d, array);
    if (r != CUDA_SUCCESS)
        return hd_session_note(r);
    if (channels)
        *channels = hd_rtarrays_channels(d.Format, d.NumChannels);
    if (extent)
        *extent = (struct cudaExtent){d.Width, d.Height, d.Depth};
    if (flags)
        *flags = d.Flags;
    return cudaSuccess;
}

cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *channels, cudaArray_t array)
{
    return channels ? cudaArrayGetInfo(channels, NULL, NULL, array)
                    : hd_session_note(cudaErrorInvalidValue);
}
