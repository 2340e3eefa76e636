"""What the C boundary costs from Python, through ctypes alone: building, planning and reading a chain of kernels.
Times are the processor's.

    boundary.py [BUFFERS [RUNS [LIBRARY]]]    default 20000 buffers, 5 runs, the library that make lib builds
"""
import ctypes as c
import pathlib
import statistics
import struct
import sys
import time

u32, u64, i64, op = c.c_uint32, c.c_uint64, c.c_int64, c.c_uint64
BUFFER, PROGRAM, CALL, LINEAR, FLOAT32 = 1, 16, 18, 19, 16
REF = 1 << 63
GPU = c.c_char_p(b"CUDA:0")
KERNEL = c.c_char_p(b"kernel")


class Storage(c.Structure):
    _fields_ = [("struct_size", u32), ("dtype", u32), ("count", i64), ("device", c.c_char_p), ("devices", c.c_void_p),
                ("device_count", u64), ("slot", i64), ("has_slot", u32), ("align", u32), ("phase", u32), ("reserved", u32)]


class Desc(c.Structure):
    _fields_ = [("struct_size", u32), ("kind", u32), ("dtype", u32), ("axis_kind", u32), ("sources", c.c_void_p), ("source_count", u64),
                ("storage", c.c_void_p), ("name", c.c_char_p), ("tag", u64), ("value", i64), ("limit", i64)]


class Bind(c.Structure):
    _fields_ = [("entry", u64), ("call", op), ("value", op), ("storage", op), ("offset", i64), ("bytes", i64), ("argument", u32),
                ("shard", u32), ("device", u32), ("arena", u32), ("symbolic", u32), ("reserved", u32)]


# The same for the module struct.
STORAGE, DESC = struct.Struct("IIqQQQqIIII"), struct.Struct("IIIIQQQQQqq")
OFFSET_AND_ARENA = struct.Struct("=32xq20xI8x")  # of a bind
assert (STORAGE.size, DESC.size, OFFSET_AND_ARENA.size) == (c.sizeof(Storage), c.sizeof(Desc), c.sizeof(Bind))


def load(path):
    lib = c.CDLL(path)
    for name, result, *arguments in [
        ("tolk_version", u32),
        ("tolk_unique_num", i64),
        ("tolk_last_error", c.c_char_p),
        ("tolk_graph_create", c.c_int32, c.c_void_p),
        ("tolk_graph_destroy", c.c_int32, c.c_void_p),
        ("tolk_buffer", op, c.c_void_p, c.c_void_p),
        ("tolk_program", op, c.c_void_p, c.c_char_p, u64, c.c_void_p, c.c_size_t),
        ("tolk_call", op, c.c_void_p, op, c.c_void_p, c.c_size_t),
        ("tolk_linear", op, c.c_void_p, c.c_void_p, c.c_size_t),
        ("tolk_build", c.c_int32, c.c_void_p, c.c_void_p, c.c_size_t, c.c_void_p),
        ("tolk_memory_plan_rewrite", c.c_int32, c.c_void_p, op, c.c_void_p, c.c_size_t, c.c_void_p, c.c_void_p, c.c_void_p),
        ("tolk_plan_binds", c.c_int32, c.c_void_p, c.c_void_p, c.c_void_p),
        ("tolk_plan_destroy", c.c_int32, c.c_void_p),
    ]:
        function = getattr(lib, name)
        function.restype, function.argtypes = result, arguments
    return lib


class Bench:
    def __init__(self, lib, buffers):
        self.lib, self.n, self.samples = lib, buffers, {}

    def note(self, what, began, items, item):
        self.samples.setdefault((what, item), []).append((time.process_time_ns() - began) / items)

    def check(self, status):
        if status < 0:
            sys.exit(f"boundary: {self.lib.tolk_last_error().decode()}")

    def run(self):
        self.calls()
        graph = self.new_graph()
        self.build_singly(graph)
        self.check(self.lib.tolk_graph_destroy(graph))
        self.bulk(self.describe_by_fields)
        self.bulk(self.describe_by_packing, self.plan_and_read)

    def new_graph(self):
        graph = c.c_void_p()
        self.check(self.lib.tolk_graph_create(c.byref(graph)))
        return graph

    def calls(self):
        for what, function in (("a call that stays in C", self.lib.tolk_version), ("a call into the library", self.lib.tolk_unique_num)):
            began = time.process_time_ns()
            for _ in range(self.n):
                function()
            self.note(what, began, self.n, "a call")

    def build_singly(self, graph):
        lib, storage, pair = self.lib, Storage(c.sizeof(Storage), FLOAT32, 0, GPU), (op * 2)()
        at, arguments = c.byref(storage), c.byref(pair)
        calls = (op * self.n)()
        body = lib.tolk_program(graph, b"kernel", 0, None, 0)
        began = time.process_time_ns()
        for i in range(self.n):
            storage.count = count_of(i)
            pair[1] = pair[0]
            pair[0] = lib.tolk_buffer(graph, at)
            calls[i] = lib.tolk_call(graph, body, arguments, 2 if i else 1)
        if not lib.tolk_linear(graph, calls, self.n):
            self.check(-1)
        self.note("build, one call an op", began, 2 * self.n, "an op")

    def bulk(self, describe, then=None):
        graph, count = self.new_graph(), 2 * self.n + 2
        began = time.process_time_ns()
        descs, _keep = describe()
        self.note(f"{describe.__doc__}, for building in bulk", began, count, "an op")
        ops = (op * count)()
        began = time.process_time_ns()
        self.check(self.lib.tolk_build(graph, descs, count, ops))
        self.note("build, in bulk", began, count, "an op")
        if then:
            then(graph, ops[count - 1])
        self.check(self.lib.tolk_graph_destroy(graph))

    def sources(self):
        """For each call its body, the buffer that it writes and the one before, as references."""
        sources = (op * (3 * self.n))()
        sources[0::3] = [REF] * self.n
        sources[1::3] = [REF | 1 + 2 * i for i in range(self.n)]
        sources[2::3] = [REF | max(2 * i - 1, 1) for i in range(self.n)]
        return sources, (op * self.n)(*[REF | 2 + 2 * i for i in range(self.n)])

    def describe_by_fields(self):
        """describe by ctypes fields"""
        (sources, calls), storages, descs = self.sources(), (Storage * self.n)(), (Desc * (2 * self.n + 2))()
        at, store, size = c.addressof(sources), c.addressof(storages), c.sizeof(Desc)
        descs[0] = Desc(struct_size=size, kind=PROGRAM, name=KERNEL)
        for i in range(self.n):
            storages[i] = Storage(c.sizeof(Storage), FLOAT32, count_of(i), GPU)
            descs[1 + 2 * i] = Desc(struct_size=size, kind=BUFFER, storage=store + i * c.sizeof(Storage))
            descs[2 + 2 * i] = Desc(struct_size=size, kind=CALL, sources=at + 24 * i, source_count=3)
        descs[-1] = Desc(struct_size=size, kind=LINEAR, sources=c.addressof(calls), source_count=self.n)
        return descs, (sources, calls, storages)

    def describe_by_packing(self):
        """describe by struct.pack"""
        (sources, calls), gpu = self.sources(), c.cast(GPU, c.c_void_p).value
        storages = c.create_string_buffer(
            b"".join([STORAGE.pack(STORAGE.size, FLOAT32, count_of(i), gpu, 0, 0, 0, 0, 0, 0, 0) for i in range(self.n)]))
        at, store, size, pack = c.addressof(sources), c.addressof(storages), DESC.size, DESC.pack
        rows = [pack(size, PROGRAM, 0, 0, 0, 0, 0, c.cast(KERNEL, c.c_void_p).value, 0, 0, 0)]
        for i in range(self.n):
            rows.append(pack(size, BUFFER, 0, 0, 0, 0, store + i * STORAGE.size, 0, 0, 0, 0))
            rows.append(pack(size, CALL, 0, 0, at + 24 * i, 3, 0, 0, 0, 0, 0))
        rows.append(pack(size, LINEAR, 0, 0, c.addressof(calls), self.n, 0, 0, 0, 0, 0))
        return c.create_string_buffer(b"".join(rows)), (sources, calls, storages)

    def plan_and_read(self, graph, schedule):
        plan, binds, count = c.c_void_p(), c.POINTER(Bind)(), c.c_size_t()
        began = time.process_time_ns()
        self.check(self.lib.tolk_memory_plan_rewrite(graph, schedule, None, 0, None, None, c.byref(plan)))
        self.note("plan (tlsf), with all binds", began, self.n, "a buffer")
        began = time.process_time_ns()
        self.check(self.lib.tolk_plan_binds(plan, c.byref(binds), c.byref(count)))
        by_field = 0
        for i in range(count.value):
            bind = binds[i]
            by_field += bind.offset + bind.arena
        self.note("walk the binds by ctypes fields", began, count.value, "a bind")
        began = time.process_time_ns()
        unpacked = 0
        array = (Bind * count.value).from_address(c.addressof(binds.contents))
        for offset, arena in OFFSET_AND_ARENA.iter_unpack(memoryview(array).cast("B")):
            unpacked += offset + arena
        self.note("walk the binds by struct.iter_unpack", began, count.value, "a bind")
        assert by_field == unpacked
        self.check(self.lib.tolk_plan_destroy(plan))


def count_of(i):
    """Elements of buffer i: sizes repeat, as layers do."""
    return 64 + i * 37 % 24 * 1024


def main(buffers=20000, runs=5, library=pathlib.Path(__file__).parent.parent / "build" / "libtolk_memory.so"):
    bench = Bench(load(str(library)), int(buffers))
    for _ in range(int(runs)):
        bench.run()
    print(f"{'from Python':<46}{'median':>9}{'least':>10}  ns, of {runs} runs")
    for (what, item), samples in bench.samples.items():
        print(f"{what:<46}{statistics.median(samples):9.1f}{min(samples):10.1f}  {item}")


main(*sys.argv[1:])
