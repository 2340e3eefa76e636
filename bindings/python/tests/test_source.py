"""What the package promises of its sources and its documentation."""

import ast
import contextlib
import io
import re
import textwrap
import unittest

import tolk_memory as tm

from .support import ROOT


class Source(unittest.TestCase):
    def test_the_syntax_is_of_3_9(self) -> None:
        paths = [path for folder in ("bindings/python", "examples/python", "tests/same") for path in (ROOT / folder).rglob("*.py")]
        self.assertGreater(len(paths), 20)
        for path in paths:
            with self.subTest(path.name):
                ast.parse(path.read_text(), path.name, feature_version=(3, 9))

    def test_newer_syntax_is_found(self) -> None:
        with self.assertRaises(SyntaxError):
            ast.parse("match 1:\n    case 1: pass\n", feature_version=(3, 9))


class Documentation(unittest.TestCase):
    def test_the_examples_of_the_readme_print_what_it_says(self) -> None:
        readme = (ROOT / "bindings/python/README.md").read_text()
        planning, placing = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)[:2]
        lines = self.printed(planning + placing).splitlines()
        self.assertEqual(lines[1:3], ["('CUDA:0',) 8192", "entry 0 argument 0: arena 0, byte 4096"])
        self.assertIn("entry 3 argument 0: storage of its own", lines)
        self.assertEqual(lines[-1], placing.rpartition("# ")[2].strip())

    def test_the_example_of_the_package_runs(self) -> None:
        example = re.search(r"\n\n(    import .*?)\n\nWithout ops", tm.__doc__ or "", re.DOTALL)
        self.assertEqual(self.printed(textwrap.dedent(example[1])).splitlines()[0], "('CUDA:0',) 8192")

    def printed(self, program: str) -> str:
        with contextlib.redirect_stdout(io.StringIO()) as out:
            exec(program, {})
        return out.getvalue()


if __name__ == "__main__":
    unittest.main()
