// names.cu - names of the runtime API that programs use without thinking of them: kinds of memory in a
// pool, attributes of streams, views of textures, flags, types of numbers.
#include "check.h"

#include <library_types.h>

static_assert(cudaResViewFormatUnsignedInt4 == 0x0f && cudaResViewFormatFloat1 == 0x16, "formats are counted");
static_assert(cudaResViewFormatUnsignedBlockCompressed7 == 0x22, "to the last");
static_assert(cudaDevAttrPciDomainId == 50 && cudaDevAttrMaxSurface1DWidth == 55, "attributes are counted");
static_assert(cudaDevAttrMaxTexture1DLinearWidth == 69 && cudaDevAttrComputeCapabilityMajor == 75, "further");
static_assert(cudaDevAttrMemoryPoolSupportedHandleTypes == 119, "to the last");
static_assert(CUDA_R_32F == 0 && CUDA_C_64F == 5 && CUDA_C_64U == 27, "types of numbers");
static_assert(cudaEnableLegacyStream == 1 && cudaEnablePerThreadDefaultStream == 2, "flags");

static void pools()
{
    cudaMemPoolProps props = {};
    cudaMemPool_t pool;
    cudaMemAccessDesc access = {};
    cudaMemAccessFlags flags = cudaMemAccessFlagsProtNone;
    int *p;

    props.allocType = cudaMemAllocationTypePinned;
    props.handleTypes = cudaMemHandleTypeNone;
    props.location.type = cudaMemLocationTypeDevice;
    access.location = props.location;
    access.flags = cudaMemAccessFlagsProtReadWrite;
    OK(cudaMemPoolCreate(&pool, &props));
    OK(cudaMemPoolSetAccess(pool, &access, 1));
    OK(cudaMemPoolGetAccess(&flags, pool, &access.location));
    TRUE(flags == cudaMemAccessFlagsProtReadWrite);
    OK(cudaMallocFromPoolAsync(&p, 4, pool, 0));
    OK(cudaFreeAsync(p, 0));
    OK(cudaMemPoolDestroy(pool));
}

static void streams()
{
    cudaStream_t s;
    cudaStreamAttrValue value = {};

    OK(cudaStreamCreate(&s));
    value.accessPolicyWindow.num_bytes = 0;
    value.accessPolicyWindow.hitRatio = 1;
    value.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
    value.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
    OK(cudaStreamSetAttribute(s, cudaStreamAttributeAccessPolicyWindow, &value));
    value.syncPolicy = cudaSyncPolicyYield;
    OK(cudaStreamSetAttribute(s, cudaStreamAttributeSynchronizationPolicy, &value));
    OK(cudaStreamDestroy(s));
}

int main()
{
    cudaResourceViewDesc view = {};
    cudaDataType type = CUDA_R_16F;

    view.format = cudaResViewFormatFloat1;
    TRUE((int)view.format == 0x16 && type == 2);
    pools();
    streams();
    return ended();
}
