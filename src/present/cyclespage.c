// cyclespage.c - the elements around the data and the script. See cyclespage.h.
#include "present/cyclespage.h"

#include <string.h>

static const char style[] =
#include "page_style.inc"
    ;
static const char script[] =
#include "page_script.inc"
    ;

void hd_cyclespage_style(struct hd_out *o)
{
    hd_out_add(o, style, strlen(style));
}

void hd_cyclespage_add(const char *data, struct hd_out *o)
{
    static const char head[] =
        "<section id=\"cycles\" class=\"cycles\">\n<h2>Where the cycles went</h2>\n"
        "<div id=\"cycles-app\"><p class=\"note\">This part needs JavaScript, which this page has "
        "inside and your browser does not run.</p></div>\n</section>\n"
        "<script type=\"application/json\" id=\"cycles-data\">\n";
    static const char between[] = "\n</script>\n<script>\n";
    static const char foot[] = "</script>\n";

    hd_out_add(o, head, strlen(head));
    hd_out_add(o, data, strlen(data));
    hd_out_add(o, between, strlen(between));
    hd_out_add(o, script, strlen(script));
    hd_out_add(o, foot, strlen(foot));
}
