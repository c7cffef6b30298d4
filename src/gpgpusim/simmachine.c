// simmachine.c - see simmachine.h.
#include "gpgpusim/simmachine.h"

#include "base/file.h"

#include <string.h>
#include <sys/stat.h>

#define ENDING ".config"

bool hd_simmachine_is(struct hd_arena *a, const char *gpu)
{
    char err[HD_FILE_WHY];
    struct stat is;
    size_t bytes;

    // A machine of heddle's hides a file of the same name, as for machine files.
    if (stat(gpu, &is) || !S_ISREG(is.st_mode) ||
        (!strchr(gpu, '/') && hd_config_data(a, hd_arena_printf(a, "gpus/%s.ini", gpu))))
        return false;
    const char *text = (const char *)hd_file_read(a, gpu, &bytes, err);
    return text && hd_config_is_gpgpusim(text);
}

// All of them are called gpgpusim.config, so that their folders say which GPU they describe.
static const char *name_of(struct hd_arena *a, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t n = strlen(name), tail = strlen(ENDING);
    const char *from = slash;

    if (strcmp(name, "gpgpusim" ENDING) != 0 || !slash)
        return n > tail && !strcmp(name + n - tail, ENDING) ? hd_arena_strndup(a, name, n - tail)
                                                            : name;
    while (from > path && from[-1] != '/')
        from--;
    const char *folder = hd_arena_strndup(a, from, (size_t)(slash - from));
    return strcmp(folder, "") && strcmp(folder, ".") && strcmp(folder, "..") ? folder : "gpgpusim";
}

static bool read_machine(struct hd_arena *a, const char *path, const char *const *sets,
                         unsigned n_sets, struct hd_simfile *file, struct hd_simmap *map,
                         struct hd_config *config, struct hd_diag *d)
{
    bool read = hd_simfile_read(a, path, file, d);

    if (!file->n_files)
        return false;
    bool mapped = hd_simmap_make(a, file, map, d);
    // If options are refused that give no keys, what does not go together is reported, too.
    bool whole = read && !map->holes;
    bool built = whole && hd_config_build(a, name_of(a, path), path, map->lines, map->n_lines, sets,
                                          n_sets, config, d);
    return mapped && built;
}

bool hd_simmachine_read(struct hd_arena *a, const char *path, struct hd_simfile *file,
                        struct hd_simmap *map, struct hd_config *config, struct hd_diag *d)
{
    return read_machine(a, path, NULL, 0, file, map, config, d);
}

bool hd_simmachine_load(struct hd_arena *a, const char *gpu, const char *const *sets,
                        unsigned n_sets, struct hd_config *out, struct hd_diag *d)
{
    if (!hd_simmachine_is(a, gpu))
        return hd_config_load(a, gpu, sets, n_sets, out, d);
    return hd_config_data_check(d) &&
           read_machine(a, gpu, sets, n_sets, HD_NEW(a, hd_simfile), HD_NEW(a, hd_simmap), out, d);
}

const char **hd_simmachine_files(struct hd_arena *a, const char *gpu)
{
    struct hd_simfile *file = HD_NEW(a, hd_simfile);
    struct hd_simmap *map = HD_NEW(a, hd_simmap);
    struct hd_diag *d = HD_NEW(a, hd_diag);

    if (!hd_simmachine_is(a, gpu))
        return hd_config_files(a, gpu);
    read_machine(a, gpu, NULL, 0, file, map, HD_NEW(a, hd_config), d);
    if (map->net)
        *HD_PUSH(a, file->files, file->n_files, file->cap_files) = map->net;
    *HD_PUSH(a, file->files, file->n_files, file->cap_files) = NULL;
    return file->files;
}

const struct hd_config_line *hd_simmachine_lines(struct hd_arena *a, const char *gpu, size_t *n)
{
    struct hd_simmap *map = HD_NEW(a, hd_simmap);

    if (!hd_simmachine_is(a, gpu))
        return hd_config_lines(a, gpu, n);
    read_machine(a, gpu, NULL, 0, HD_NEW(a, hd_simfile), map, HD_NEW(a, hd_config),
                 HD_NEW(a, hd_diag));
    *n = map->n_lines;
    return map->lines;
}

const char *hd_simmachine_sched(struct hd_arena *a, const char *gpu)
{
    struct hd_simmap *map = HD_NEW(a, hd_simmap);

    if (!gpu || !hd_simmachine_is(a, gpu))
        return NULL;
    return read_machine(a, gpu, NULL, 0, HD_NEW(a, hd_simfile), map, HD_NEW(a, hd_config),
                        HD_NEW(a, hd_diag))
               ? map->sched
               : NULL;
}
