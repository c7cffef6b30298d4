// heap.cu - malloc and free of device code, memcpy and memset, lists built by threads.
#include "corpus.h"

struct node {
    node *next;
    unsigned value;
};

PROGRAM(corpus, 2, 32, 4)
{
    node *head = 0;
    unsigned n = draw(1) % 6 + 1, sum = 0;

    for (unsigned i = 0; i < n; i++) {
        node *x = (node *)malloc(sizeof(node));
        x->next = head, x->value = draw(2 + i) & 0xffff;
        head = x;
    }
    for (node *x = head; x; x = x->next)
        sum = sum * 3 + x->value;
    U32(sum);
    while (head) {
        node *x = head;
        head = head->next;
        free(x);
    }
    unsigned char *p = (unsigned char *)malloc(100 + n), *q = (unsigned char *)malloc(64);
    memset(p, 0x11 * (int)n, 100);
    for (unsigned i = 0; i < 64; i++)
        q[i] = (unsigned char)(i * n);
    memcpy(p + 10, q, 37);
    U32(p[9] | p[10] << 8 | p[46] << 16 | (unsigned)p[47] << 24), U32(((uintptr_t)p & 15) == 0), U32(p != q);
    free(q);
    free(p);
}
