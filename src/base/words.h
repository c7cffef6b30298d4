// words.h - lists of words in one text, as users give them: separated by blanks or commas.
#ifndef HEDDLE_BASE_WORDS_H
#define HEDDLE_BASE_WORDS_H

#include <stdbool.h>

#define HD_WORDS_BETWEEN " ,"

// Is `word` one of them? No list has the empty word.
bool hd_words_has(const char *words, const char *word);

#endif
