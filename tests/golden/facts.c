// facts.c - the reviewed numbers of a run: reads the JSON of `heddle run` and prints, line by line,
// what a golden file holds. What is not printed here may change without a golden noticing.
#include <jansson.h>
#include <stdio.h>

static long long number(const json_t *object, const char *key)
{
    return (long long)json_integer_value(json_object_get(object, key));
}

static const char *text(const json_t *object, const char *key)
{
    const char *s = json_string_value(json_object_get(object, key));
    return s ? s : "-";
}

static void print_counts(const json_t *object)
{
    printf(" cycles %lld warp_insts %lld thread_insts %lld\n", number(object, "cycles"),
           number(object, "warp_insts"), number(object, "thread_insts"));
}

int main(int argc, char **argv)
{
    json_error_t error;
    json_t *run = argc == 2 ? json_load_file(argv[1], 0, &error) : NULL;
    const json_t *kernel, *verified;
    size_t i;

    if (!run) {
        fprintf(stderr, "facts: %s\n", argc == 2 ? error.text : "usage: facts RUN.json");
        return 2;
    }
    verified = json_object_get(run, "verified");
    printf("status %s verified %s\n", text(run, "status"),
           json_is_true(verified) ? "true" : (json_is_false(verified) ? "false" : "null"));
    printf("totals");
    print_counts(json_object_get(run, "totals"));
    json_array_foreach(json_object_get(run, "kernels"), i, kernel)
    {
        printf("launch %zu %s", i, text(kernel, "name"));
        print_counts(kernel);
    }
    json_decref(run);
    return 0;
}
