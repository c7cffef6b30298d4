// executable.c - reads ELF files with libelf, and containers with fatbin.c. See executable.h.
//
// Facts about the sections: `.nv_fatbin` holds the containers of whole programs, `__nv_relfatbin`
// those of relocatable units; `.nvFatBinSegment` points to them. In a whole program that was linked
// from relocatable units, `.nv_fatbin` begins with an empty container of the device linker.
#include "fatbin/executable.h"

#include "base/file.h"
#include "fatbin/cubin.h"

#include <gelf.h>
#include <libelf.h>
#include <string.h>

static bool begins(const char *word, const char *with)
{
    return !strncmp(word, with, strlen(with));
}

static void add_container(struct hd_arena *a, struct hd_executable *x, const char *section,
                          unsigned number, const uint8_t *bytes, uint64_t n)
{
    struct hd_fatbin_entry e;
    const char *damage;
    uint64_t at = 0;

    while (hd_fatbin_next(bytes, n, &at, &e, &damage))
        *HD_PUSH(a, x->codes, x->n_codes, x->cap_codes) =
            (struct hd_executable_code){.section = section, .container = number, .entry = e};
    if (damage && !x->damage)
        x->damage = damage;
}

// Reads consecutive containers, each of which begins at a multiple of 8 bytes. Returns their
// number.
static unsigned add_containers(struct hd_arena *a, struct hd_executable *x, const char *section,
                               unsigned number, const uint8_t *bytes, uint64_t n)
{
    unsigned found = 0;

    for (uint64_t at = 0; n - at >= 16;) {
        uint64_t all = hd_fatbin_bytes(bytes + at);
        if (!all) { // padding
            at += n - at < 8 ? n - at : 8;
            continue;
        }
        if (all > n - at) {
            x->damage = "a container is larger than its section";
            break;
        }
        add_container(a, x, section, number + found++, bytes + at, all);
        at += all;
        at += -at & 7;
        at = at < n ? at : n;
    }
    return found;
}

// Reads the names of libraries that the loader must load.
static void read_needed(struct hd_arena *a, struct hd_executable *x, Elf *elf, Elf_Scn *scn,
                        const GElf_Shdr *head)
{
    Elf_Data *data = elf_getdata(scn, NULL);
    size_t n = data && head->sh_entsize ? head->sh_size / head->sh_entsize : 0;
    GElf_Dyn dyn;

    for (size_t i = 0; i < n && i <= INT32_MAX && gelf_getdyn(data, (int)i, &dyn); i++) {
        const char *name =
            dyn.d_tag == DT_NEEDED ? elf_strptr(elf, head->sh_link, dyn.d_un.d_val) : NULL;
        if (name && begins(name, "libcudart.so") &&
            !name[strspn(name, "libcudart.so0123456789")]) // the version is printed
            x->cudart = hd_arena_strndup(a, name, strlen(name));
        x->driver |= name && begins(name, "libcuda.so");
    }
}

// Whether the symbol table defines a function that every program with a runtime calls.
static bool defines_runtime(Elf *elf, Elf_Scn *scn, const GElf_Shdr *head)
{
    Elf_Data *data = elf_getdata(scn, NULL);
    size_t n = data && head->sh_entsize ? head->sh_size / head->sh_entsize : 0;
    GElf_Sym sym;

    for (size_t i = 0; i < n && i <= INT32_MAX && gelf_getsym(data, (int)i, &sym); i++) {
        const char *name = elf_strptr(elf, head->sh_link, sym.st_name);
        if (name && sym.st_shndx != SHN_UNDEF && !strcmp(name, "__cudaRegisterFatBinary"))
            return true;
    }
    return false;
}

// Whether constants of the host's code have the texts of NVIDIA's runtime: it names this error,
// which neither programs nor the driver return.
static bool has_runtime_texts(Elf_Scn *scn)
{
    static const char word[] = "cudaErrorCudartUnloading";
    const Elf_Data *data = elf_rawdata(scn, NULL);

    return data && data->d_buf && memmem(data->d_buf, data->d_size, word, sizeof word);
}

static void read_sections(struct hd_arena *a, struct hd_executable *x, Elf *elf, size_t names)
{
    unsigned containers = 0;
    bool defined = false, code = false, texts = false;

    for (Elf_Scn *scn = elf_nextscn(elf, NULL); scn; scn = elf_nextscn(elf, scn)) {
        GElf_Shdr head;
        const char *name;
        if (!gelf_getshdr(scn, &head) || !(name = elf_strptr(elf, names, head.sh_name)))
            continue;
        if (head.sh_type == SHT_DYNAMIC)
            read_needed(a, x, elf, scn, &head);
        else if (head.sh_type == SHT_SYMTAB)
            defined |= defines_runtime(elf, scn, &head);
        else if (head.sh_type == SHT_PROGBITS && begins(name, ".rodata"))
            texts |= has_runtime_texts(scn);
        else if (head.sh_type == SHT_PROGBITS &&
                 (!strcmp(name, ".nv_fatbin") || !strcmp(name, "__nv_relfatbin"))) {
            const Elf_Data *data = elf_rawdata(scn, NULL);
            code = true;
            if (data && data->d_buf)
                containers += add_containers(a, x, hd_arena_strndup(a, name, strlen(name)),
                                             containers, data->d_buf, data->d_size);
        }
    }
    // A stripped file has no symbols. A program with device code and no library for it contains the
    // runtime; a library does if it has the runtime's texts.
    if (x->cudart)
        x->runtime = HD_RUNTIME_SHARED;
    else if (defined || (code && (texts || (x->program && !x->driver))))
        x->runtime = HD_RUNTIME_STATIC;
}

static bool read_elf(struct hd_arena *a, const char *path, struct hd_executable *x,
                     struct hd_diag *d)
{
    GElf_Ehdr head;
    size_t names;
    Elf *elf;

    elf_version(EV_CURRENT);
    elf = elf_memory((char *)x->bytes, x->n_bytes);
    if (!elf || elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &head) ||
        elf_getshdrstrndx(elf, &names)) {
        hd_diag_add(d, path, 0, 0, "a damaged ELF file: %s", elf_errmsg(-1));
        elf_end(elf);
        return false;
    }
    // If a file ends before its table of sections, libelf behaves as if it had none.
    if (head.e_shoff > x->n_bytes ||
        (uint64_t)head.e_shnum * head.e_shentsize > x->n_bytes - head.e_shoff) {
        hd_diag_add(d, path, 0, 0, "a damaged ELF file: it ends before its table of sections");
        elf_end(elf);
        return false;
    }
    x->x86_64 = gelf_getclass(elf) == ELFCLASS64 && head.e_machine == EM_X86_64;
    x->program = head.e_type == ET_EXEC;
    if (head.e_type == ET_DYN) { // this is a program too, if it names a loader
        size_t n = 0;
        GElf_Phdr part;
        elf_getphdrnum(elf, &n);
        for (size_t i = 0; i < n && gelf_getphdr(elf, (int)i, &part); i++)
            x->program |= part.p_type == PT_INTERP;
    }
    read_sections(a, x, elf, names);
    elf_end(elf);
    return true;
}

static bool is_ptx(const uint8_t *bytes, size_t n)
{
    static const char word[] = ".version";
    size_t at = 0;
    bool comment = false;

    for (; at < n; at++) { // only blanks and comments may come before the word
        uint8_t c = bytes[at];
        if (c == '/' && at + 1 < n && bytes[at + 1] == '/')
            comment = true;
        else if (c == '\n')
            comment = false;
        else if (!comment && c != ' ' && c != '\t' && c != '\r')
            break;
    }
    return n - at >= sizeof word && !memcmp(bytes + at, word, sizeof word - 1);
}

bool hd_executable_read(struct hd_arena *a, const char *path, struct hd_executable *out,
                        struct hd_diag *d)
{
    char err[HD_FILE_WHY];
    size_t n;
    uint8_t *bytes = hd_file_read(a, path, &n, err);

    if (!bytes)
        hd_diag_add(d, NULL, 0, 0, "%s", err);
    return bytes && hd_executable_parse(a, path, bytes, n, out, d);
}

bool hd_executable_parse(struct hd_arena *a, const char *path, uint8_t *bytes, size_t n,
                         struct hd_executable *out, struct hd_diag *d)
{
    *out = (struct hd_executable){.kind = HD_EXECUTABLE_OTHER, .bytes = bytes, .n_bytes = n};
    if (hd_cubin_is(bytes, n)) {
        struct hd_cubin cubin;
        if (!hd_cubin_read(a, bytes, n, &cubin)) {
            hd_diag_add(d, path, 0, 0, "a damaged cubin: it ends before its table of sections");
            return false;
        }
        out->kind = HD_EXECUTABLE_CUBIN;
        *HD_PUSH(a, out->codes, out->n_codes, out->cap_codes) =
            (struct hd_executable_code){.section = "",
                                        .entry = {.kind = HD_FATBIN_SASS,
                                                  .arch = hd_cubin_arch(bytes),
                                                  .payload = bytes,
                                                  .stored = n}};
        return true;
    }
    if (out->n_bytes >= SELFMAG && !memcmp(out->bytes, ELFMAG, SELFMAG)) {
        out->kind = HD_EXECUTABLE_ELF;
        return read_elf(a, path, out, d);
    }
    if (out->n_bytes >= 16 && hd_fatbin_bytes(out->bytes)) {
        out->kind = HD_EXECUTABLE_FATBIN;
        add_containers(a, out, "", 0, out->bytes, out->n_bytes);
    } else if (is_ptx(out->bytes, out->n_bytes)) {
        out->kind = HD_EXECUTABLE_PTX;
    }
    return true;
}
