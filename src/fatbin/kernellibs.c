// kernellibs.c - see kernellibs.h. Libraries are found as the loader finds them, except for its
// cache: in the run path of the file that needs them, in LD_LIBRARY_PATH, in the system's folders.
// If one is not found, only its name is known.
#include "fatbin/kernellibs.h"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MOST 1000 // libraries; more than any real program needs

static const struct {
    const char *file, *name;
} known[] = {
    {"libcublas", "cuBLAS"},     {"libcublasLt", "cuBLASLt"},
    {"libnvblas", "NVBLAS"},     {"libcufft", "cuFFT"},
    {"libcufftw", "cuFFTW"},     {"libcurand", "cuRAND"},
    {"libcusparse", "cuSPARSE"}, {"libcusparseLt", "cuSPARSELt"},
    {"libcusolver", "cuSOLVER"}, {"libcusolverMg", "cuSOLVER"},
    {"libcudnn", "cuDNN"},       {"libcutensor", "cuTENSOR"},
    {"libnccl", "NCCL"},         {"libnvjpeg", "nvJPEG"},
    {"libnvinfer", "TensorRT"},  {"libnvshmem_host", "NVSHMEM"},
};
static const struct { // the libraries, each of which consists of several files
    const char *begin, *name;
} families[] = {{"libnpp", "NPP"}, {"libcudnn_", "cuDNN"}, {"libnvinfer_", "TensorRT"}};

const char *hd_kernellibs_name(const char *file)
{
    const char *slash = strrchr(file, '/'), *end;

    file = slash ? slash + 1 : file;
    end = strstr(file, ".so");
    if (!end)
        return NULL;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strlen(known[i].file) == (size_t)(end - file) &&
            !memcmp(known[i].file, file, (size_t)(end - file)))
            return known[i].name;
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (!strncmp(file, families[i].begin, strlen(families[i].begin)))
            return families[i].name;
    return NULL;
}

struct library {
    const char *name, *by; // as the file `by` names it
    const char *at;        // its path; NULL: not found
};

struct walk {
    struct hd_arena *arena;
    const char *path; // LD_LIBRARY_PATH
    struct library *list;
    size_t n, cap;
    struct hd_kernellibs_use *uses;
    size_t n_uses, cap_uses;
};

static const char *in_folder(struct walk *w, const char *folder, size_t n, const char *origin,
                             const char *name)
{
    static const char word[] = "$ORIGIN";
    const char *at;

    if (n >= sizeof word - 1 && !strncmp(folder, word, sizeof word - 1))
        at = hd_arena_printf(w->arena, "%s%.*s/%s", origin, (int)(n - sizeof word + 1),
                             folder + sizeof word - 1, name);
    else
        at = hd_arena_printf(w->arena, "%.*s/%s", (int)n, folder, name);
    return n && !access(at, R_OK) ? at : NULL;
}

static const char *in_path(struct walk *w, const char *path, const char *origin, const char *name)
{
    const char *found = NULL;

    while (path && *path && !found) {
        size_t n = strcspn(path, ":");
        found = in_folder(w, path, n < 4096 ? n : 0, origin, name);
        path += n + (path[n] == ':');
    }
    return found;
}

static const char *find(struct walk *w, const char *own, const char *origin, const char *name)
{
    static const char system_path[] = "/lib/x86_64-linux-gnu:/usr/lib/x86_64-linux-gnu:/lib64:"
                                      "/usr/lib64:/lib:/usr/lib:/usr/local/lib:"
                                      "/usr/local/cuda/lib64";
    const char *found;

    if (strchr(name, '/'))
        return access(name, R_OK) ? NULL : name;
    found = in_path(w, own, origin, name);
    found = found ? found : in_path(w, w->path, origin, name);
    return found ? found : in_path(w, system_path, origin, name);
}

static void meet(struct walk *w, const char *name, const char *by, const char *own,
                 const char *origin)
{
    const char *what = hd_kernellibs_name(name);

    for (size_t i = 0; i < w->n; i++)
        if (!strcmp(w->list[i].name, name))
            return;
    name = hd_arena_strndup(w->arena, name, strlen(name));
    *HD_PUSH(w->arena, w->list, w->n, w->cap) =
        (struct library){name, by, what || w->n >= MOST ? NULL : find(w, own, origin, name)};
    if (what)
        *HD_PUSH(w->arena, w->uses, w->n_uses, w->cap_uses) =
            (struct hd_kernellibs_use){what, name, by};
}

static const char *dynamic_string(Elf *elf, const GElf_Shdr *head, Elf_Data *data, GElf_Sxword tag,
                                  size_t *at)
{
    size_t n = head->sh_entsize ? head->sh_size / head->sh_entsize : 0;
    GElf_Dyn dyn;

    while (*at < n && *at <= INT32_MAX && gelf_getdyn(data, (int)(*at)++, &dyn))
        if (dyn.d_tag == tag)
            return elf_strptr(elf, head->sh_link, dyn.d_un.d_val);
    return NULL;
}

static void look_at_dynamic(struct walk *w, Elf *elf, Elf_Scn *scn, const GElf_Shdr *head,
                            const char *by, const char *origin)
{
    Elf_Data *data = elf_getdata(scn, NULL);
    const char *name, *own;
    size_t at = 0, again = 0;

    if (!data)
        return;
    own = dynamic_string(elf, head, data, DT_RUNPATH, &at);
    at = 0;
    if (!own)
        own = dynamic_string(elf, head, data, DT_RPATH, &at);
    while ((name = dynamic_string(elf, head, data, DT_NEEDED, &again)))
        meet(w, name, by, own, origin);
}

// Reads only the necessary parts, because some of these files have gigabytes.
static void look_at(struct walk *w, const char *file, const char *by)
{
    const char *slash = strrchr(file, '/');
    const char *origin = slash ? hd_arena_strndup(w->arena, file, (size_t)(slash - file)) : ".";
    int fd = open(file, O_RDONLY | O_CLOEXEC);
    GElf_Shdr head;
    Elf *elf;

    if (fd < 0)
        return;
    elf_version(EV_CURRENT);
    elf = elf_begin(fd, ELF_C_READ, NULL);
    for (Elf_Scn *scn = elf_kind(elf) == ELF_K_ELF ? elf_nextscn(elf, NULL) : NULL; scn;
         scn = elf_nextscn(elf, scn))
        if (gelf_getshdr(scn, &head) && head.sh_type == SHT_DYNAMIC)
            look_at_dynamic(w, elf, scn, &head, by, origin);
    elf_end(elf);
    close(fd);
}

struct hd_kernellibs_use *hd_kernellibs_of(struct hd_arena *a, const char *file, const char *path,
                                           size_t *n)
{
    struct walk w = {.arena = a, .path = path};

    look_at(&w, file, "");
    for (size_t i = 0; i < w.n; i++) // the list grows meanwhile
        if (w.list[i].at)
            look_at(&w, w.list[i].at, w.list[i].name);
    *n = w.n_uses;
    return w.uses;
}

const char *hd_kernellibs_why(const char *name)
{
    return !strncmp(name, "cuFFT", strlen("cuFFT"))
               ? "it asks for private tables of NVIDIA's driver"
               : "NVIDIA's libraries contain NVIDIA's runtime, which checks that the driver is "
                 "NVIDIA's";
}

void hd_kernellibs_tell(struct hd_diag *d, const char *path, const char *how,
                        const struct hd_kernellibs_use *uses, size_t n)
{
    char list[HD_DIAG_TEXT / 2] = "";
    const char *why = hd_kernellibs_why(uses[0].name);
    size_t at = 0;

    for (size_t i = 1; i < n; i++) // cuFFT's reason only if all are cuFFT
        if (strncmp(uses[i].name, "cuFFT", strlen("cuFFT")) != 0)
            why = hd_kernellibs_why(uses[i].name);
    for (size_t i = 0; i < n && at < sizeof list; i++)
        at += (size_t)snprintf(list + at, sizeof list - at, "%s%s (%s%s%s)", i ? ", " : "",
                               uses[i].name, uses[i].file, *uses[i].by ? ", for " : "", uses[i].by);
    hd_diag_hint(hd_diag_add(d, path, 0, 0, "%s %s%s, which cannot run here: %s", how, list,
                             at < sizeof list ? "" : " ...", why),
                 HD_KERNELLIBS_HINT, n > 1 ? "them" : "it");
}
