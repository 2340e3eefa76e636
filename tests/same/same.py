"""The schedule of README.md, built with the Python package; with the argument "batch", in one batch."""

import sys
from types import SimpleNamespace

import tolk_memory as tm


def make_storage(b):
    """The storage of the schedule, by the names of README.md."""
    return SimpleNamespace(
        weights=b.param("float32", 1024, "GPU:0"),
        disk=b.buffer("uint8", 4096, "DISK:weights"),
        staged=b.buffer("uint8", 4096, "GPU:0"),
        a=b.buffer("float32", 256, "GPU:0", slot=7),
        b=b.buffer("float16", 300, "GPU:0", align=8, phase=6),
        c=b.buffer("float32", 640, "GPU:0"),
        d=b.buffer("bfloat16", 256, "GPU:0", phase=2),
        scratch=b.alloc("int8", 64, "GPU:0"),
        flag=b.buffer("bool", 1, "GPU:0"),
        left=b.buffer("float32", 128, "GPU:0"),
        right=b.buffer("float32", 128, "GPU:1"),
        wide=b.buffer("float32", 512, ["GPU:0", "GPU:1"]),
        empty=b.buffer("float64", 0, "GPU:1"),
        out=b.buffer("float32", 256, "GPU:0"),
    )


def make_schedule(b, v):
    n, sixty_four = b.variable("n", 0, 3), b.const(64)
    i, j = b.range(b.const(4)), b.range(n, axis=1, axis_kind=2)
    at = b.add(b.mul(i, sixty_four), n)

    fuse, copy = b.sink("fuse", 1), b.store("copy", 2)
    matmul, reduce = b.program("matmul", 3, [sixty_four]), b.custom_function("all_reduce", 4)
    inner = b.linear([b.call(matmul, [v.weights])])

    head, chunk = b.bitcast(b.shrink(v.a, 0, 128), "uint8"), b.shrink_at(v.weights, at, 64)
    pair = b.mstack([v.left, v.right])
    second = b.call(fuse, [v.b, head, v.scratch])
    late = b.after(v.c, [second, v.weights])
    swaps = b.linear([b.call(copy, [b.shrink(v.d, 8, 8), v.b])])
    return b.linear([
        b.call(copy, [v.staged, v.disk]),
        b.call(matmul, [v.a, b.bitcast(v.staged, "float32"), n]),
        second,
        b.end(b.linear([b.call(matmul, [v.c, chunk, i]), b.call(fuse, [v.d, v.c])]), [i]),
        b.backedge(b.call(fuse, [v.d, late]), j, v.flag),
        b.call(reduce, [v.wide, pair]),
        b.call(copy, [v.right, b.mselect(v.wide, 1)]),
        b.call(inner, [v.left, v.empty]),
        b.end(b.linear([b.end(b.call(fuse, [v.flag, b.mselect(pair, 1)]), [j]), b.backedge(swaps, i, v.flag)]), [i]),
        b.call(matmul, [v.out, late, b.shrink(v.left, 64, 64)]),
    ])


def main():
    with tm.Graph() as graph:
        builder = graph.batch() if sys.argv[1:] == ["batch"] else graph
        values = make_storage(builder)
        schedule, held = make_schedule(builder, values), builder.shrink(values.out, 0, 16)
        if builder is not graph:
            ops = builder.build()
            schedule, held = ops[schedule], ops[held]
        print(graph.write(schedule, [held], "same"))
        for options in ({}, {"placer": "best", "copies": "apart", "granule": 64}):
            with graph.plan(schedule, [held], **options) as plan:
                plan.verify()
                print(plan.text())


if __name__ == "__main__":
    main()
