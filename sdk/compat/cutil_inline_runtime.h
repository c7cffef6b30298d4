// cutil_inline_runtime.h - as cutil.h, by the name of later SDKs.
#include "cutil.h"
