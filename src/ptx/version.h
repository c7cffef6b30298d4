// version.h - the versions of PTX.
#ifndef HEDDLE_PTX_VERSION_H
#define HEDDLE_PTX_VERSION_H

#include "ptx/lex.h"

// Whether `number`, the text after .version, is newer than HD_PTX_NEWEST.
bool hd_version_newer(struct hd_slice number);

#endif
