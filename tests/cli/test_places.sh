#!/usr/bin/env bash
# Where results go is checked before anything runs: an output takes the place of no input and of no
# other output, under whatever name, and can be written.
. tests/shared/cases.sh
heddle=$(realpath "$heddle")
cp -r workloads/kernels/vecadd "$work/v"
cd "$work" || exit 1
chmod -R u+w v
printf 'include = gtx480.ini\n' >m.ini
ln -s v/A.bin link.bin
ln v/A.bin hard.bin
ln -s unborn dangling
j=v/vecadd.job
find v -type f -exec cksum {} + | sort >before

kept() { # NAME MESSAGE WORD...
    local name=$1 message=$2
    shift 2
    case_is "$name" 2 "err:$message" "no:CYCLES" -- "$heddle" "$@"
}
kept "the job" "--json would overwrite $j, the job itself" run "$j" --json "$j"
kept "its module, spelt otherwise" "--csv would overwrite v/../v/vecadd.ptx, a module" \
    run "$j" --csv v/../v/vecadd.ptx
kept "its registers" "--json would overwrite v/vecadd.regs" run "$j" --json v/vecadd.regs
kept "a buffer's file through a link" "--json would overwrite link.bin" run "$j" --json link.bin
kept "and through a second name" "--json would overwrite hard.bin" run "$j" --json hard.bin
kept "the machine" "--csv would overwrite m.ini, a file of the machine" run "$j" --gpu m.ini --csv m.ini
kept "expected results, of a line of records" "--timeline would overwrite v/C.expect" \
    run "$j" --timeline v/C.expect
kept "a job of a comparison" "--csv would overwrite $j" compare "$j" --sched lrr,gto --csv "$j"
kept "a machine of a comparison" "--json would overwrite m.ini" \
    compare "$j" --sched lrr,gto --gpu gtx480,m.ini --json m.ini
kept "the job of an annotation" "--json would overwrite $j" annotate "$j" --json "$j"

{ grep -v '^ptx' "$j" && echo "ptx vecadd.ptx" && echo "dump A 400 A.bin"; } >v/d.job
kept "a dump over its own buffer" "v/d.job:9:12: error: a dump of the job would overwrite v/A.bin" \
    run v/d.job --out v
case_is "a dump elsewhere" 0 "out:verified" -- "$heddle" run v/d.job --out new
rm -r v/d.job new

kept "two results in one file" "--json and --csv both go to x" run "$j" --json x --csv ./x
# Messages name a file whole, however deep its folder lies.
deep=$(printf '%0120d/%0120d' 1 2)
mkdir -p "$deep"
kept "two results in one file of a deep folder" "--json and --csv both go to $deep/x" \
    run "$j" --json "$deep/x" --csv "$deep/x"
kept "no folder in a deep one" "--json: cannot write $deep/none/x: No such file or directory" \
    run "$j" --json "$deep/none/x"
kept "a job that is not there, in a deep folder" "$deep/none.job: No such file or directory" run "$deep/none.job"
kept "through a link to nothing yet" "--json and --csv both go to dangling" \
    run "$j" --json dangling --csv unborn
kept "a page and a table" "--html and --markdown both go to x" paper lfws --html x --markdown ./x
case_is "a device takes everything" 0 "out:verified" -- \
    "$heddle" run "$j" --json /dev/null --csv /dev/null
to_same() { "$heddle" run "$j" --json same >same; }
case_is "standard output is a file too" 2 "err:--json and standard output both go to same" -- to_same

for option in --json --csv --timeline --record --db; do
    kept "no folder for $option" "$option: cannot write none/x" run "$j" "$option" none/x.trace
done
for option in --html --plot --json --csv --db; do
    kept "no folder for $option of a comparison" "$option: cannot write none/x" \
        compare "$j" --sched lrr,gto "$option" none/x.svg
done
for option in --json --csv --html --db; do
    kept "a figure's name for $option" "$option ./f-ipc.svg may be the name of a figure of --plot f.svg" \
        compare "$j" --sched lrr,gto --plot f.svg $option ./f-ipc.svg
done
kept "a figure's name for a page of Markdown" "--markdown f-fig4.svg may be the name of a figure" \
    paper lfws --plot f.svg --markdown f-fig4.svg
kept "no folder for a page of Markdown" "--markdown: cannot write none/x" paper lfws --markdown none/x
kept "a kind of figure that is not drawn" "x.png: what kind of figure?" \
    compare "$j" --sched lrr,gto --plot x.png
kept "a file where a folder must be" "--out v/A.bin: cannot write there: Not a directory" \
    run "$j" --out v/A.bin
kept "a job has no sizes" "--size: a job has one input, written in its lines: vecadd" \
    compare vecadd scan --sched lrr,gto --size test
kept "a workload that does not exist" "there is no workload 'nope'" compare vecadd nope --sched lrr,gto
case_is "figures without gnuplot" 2 "err:--plot: figures are drawn by gnuplot, which is missing" "no:CYCLES" -- \
    env PATH=/nowhere "$heddle" compare "$j" --sched lrr,gto --plot x.svg
find v -type f -exec cksum {} + | sort >after
same "nothing that is read was touched" before after
finish
