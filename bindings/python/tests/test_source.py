"""The sources are of the Python that the package promises."""

import ast
import unittest

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


if __name__ == "__main__":
    unittest.main()
