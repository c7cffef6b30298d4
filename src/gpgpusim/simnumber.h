// simnumber.h - numbers in GPGPU-Sim's files: decimal, hexadecimal after 0x, octal after 0.
#ifndef HEDDLE_GPGPUSIM_SIMNUMBER_H
#define HEDDLE_GPGPUSIM_SIMNUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// All n bytes of the text must be a number of at most `max`.
bool hd_simnumber_read(const char *text, size_t n, uint64_t max, uint64_t *out);
// The numbers between separators: "4,13,4". Returns how many, at most `most`; 0 if a word is no
// number or if there are more. Blanks around a number are allowed.
unsigned hd_simnumber_list(const char *text, char separator, unsigned most, uint32_t *out);
// "3500.5": thousandths of the number, which has at most three digits other than 0 after its point.
bool hd_simnumber_thousandths(const char *text, size_t n, uint64_t *out);

#endif
