"""Children of multiprocessing: processes.py fork|spawn|forkserver|forkserver-preload.

What was loaded before a fork does not work in the child, and says so at once; what a child loads itself works.
"""
import multiprocessing
import os
import sys


def child(queue):
    import tolk
    queue.put(tolk.plan())


def ask(context):
    queue = context.Queue()
    process = context.Process(target=child, args=(queue,))
    process.start()
    answer = queue.get(timeout=60)
    process.join(60)
    assert process.exitcode == 0, process.exitcode
    return answer


if __name__ == "__main__":
    way = sys.argv[1]
    context = multiprocessing.get_context(way.split("-")[0])
    if way == "forkserver-preload":
        os.environ["PYTHONPATH"] = os.path.dirname(os.path.abspath(__file__))
        context.set_forkserver_preload(["tolk"])
    else:
        import tolk
        assert tolk.plan()[0] == 0
    status, text = ask(context)
    if way in ("fork", "forkserver-preload"):
        assert status == -14 and b"made by fork()" in text, (status, text)
    else:
        assert status == 0 and b'"arenas"' in text, (status, text)
    if way != "forkserver-preload":
        assert tolk.plan()[0] == 0
    print("ok")
