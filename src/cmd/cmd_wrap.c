// cmd_wrap.c - text for a terminal, in lines of limited width, and text for cells of tables.
#include "cmd/cmd.h"

#include <stdio.h>
#include <string.h>

#define WIDTH 80

// Words of `text` between `indent` blanks and the right edge.
void hd_cmd_wrap_print(const char *text, int indent)
{
    int at = 0;

    for (text += strspn(text, " \n"); *text; text += strspn(text, " \n")) {
        int n = (int)strcspn(text, " \n");
        if (at && indent + at + 1 + n > WIDTH) {
            putchar('\n');
            at = 0;
        }
        at += printf("%*s%.*s", at ? 1 : indent, "", n, text);
        if (at == indent + n) // the first word of a line brought the indent along
            at = n;
        text += n;
    }
    putchar('\n');
}

void hd_cmd_wrap_cell(const char *text)
{
    for (; *text; text++)
        printf("%s%c", *text == '|' ? "\\" : "", *text);
}
