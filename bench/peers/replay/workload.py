"""The input that replay.hpp tells, and the output."""
import array
import collections
import sys
import time

Workload = collections.namedtuple("Workload", "runs span needs events firsts ends")


def read():
    """The workload on standard input; None if there is none."""
    numbers = array.array("q", sys.stdin.buffer.read())
    if not numbers:
        return None
    runs, buffers, events, span = numbers[:4]
    lists, at = [], 4
    for count in (buffers, events, buffers, buffers):
        lists.append(numbers[at : at + count].tolist())
        at += count
    return Workload(runs, span, *lists)


def report(run):
    """Prints the size that run(workload) gives, and the nanoseconds of the processor, once a run."""
    workload = read()
    for _ in range(workload.runs if workload else 0):
        began = time.process_time_ns()
        size = run(workload)
        print(size, time.process_time_ns() - began)
