"""ctypes lays out and numbers as C does."""

import ctypes
import unittest

from tolk_memory import _library, _raw

from .support import ROOT


class Layout(unittest.TestCase):
    def test_python_and_c_agree(self) -> None:
        lines = (ROOT / "bindings/layout.txt").read_text().splitlines()[1:]
        self.assertGreater(len(lines), 200)
        constants = {"TOLK_" + name: value for name, value in self.members()}
        for line in lines:
            with self.subTest(line):
                what, name, *numbers = line.split()
                if what == "constant":
                    self.assertEqual(self.constant(name, constants), int(numbers[0]))
                elif what == "sizeof":
                    self.assertEqual(ctypes.sizeof(getattr(_raw, name)), int(numbers[0]))
                else:
                    self.field(getattr(_raw, name), *numbers)

    def members(self):
        for kind in vars(_raw).values():
            if isinstance(kind, type) and issubclass(kind, _raw.IntEnum) and kind is not _raw.IntEnum:
                prefix = {"FaultKind": "FAULT_"}.get(kind.__name__, kind.__name__.upper() + "_")
                for member in kind:
                    yield member.name, int(member)
                    yield prefix + member.name, int(member)

    def constant(self, name, constants):
        return getattr(_raw, name) if hasattr(_raw, name) else constants[name]

    def field(self, record, name, offset, size) -> None:
        field = getattr(record, name if hasattr(record, name) else name + "_")
        self.assertEqual((field.offset, field.size), (int(offset), int(size)))

    def test_what_the_loader_knows_by_itself(self) -> None:
        self.assertEqual(_library._ABI, _raw.TOLK_ABI_VERSION)
        self.assertEqual(_library._FORKED, _raw.StatusCode.ERR_FORKED)

    def test_init_sets_the_size(self) -> None:
        for name, record in vars(_raw).items():
            if hasattr(record, "init"):
                self.assertEqual(record.init().struct_size, ctypes.sizeof(record), name)


if __name__ == "__main__":
    unittest.main()
