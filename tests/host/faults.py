"""Python's faulthandler and signal handlers: faults.py before|after crash|handlers."""
import ctypes
import faulthandler
import os
import signal
import sys
import tempfile

when, what = sys.argv[1:]
seen = []


def install():
    if what == "crash":
        faulthandler.enable()
        return
    faulthandler.register(signal.SIGUSR1, file=dump)
    for number in (signal.SIGINT, signal.SIGPIPE, signal.SIGPROF):
        signal.signal(number, lambda n, frame: seen.append(n))


dump = tempfile.TemporaryFile()
if when == "before":
    install()
import tolk
if when == "after":
    install()
assert tolk.plan()[0] == 0
if what == "crash":
    ctypes.string_at(4096)
for number in (signal.SIGINT, signal.SIGPIPE):
    os.kill(os.getpid(), number)
os.kill(os.getpid(), signal.SIGUSR1)
signal.setitimer(signal.ITIMER_PROF, 0.001, 0.001)
while seen.count(signal.SIGPROF) < 20:
    assert tolk.plan()[0] == 0
signal.setitimer(signal.ITIMER_PROF, 0)
assert signal.SIGINT in seen and signal.SIGPIPE in seen, seen
dump.seek(0)
assert b"faults.py" in dump.read()
assert tolk.plan()[0] == 0
print("ok")
