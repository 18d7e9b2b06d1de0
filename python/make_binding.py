#!/usr/bin/env python3
"""Generates _binding.py, the declarations of libkrow for cffi, from the public headers.

Usage: make_binding.py OUTPUT VERSION LIBRARY... -- HEADER...

The declarations are those of the headers that the library was built with, so the two cannot disagree. The LIBRARY paths
are relative to the package; the first that exists is loaded. The package needs neither a compiler nor the headers.
"""
import pathlib
import re
import sys

import cffi


def declarations(text):
    """The part of a header that cffi understands."""
    text = re.sub(r"//.*", "", text)
    text = re.sub(r"#ifdef __cplusplus\n.*?#endif", "", text, flags=re.S)
    text = re.sub(r"^#.*", "", text, flags=re.M)
    text = re.sub(r"static inline .*?\n}\n", "", text, flags=re.S)
    text = text.replace("KROW_API", "").replace("UINT16_MAX", "65535")
    return re.sub(r"\n\s*\n+", "\n", text)


def ordered(headers):
    """The headers in an order in which each follows those it includes."""
    texts = {path.name: path.read_text(encoding="utf-8") for path in headers}
    done = []

    def add(name):
        if name in done or name not in texts:
            return
        for other in re.findall(r"#include <krow/(.*)>", texts[name]):
            add(other)
        done.append(name)

    for name in sorted(texts):
        add(name)
    return [texts[name] for name in done]


def main():
    output, version, *rest = sys.argv[1:]
    split = rest.index("--")
    libraries, headers = rest[:split], [pathlib.Path(name) for name in rest[split + 1:]]
    ffi = cffi.FFI()
    ffi.set_source("krow._binding", None)
    ffi.cdef("\n".join(declarations(text) for text in ordered(headers)))
    ffi.emit_python_code(output)
    with open(output, "a", encoding="utf-8") as file:
        file.write(f"\nVERSION = {version!r}\nLIBRARIES = {libraries!r}\n")


main()
