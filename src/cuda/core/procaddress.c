// procaddress.c - cuGetProcAddress: an entry point by its name, for programs and the runtime's
// library.
#include "cuda/abi/driver.h"
#include "cuda/abi/symbols.h"

CUresult cuGetProcAddress_v2(const char *symbol, void **function, int version, uint64_t flags,
                             CUdriverProcAddressQueryResult *status)
{
    bool known, found;

    if (!symbol || !function || flags & ~(uint64_t)3)
        return CUDA_ERROR_INVALID_VALUE;
    found = hd_symbols_find(symbol, version,
                            (flags & CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM) != 0, function,
                            &known);
    if (status)
        *status = found   ? CU_GET_PROC_ADDRESS_SUCCESS
                  : known ? CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
                          : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    return found ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
