// file.h - whole files in and out; paths relative to another file.
#ifndef HEDDLE_BASE_FILE_H
#define HEDDLE_BASE_FILE_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HD_FILE_WHY 600 // bytes of a message: the path and what is wrong with the file

// The bytes of the file, followed by a NUL that is not counted. NULL and a message in `err` if it
// cannot be read (missing, a directory, larger than 2 GiB).
uint8_t *hd_file_read(struct hd_arena *a, const char *path, size_t *bytes, char err[HD_FILE_WHY]);
// Where to write what shall be at `path` when it is whole: a name beside it, of this process alone,
// to be renamed; or `path` itself if that is a device or a pipe, which nothing must take the place
// of. False with errno for a name that is too long or a folder's.
#define HD_FILE_PART 4096
bool hd_file_part(const char *path, char part[HD_FILE_PART]);
// A file that is there must be a regular one, or false with a message: who opens a FIFO waits for
// somebody at its other end.
bool hd_file_regular(const char *path, char err[HD_FILE_WHY]);
// Write through a temporary name and rename, so that a reader never sees half a file.
bool hd_file_write(const char *path, const void *data, size_t bytes, char err[HD_FILE_WHY]);
// `name` as seen from the folder of `base`; absolute names stay.
char *hd_file_beside(struct hd_arena *a, const char *base, const char *name);

#endif
