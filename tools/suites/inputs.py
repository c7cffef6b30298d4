"""Small inputs for suites whose own are fetched elsewhere, gone, or too large. The same bytes every time."""
import os
import struct


class Numbers:
    """A linear congruential generator: no library's, so that the files never change."""

    def __init__(self, seed=1):
        self.state = seed

    def below(self, n):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % (1 << 64)
        return (self.state >> 33) % n

    def unit(self):
        return self.below(1 << 24) / (1 << 24)


def place(folder, name):
    """Where an input goes: beside what is built."""
    path = os.path.join(folder, "heddle-inputs", name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    return path


def write(folder, name, content):
    path = place(folder, name)
    with open(path, "wb") as f:
        f.write(content if isinstance(content, bytes) else content.encode())
    return path


def edges(nodes, degree, symmetric=False, seed=1):
    """Neighbours and weights of each node: a ring, so that all are reached, and others at random."""
    numbers = Numbers(seed)
    lists = [{} for _ in range(nodes)]
    for i in range(nodes):
        lists[i][(i + 1) % nodes] = 1 + numbers.below(9)
        for _ in range(degree - 1):
            lists[i][numbers.below(nodes)] = 1 + numbers.below(9)
        lists[i].pop(i, None)
    if symmetric:
        for i in range(nodes):
            for j, weight in list(lists[i].items()):
                lists[j][i] = weight
    return [sorted(n.items()) for n in lists]


def rodinia_graph(nodes=1024, degree=6):
    """Of bfs in Rodinia, ISPASS-2009 and Parboil: undirected, nodes, source, edges with a cost, which only some of them read."""
    lists = edges(nodes, degree, True)
    text, start = [f"{nodes}\n"], 0
    for n in lists:
        text.append(f"{start} {len(n)}\n")
        start += len(n)
    return "".join(text) + f"\n0\n\n{start}\n" + "".join(f"{j} 1\n" for n in lists for j, _ in n)


def dimacs(nodes=256, degree=6, symmetric=True):
    lists = edges(nodes, degree, symmetric)
    return f"p sp {nodes} {sum(map(len, lists))}\n" + \
        "".join(f"a {i + 1} {j + 1} {w}\n" for i, n in enumerate(lists) for j, w in n)


def metis(nodes=256, degree=6):
    lists = edges(nodes, degree, True)
    return f"{nodes} {sum(map(len, lists)) // 2}\n" + "".join(" ".join(str(j + 1) for j, _ in n) + "\n" for n in lists)


def matrix_market(nodes=256, degree=6, symmetric=True, values=False):
    lists = edges(nodes, degree, symmetric)
    kind = "real" if values else "pattern"
    return f"%%MatrixMarket matrix coordinate {kind} general\n{nodes} {nodes} {sum(map(len, lists))}\n" + \
        "".join(f"{i + 1} {j + 1}" + (f" {w}.0" if values else "") + "\n" for i, n in enumerate(lists) for j, w in n)


def galois(nodes=256, degree=6, symmetric=True):
    """A graph of LonestarGPU: version, size of an edge's weight, nodes, edges, where each node's end, to where."""
    lists = edges(nodes, degree, symmetric)
    ends, end = [], 0
    for n in lists:
        end += len(n)
        ends.append(end)
    to = [j for n in lists for j, _ in n]
    to += [0] * (len(to) % 2)
    weights = [w for n in lists for _, w in n]
    return struct.pack(f"<4Q{nodes}Q{len(to)}I{len(weights)}I", 1, 4, nodes, end, *ends, *to, *weights)


def floats(n, low=0.0, high=1.0, seed=1, form="%f\n"):
    numbers = Numbers(seed)
    return "".join(form % (low + (high - low) * numbers.unit()) for _ in range(n))


def raw_floats(n, seed=1):
    numbers = Numbers(seed)
    return struct.pack(f"<{n}f", *(numbers.unit() for _ in range(n)))


def pgm(width, height):
    numbers = Numbers(3)
    rows = [" ".join(str(20 + numbers.below(200)) for _ in range(width)) for _ in range(height)]
    return f"P2\n# made\n{width} {height}\n255\n" + "\n".join(rows) + "\n"


def bmp(width, height):
    numbers = Numbers(5)
    line = (width * 3 + 3) // 4 * 4
    pixels = bytes(numbers.below(256) for _ in range(line * height))
    return b"BM" + struct.pack("<IHHI", 54 + len(pixels), 0, 0, 54) + \
        struct.pack("<IiiHHIIiiII", 40, width, height, 1, 24, 0, len(pixels), 0, 0, 0, 0) + pixels


def cfd(elements=192):
    """Of cfd: a ring of elements; for each its area and four neighbours, -2 is the far field, with a normal."""
    numbers, text = Numbers(7), [f"{elements}\n"]
    for i in range(elements):
        around = [(i + 1) % elements, (i - 1) % elements, (i + 7) % elements, -2 if i % 16 == 0 else (i + 11) % elements]
        text.append(f"{0.5 + numbers.unit():.6f} " + " ".join(
            f"{a + 1 if a >= 0 else a} " + " ".join(f"{numbers.unit() - 0.5:.6f}" for _ in range(3)) for a in around) + "\n")
    return "".join(text)
