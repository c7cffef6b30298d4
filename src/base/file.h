// file.h - reading and writing whole files; paths relative to another file.
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
// Where to write a file that must only appear at `path` when it is complete: a name beside it, used
// by this process only, to be renamed; or `path` itself if that is a device or a pipe, which must
// not be replaced. False with errno if the name is too long or a folder's.
#define HD_FILE_PART 4096
bool hd_file_part(const char *path, char part[HD_FILE_PART]);
// If the file exists, it must be a regular one, else false with a message: opening a FIFO waits for
// its other end.
bool hd_file_regular(const char *path, char err[HD_FILE_WHY]);
// A file that is written piece by piece, through a temporary name that is renamed at the end, so
// that a reader never sees half a file.
struct hd_file_pieces {
    const char *path;
    char part[HD_FILE_PART];
    int fd;
    int why; // errno of the first piece that could not be written; 0: there is none
};
// False with a message if the file cannot be made; then there is nothing to end.
bool hd_file_begin(struct hd_file_pieces *f, const char *path, char err[HD_FILE_WHY]);
void hd_file_add(struct hd_file_pieces *f, const void *data, size_t bytes);
// False with a message if any piece was lost; then there is no file.
bool hd_file_end(struct hd_file_pieces *f, char err[HD_FILE_WHY]);
// The same for a file that consists of one piece.
bool hd_file_write(const char *path, const void *data, size_t bytes, char err[HD_FILE_WHY]);
// The bytes of an open file that can be sought, followed by a NUL that is not counted. What cannot
// be read is missing. `bytes` may be NULL.
char *hd_file_all(struct hd_arena *a, int fd, size_t *bytes);
// Makes a folder and those that contain it; existing ones are accepted. False with a message.
bool hd_file_folders(struct hd_arena *a, const char *path, char err[HD_FILE_WHY]);
// The folder for temporary files: $TMPDIR, or /tmp if that is not set.
const char *hd_file_temporary_place(void);
// Makes a folder of this process there. NULL and a message if there is no place for it.
char *hd_file_temporary(struct hd_arena *a, char err[HD_FILE_WHY]);
// `name` relative to the folder of `base`; absolute names stay.
char *hd_file_beside(struct hd_arena *a, const char *base, const char *name);

#endif
