"""Parboil: the `cuda` and `cuda_base` versions with made inputs; each output is compared with that of the CPU version."""
import glob
import math
import os
import struct
import subprocess

import inputs
from runner import Program

AT = "src/cuda/parboil"
TITLE, SOURCE = "Parboil", "accel-sim/gpu-app-collection 52c11fbcc"
# The CPU version, what both read (made below), arguments after that, and whether the output is text.
TABLE = {
    "bfs": ("base", "graph.txt", "", True),
    "cutcp": ("base", "atoms.pqr", "", False),
    "histo": ("base", "histogram.bin", "-- 2", False),
    "lbm": ("cpu", "obstacles.txt", "-- 1", False),
    "mri-q": ("cpu", "mri.bin", "", False),
    "sad": ("base", "frame.bin,frame2.bin", "", False),
    "sgemm": ("base", "a.txt,b.txt,bt.txt", "", True),
    "spmv": ("cpu", "sparse.mtx,vector.bin", "", True),
    "stencil": ("cpu", "volume.bin", "-- 128 32 32 2", False),
    "tpacf": ("base", "sky0.txt,sky1.txt,sky2.txt", "-- -n 2 -p 512", True),
}
NEEDS = {"mri-gridding": "its input, which is fetched elsewhere", "fft": "its input, which is fetched elsewhere"}


def matrix(rows, columns, at):
    return f"{rows} {columns} " + " ".join(f"{at(r, c):.4f}" for c in range(columns) for r in range(rows)) + "\n"


def make_inputs(folder):
    numbers = inputs.Numbers(17)

    def floats(n, scale=1.0):
        return struct.pack(f"<{n}f", *(scale * numbers.unit() for _ in range(n)))

    def b(r, c):
        return ((r * 7 + c * 3) % 11) / 11

    inputs.write(folder, "graph.txt", inputs.rodinia_graph())
    inputs.write(folder, "atoms.pqr", "".join(
        f"ATOM  {i:5d}  C   ALA     1    {numbers.unit() * 20:8.3f}{numbers.unit() * 20:8.3f}{numbers.unit() * 20:8.3f}"
        f" {numbers.unit() - 0.5:6.3f} 1.0\n" for i in range(200)))
    inputs.write(folder, "histogram.bin", struct.pack("<4I", 256, 64, 256, 4096) + struct.pack(
        f"<{256 * 64}I", *(numbers.below(256 * 4096) for _ in range(256 * 64))))
    inputs.write(folder, "obstacles.txt", ("\n".join(["." * 120] * 120) + "\n\n") * 150)
    inputs.write(folder, "mri.bin", struct.pack("<2i", 256, 512) + floats(256) * 3 + floats(512) * 3 + floats(512))
    for name in ("frame.bin", "frame2.bin"):
        inputs.write(folder, name, struct.pack("<2H", 176, 144) + struct.pack(
            f"<{176 * 144}H", *(numbers.below(256) for _ in range(176 * 144))))
    inputs.write(folder, "a.txt", matrix(128, 96, lambda r, c: ((r + c * 5) % 13) / 13))
    inputs.write(folder, "b.txt", matrix(96, 160, b))
    inputs.write(folder, "bt.txt", matrix(160, 96, lambda r, c: b(c, r)))
    inputs.write(folder, "sparse.mtx", inputs.matrix_market(values=True))
    inputs.write(folder, "vector.bin", floats(256))
    inputs.write(folder, "volume.bin", floats(128 * 32 * 32))
    for i in range(3):
        inputs.write(folder, f"sky{i}.txt", "".join(
            f"{numbers.unit() * 360:.6f} {numbers.unit() * 180 - 90:.6f}\n" for _ in range(512)))


def values(path, text):
    with open(path, "rb") as f:
        data = f.read()
    if text:
        return [float(w) for w in data.split()]
    return list(struct.unpack(f"<{len(data) // 4}f", data[:len(data) // 4 * 4]))


def compared(ours, cpu, text):
    with open(ours, "rb") as f, open(cpu, "rb") as g:
        if f.read() == g.read():
            return "output is that of the CPU version, byte for byte"
    a, b = values(ours, text), values(cpu, text)
    most = max((abs(v) for v in b if math.isfinite(v)), default=0)
    bad = sum(not abs(v - w) <= 0.01 * max(abs(w), 0.001 * most) for v, w in zip(a, b))
    return f"output is that of the CPU version to a hundredth: {len(a)} values" if len(a) == len(b) and not bad else \
        f"output is not that of the CPU version: {bad} of {len(b)} values differ"


def programs(suite):
    folder = os.path.join(suite, AT)
    found = [Program(name, needs=why) for name, why in NEEDS.items()]
    for name, (cpu, reads, more, text) in TABLE.items():
        at = f"benchmarks/{name}/src"
        common = f"-I{folder}/common/include -I{folder}/benchmarks/{name}/common_src/convert-dataset"
        options = f"-i {','.join(folder + '/heddle-inputs/' + f for f in reads.split(','))}"
        beside = " ".join(f for f in glob.glob(f"{folder}/benchmarks/{name}/common_src/**/*.c*", recursive=True)
                          if os.path.basename(f) != "test.c")
        for form in ("cuda", "cuda_base"):
            if not os.path.isdir(os.path.join(folder, at, form)):
                continue
            out = f"/tmp/heddle-parboil-{name}-{form}"

            def after(place, out=out, cpu=cpu, name=name, options=options, more=more, text=text):
                done = subprocess.run([place + "/cpu"] + f"{options} -o {out}.cpu {more}".split(), check=False,
                                      cwd=os.path.join(folder, "benchmarks", name, "src", cpu), capture_output=True)
                if done.returncode or not os.path.exists(out) or not os.path.exists(out + ".cpu"):
                    return "the CPU version ended with an error"
                return compared(out, out + ".cpu", text)

            # What others include is no file of its own.
            leave = "for f in $(sed -n 's/^#include \"\\(.*[.]c[cu]\\)\".*/\\1/p' ${F[@]}); do F=(${F[@]/#$f}); done"
            make = f"set -e; shopt -s nullglob; cd ../{cpu}; F=(*.c *.cc); C=(*.cc); {leave}; CXX=gcc; " \
                   f"[ ${{#C[@]}} = 0 ] || CXX='g++ -include iostream -include math.h'; mkdir -p $(dirname $OUT); " \
                   f"$CXX -O2 -w -fpermissive {common} -I. -o $(dirname $OUT)/cpu ${{F[@]}} {beside} " \
                   f"{folder}/common/src/parboil.c -lm -lstdc++; cd ../{form}; F=(*.cu *.c *.cc); {leave}; " \
                   f"$CC -O2 {common} -I. -o $OUT ${{F[@]}} {beside} {folder}/common/src/parboil_cuda.c"
            found.append(Program(f"{name}-{form}", f"{AT}/{at}/{form}", make=make, run=f"{options} -o {out} {more}",
                                 prepare=lambda _at: make_inputs(folder), after=after,
                                 right="output is that of", wrong="output is not that of|CPU version ended"))
    return found
