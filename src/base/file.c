// file.c - reading and writing whole files. See file.h.
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_MAX ((size_t)2 << 30)

// Of a very long path only the end is shown, which contains the name of the file.
static bool failed(char err[HD_FILE_WHY], const char *path, const char *why)
{
    size_t n = strlen(path);
    bool cut = n > 500;

    snprintf(err, HD_FILE_WHY, "%s%.500s: %.50s", cut ? "..." : "", cut ? path + n - 497 : path,
             why);
    return false;
}

// Read until the end of the file or `bytes`, whichever comes first; -1 with errno on failure.
static ssize_t read_all(int fd, uint8_t *to, size_t bytes)
{
    size_t got = 0;

    while (got < bytes) {
        ssize_t n = read(fd, to + got, bytes - got);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -1;
        if (n == 0)
            break;
        got += (size_t)n;
    }
    return (ssize_t)got;
}

uint8_t *hd_file_read(struct hd_arena *a, const char *path, size_t *bytes, char err[HD_FILE_WHY])
{
    // A FIFO without a writer must be refused below instead of waiting for a writer here.
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat st;
    uint8_t *data = NULL;

    if (fd < 0) {
        failed(err, path, strerror(errno));
        return NULL;
    }
    if (fstat(fd, &st) || !S_ISREG(st.st_mode)) {
        failed(err, path, "not a regular file");
    } else if ((size_t)st.st_size > FILE_MAX) {
        failed(err, path, "larger than 2 GiB");
    } else {
        data = hd_arena_get(a, (size_t)st.st_size + 1, 1);
        ssize_t n = read_all(fd, data, (size_t)st.st_size);
        if (n < 0) {
            failed(err, path, strerror(errno));
            data = NULL;
        } else {
            *bytes = (size_t)n;
        }
    }
    close(fd);
    return data;
}

static bool write_all(int fd, const uint8_t *from, size_t bytes)
{
    while (bytes) {
        ssize_t n = write(fd, from, bytes);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        from += n;
        bytes -= (size_t)n;
    }
    return true;
}

bool hd_file_part(const char *path, char part[HD_FILE_PART])
{
    static atomic_uint made; // a process may have several incomplete files
    const char *slash = strrchr(path, '/');
    struct stat st;
    bool there = !stat(path, &st);
    int n;

    if (there && S_ISDIR(st.st_mode)) {
        errno = EISDIR;
        return false;
    }
    // Not with the file's name as a prefix, which may already have the maximum length.
    if (there && !S_ISREG(st.st_mode))
        n = snprintf(part, HD_FILE_PART, "%s", path);
    else
        n = snprintf(part, HD_FILE_PART, "%.*s.heddle.%d.%u.part",
                     slash ? (int)(slash - path) + 1 : 0, path, (int)getpid(),
                     atomic_fetch_add(&made, 1));
    errno = ENAMETOOLONG;
    return n < HD_FILE_PART;
}

bool hd_file_regular(const char *path, char err[HD_FILE_WHY])
{
    struct stat st;

    return stat(path, &st) || S_ISREG(st.st_mode) || failed(err, path, "not a regular file");
}

bool hd_file_begin(struct hd_file_pieces *f, const char *path, char err[HD_FILE_WHY])
{
    *f = (struct hd_file_pieces){.path = path, .fd = -1};
    if (!hd_file_part(path, f->part))
        return failed(err, path, strerror(errno));
    bool direct = !strcmp(f->part, path);
    f->fd = open(f->part, O_WRONLY | O_CLOEXEC | (direct ? 0 : O_CREAT | O_TRUNC), 0666);
    return f->fd >= 0 || failed(err, path, strerror(errno));
}

void hd_file_add(struct hd_file_pieces *f, const void *data, size_t bytes)
{
    if (!f->why && !write_all(f->fd, data, bytes))
        f->why = errno ? errno : EIO;
}

bool hd_file_end(struct hd_file_pieces *f, char err[HD_FILE_WHY])
{
    bool direct = !strcmp(f->part, f->path);

    if (close(f->fd) && !f->why)
        f->why = errno;
    if (!f->why && !direct && rename(f->part, f->path))
        f->why = errno;
    if (!f->why)
        return true;
    if (!direct)
        unlink(f->part);
    return failed(err, f->path, strerror(f->why));
}

bool hd_file_write(const char *path, const void *data, size_t bytes, char err[HD_FILE_WHY])
{
    struct hd_file_pieces f;

    if (!hd_file_begin(&f, path, err))
        return false;
    hd_file_add(&f, data, bytes);
    return hd_file_end(&f, err);
}

char *hd_file_all(struct hd_arena *a, int fd, size_t *bytes)
{
    off_t size = lseek(fd, 0, SEEK_END);
    char *text = hd_arena_get(a, (size_t)(size > 0 ? size : 0) + 1, 1);
    ssize_t n = size > 0 ? pread(fd, text, (size_t)size, 0) : 0;

    text[n > 0 ? n : 0] = '\0';
    if (bytes)
        *bytes = n > 0 ? (size_t)n : 0;
    return text;
}

static bool make_one(const char *path, char err[HD_FILE_WHY])
{
    return !mkdir(path, 0777) || errno == EEXIST || failed(err, path, strerror(errno));
}

bool hd_file_folders(struct hd_arena *a, const char *path, char err[HD_FILE_WHY])
{
    char *part = hd_arena_strdup(a, path);

    for (char *slash = *part ? strchr(part + 1, '/') : NULL; slash;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (!make_one(part, err))
            return false;
        *slash = '/';
    }
    return !*part || make_one(part, err);
}

const char *hd_file_temporary_place(void)
{
    const char *where = getenv("TMPDIR");

    return where && *where ? where : "/tmp";
}

char *hd_file_temporary(struct hd_arena *a, char err[HD_FILE_WHY])
{
    char *folder = hd_arena_printf(a, "%s/heddle-XXXXXX", hd_file_temporary_place());

    if (mkdtemp(folder))
        return folder;
    snprintf(err, HD_FILE_WHY, "cannot make a folder like %.400s: %.60s", folder, strerror(errno));
    return NULL;
}

char *hd_file_beside(struct hd_arena *a, const char *base, const char *name)
{
    const char *slash = strrchr(base, '/');

    if (name[0] == '/' || !slash)
        return hd_arena_strdup(a, name);
    return hd_arena_printf(a, "%.*s/%s", (int)(slash - base), base, name);
}
