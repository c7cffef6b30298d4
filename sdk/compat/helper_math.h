// helper_math.h - as cutil_math.h, by the name of later samples, whose own comes first if the makefile finds it.
#include "cutil_math.h"
