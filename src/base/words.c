// words.c - lists of words in one text. See words.h.
#include "base/words.h"

#include <string.h>

bool hd_words_has(const char *words, const char *word)
{
    size_t length = strlen(word), n;

    for (const char *w = words; *(w += strspn(w, HD_WORDS_BETWEEN)); w += n) {
        n = strcspn(w, HD_WORDS_BETWEEN);
        if (n == length && !strncmp(w, word, n))
            return true;
    }
    return false;
}
