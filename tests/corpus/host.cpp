// host.cpp - runs the kernels of one corpus program on the host and prints what they computed.
#include "corpus.h"

#undef printf

corpus_thread *corpus_now;
dim3 corpus_block, corpus_grid, corpus_block_id;

namespace {
struct launch {
    const char *name;
    void (*kernel)(uint32_t *);
    dim3 grid, block;
    unsigned dynamic, words;
};
struct column {
    std::string kind;
    double tolerance;
    int line;
};
const size_t STACK = 256 * 1024;
std::vector<launch> &launches()
{
    static std::vector<launch> all;
    return all;
}
std::vector<corpus_thread> threads;
std::vector<column> columns;
std::map<uint64_t, corpus_meeting> meetings;
std::vector<char> dynamic_shared;
std::string printed;
ucontext_t scheduler;
const launch *running;
std::vector<uint32_t> out;
bool failed; // an assertion
bool moved;  // somebody got on in this round

unsigned volume(dim3 d)
{
    return d.x * d.y * d.z;
}

void thread_main()
{
    running->kernel(out.data());
    corpus_now->ended = true;
    moved = true;
    swapcontext(&corpus_now->context, &scheduler);
}

void run_block(const launch &l)
{
    unsigned n = volume(l.block);
    bool any = true;

    for (auto &t : threads)
        free(t.stack);
    threads.assign(n, corpus_thread());
    meetings.clear();
    for (unsigned i = 0; i < n; i++) {
        corpus_thread &t = threads[i];
        t.id = {i % l.block.x, i / l.block.x % l.block.y, i / l.block.x / l.block.y};
        t.lane = i % 32;
        t.warp = i / 32;
        t.stack = (char *)malloc(STACK);
        t.ended = false;
        getcontext(&t.context);
        t.context.uc_stack.ss_sp = t.stack;
        t.context.uc_stack.ss_size = STACK;
        t.context.uc_link = &scheduler;
        makecontext(&t.context, thread_main, 0);
    }
    for (unsigned still = 0; any; still = moved ? 0 : still + 1) {
        any = moved = false;
        for (auto &t : threads)
            if (!t.ended) {
                any = true;
                corpus_now = &t;
                swapcontext(&scheduler, &t.context);
            }
        if (still > 100000) {
            fprintf(stderr, "%s: threads wait for each other\n", l.name);
            exit(1);
        }
    }
}

void run(const launch &l)
{
    unsigned n = volume(l.grid) * volume(l.block);

    running = &l;
    corpus_grid = l.grid;
    corpus_block = l.block;
    columns.clear();
    out.assign((size_t)n * l.words + 64, 0);
    failed = false;
    dynamic_shared.assign(l.dynamic + 16, 0);
    for (unsigned b = 0; b < volume(l.grid); b++) {
        corpus_block_id = {b % l.grid.x, b / l.grid.x % l.grid.y, b / l.grid.x / l.grid.y};
        run_block(l);
    }
    printf("launch %s %u %u %u %u %u %u %u %u\n", l.name, l.grid.x, l.grid.y, l.grid.z, l.block.x,
           l.block.y, l.block.z, l.dynamic, l.words);
    unsigned words = 0;
    for (auto &c : columns) {
        printf("column %d %s %.9g\n", c.line, c.kind.c_str(), c.tolerance);
        words += c.kind == "u64" || c.kind == "f64" ? 2 : 1;
    }
    if (words != l.words) {
        fprintf(stderr, "%s: %u words in a row of %u\n", l.name, words, l.words);
        exit(1);
    }
    if (failed)
        printf("fails CUDA_ERROR_ASSERT\n");
    for (size_t i = 0; !failed && i < (size_t)n * l.words; i++)
        printf("%x%c", out[i], (i + 1) % l.words ? ' ' : '\n');
}
} // namespace

void corpus_register(const char *name, void (*kernel)(uint32_t *), dim3 grid, dim3 block,
                     unsigned dynamic, unsigned words)
{
    launches().push_back({name, kernel, grid, block, dynamic, words});
}

images corpus_all_images;

// What the harness (test_corpus.c) puts into channel k of image `number`.
static uint64_t image_bits(const corpus_image &i, unsigned number, uint32_t k)
{
    uint32_t r = 1000u * number + k, size = (uint32_t)atoi(i.format + 1), u;

    r = (r ^ r >> 16) * 0x7feb352du;
    r = (r ^ r >> 15) * 0x846ca68bu;
    r ^= r >> 16;
    if (!strcmp(i.format, "f16"))
        return 0x3c00u | (r & 0x83ffu);
    if (i.is_float()) {
        float f = (float)(r >> 20) / 16 - 64;
        memcpy(&u, &f, sizeof u);
        return u;
    }
    return size < 32 ? r & ((1u << size) - 1) : r;
}

void corpus_register_image(unsigned number, const corpus_image &given)
{
    corpus_image *i = new corpus_image(given);
    size_t n = (size_t)i->w * i->rows() * i->slices() * i->channels;

    for (size_t k = 0; k < n; k++)
        i->bits.push_back(image_bits(*i, number + (i->surface ? CORPUS_IMAGES : 0), (uint32_t)k));
    if (i->surface)
        corpus_all_images.s[number] = i;
    else
        corpus_all_images.t[number] = i;
    printf("%s %u %s %s %u %u %u %u %s %s %s %s\n", i->surface ? "surface" : "texture", number,
           i->geometry, i->format, i->channels, i->w, i->h, i->d, i->filter, i->edge,
           i->coordinates, i->read);
}

void corpus_failed(void)
{
    failed = true;
    corpus_now->ended = true;
    moved = true;
    swapcontext(&corpus_now->context, &scheduler);
}

void *corpus_dynamic_shared(void)
{
    return dynamic_shared.data();
}

void corpus_yield(void)
{
    swapcontext(&corpus_now->context, &scheduler);
}

unsigned corpus_block_threads(void)
{
    return volume(corpus_block);
}

corpus_meeting &corpus_warp_meeting(uint32_t mask)
{
    return meetings[(uint64_t)(corpus_now->warp + 1) << 32 | mask];
}

corpus_meeting &corpus_barrier(unsigned id)
{
    return meetings[id];
}

// The round ends when `n` have come: its values stay until the next round ends, for which all who
// read them must have come again.
void corpus_arrive(corpus_meeting &m, unsigned n)
{
    moved = true;
    if (++m.came == n) {
        memcpy(m.done, m.value, sizeof m.done);
        m.came = 0;
        m.round++;
    }
}

const uint64_t *corpus_meet(corpus_meeting &m, unsigned place, uint64_t value, unsigned n)
{
    uint64_t round = m.round;

    m.value[place] = value;
    corpus_arrive(m, n);
    while (m.round == round)
        corpus_yield();
    return m.done;
}

// Columns are what the first thread of a launch writes.
void corpus_column(const char *kind, double tolerance, int line)
{
    if (corpus_now == &threads[0] && volume(corpus_block_id) == 0 && corpus_block_id.x == 0 &&
        corpus_block_id.y == 0 && corpus_block_id.z == 0)
        columns.push_back({kind, tolerance, line});
}

int corpus_printf(const char *format, ...)
{
    char line[1024];
    va_list args;

    va_start(args, format);
    int n = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    printed += line;
    return n;
}

int main()
{
    for (auto &l : launches())
        run(l);
    if (!printed.empty())
        printf("printed %zu\n%s", printed.size(), printed.c_str());
    return 0;
}
