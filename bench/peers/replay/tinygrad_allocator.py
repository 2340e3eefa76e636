"""tinygrad's allocator of offsets."""
from tinygrad.runtime.support.memory import TLSFAllocator

import workload


def replay(w):
    allocator, offsets, end = TLSFAllocator(w.span, block_size=256, lv2_cnt=32), [0] * len(w.needs), 0
    for event in w.events:
        if event < 0:
            allocator.free(offsets[-1 - event])
        else:
            offsets[event] = allocator.alloc(w.needs[event])
            end = max(end, offsets[event] + w.needs[event])
    return end


workload.report(replay)
