// missing.c - calls of functions that heddle does not have: refused, and said once on stderr.
#include <stdio.h>

extern int cuInit(unsigned);
extern int cuGetExportTable(const void **, const void *);
extern int cuGraphAddBatchMemOpNode(void **, unsigned);

int main(void)
{
    const void *table = NULL;
    void *graph;

    cuInit(0);
    printf("%d %d %d\n", cuGetExportTable(&table, "0123456789abcdef"),
           cuGraphAddBatchMemOpNode(&graph, 0), cuGraphAddBatchMemOpNode(&graph, 0));
    return table != NULL;
}
