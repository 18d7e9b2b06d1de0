#!/usr/bin/env python3
"""Runs the examples of the documents and docstrings, and the tutorial in its short version."""
import doctest
import importlib
import os
import pkgutil
import subprocess
import sys
import tempfile
import unittest

import krow

SOURCE = os.environ["KROW_SOURCE"]
DOCUMENT = os.path.join(SOURCE, "docs/python.md")


def modules():
    names = [info.name for info in pkgutil.iter_modules(krow.__path__) if info.name != "_binding"]
    return [krow, *(importlib.import_module("krow." + name) for name in names)]


class ExamplesTest(unittest.TestCase):
    def test_docstrings(self):
        tried = 0
        for module in modules():
            result = doctest.testmod(module, globs={**vars(krow), **vars(module)})
            self.assertEqual(result.failed, 0, module.__name__)
            tried += result.attempted
        self.assertGreater(tried, 20)

    def test_document(self):
        with open(DOCUMENT, encoding="utf-8") as file:
            text = file.read().replace("```", "")  # a fence would be expected output
        test = doctest.DocTestParser().get_doctest(text, {}, "docs/python.md", DOCUMENT, 0)
        self.assertGreater(len(test.examples), 30)
        self.assertEqual(doctest.DocTestRunner().run(test).failed, 0)

    def test_engine_of_the_document(self):
        """The listing in the document is an engine."""
        with open(DOCUMENT, encoding="utf-8") as file:
            listing = file.read().split("another:\n\n", 1)[1].split("\n\n`choose`", 1)[0]
        with tempfile.TemporaryDirectory() as folder:
            program = os.path.join(folder, "mine.py")
            with open(program, "w", encoding="utf-8") as file:
                file.write("\n".join(line[4:] for line in listing.splitlines()) + "\n")
            done = subprocess.run([sys.executable, program], input="START 15\nBEGIN\nEND\n", text=True, capture_output=True,
                                  check=True)
        self.assertRegex(done.stdout, r"^OK\n\d+,\d+\n$")

    def test_tutorial(self):
        """The tutorial checks by itself that its agents have learned."""
        done = subprocess.run([sys.executable, os.path.join(SOURCE, "python/examples/learn.py"), "--quick"], text=True,
                              capture_output=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("both agents have learned", done.stdout)

    def test_docstrings_and_hints_are_complete(self):
        """Everything public has a docstring, and its functions have type hints."""
        for name in krow.__all__:
            thing = getattr(krow, name)
            if not callable(thing) or issubclass(thing, Exception) if isinstance(thing, type) else not callable(thing):
                continue
            self.assertTrue(thing.__doc__, name)
            members = vars(thing).items() if isinstance(thing, type) else [(name, thing)]
            for member, function in members:
                function = getattr(function, "fget", function)
                if callable(function) and (not member.startswith("_") or member == "__init__") and hasattr(
                        function, "__code__") and "<string>" not in function.__code__.co_filename:
                    self.assertIn("return", function.__annotations__, f"{name}.{member}")
                    self.assertTrue(function.__doc__ or member == "__init__", f"{name}.{member}")


if __name__ == "__main__":
    unittest.main()
