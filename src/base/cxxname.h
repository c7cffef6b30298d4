// cxxname.h - C++ names as in source code, for the encoded ones that compilers put into PTX.
#ifndef HEDDLE_BASE_CXXNAME_H
#define HEDDLE_BASE_CXXNAME_H

#include "base/arena.h"

// "void scale<float>(float*, int)" for "_Z5scaleIfEvPfi"; NULL if the name is not an encoded one.
const char *hd_cxxname_whole(struct hd_arena *a, const char *name);

// For tables and messages: without return type, parameters and ABI tags, "scale<float>". Of a long
// name only the last part stays, and of long template arguments only "<..>". A name that is not an
// encoded one stays as it is.
const char *hd_cxxname_short(struct hd_arena *a, const char *name);

// The same for all names of a table: different names stay different. Those with the same short form
// get their parameters back or, if these are long too, a number such as "#2".
void hd_cxxname_shorten(struct hd_arena *a, const char **names, size_t n);

#endif
