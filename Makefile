# Shortcuts for krow: `make run` and `make test` also install what they need on Debian. Meson builds krow.

PREFIX ?= /usr/local
BUILD := build/release
MESON_RELEASE := -Doptimization=2 -Ddebug=true -Db_ndebug=true

.PHONY: all build run test test-long fuzz-report bench book engine-book windows-engine install format lint clean help

all: build

help:
	@echo 'make run        build krow and start the web board'
	@echo 'make test       run all tests, sanitizers and code checks (a few minutes)'
	@echo 'make test-long  the same with far more steps and hours of fuzzing (FUZZ_SECONDS per target, default 600)'
	@echo 'make fuzz-report  list what the fuzz targets reach, for each target and folder of src'
	@echo 'make build      build build/release/krow and the Python package'
	@echo 'make bench      measure the speed and print the functional signature'
	@echo 'make book       rebuild the opening table of Connect Four with the solver (slow)'
	@echo 'make engine-book  rebuild the opening book of the engine (slow, resumes after an interruption)'
	@echo 'make windows-engine  build the engine alone for Windows, build/windows/pbrain-krow.exe, and try it under wine'
	@echo 'make install    install in PREFIX (default $(PREFIX)), below DESTDIR if set'
	@echo 'make format     format all C files with clang-format'
	@echo 'make lint       run only the code checks'
	@echo 'make clean      remove build/'

build:
	@tools/setup build
	@tools/configure $(BUILD) $(MESON_RELEASE)
	@ninja -C $(BUILD) --quiet krow python-package

# krow serve opens a browser if there is one and prints the address in any case.
run: build
	@echo 'In the terminal:  $(BUILD)/krow play connect6'
	@$(BUILD)/krow serve

test:
	@tools/setup test
	@tools/test

test-long:
	@tools/setup test
	@tools/test long

fuzz-report:
	@tools/setup test
	@tools/fuzz-report

bench: build
	@$(BUILD)/krow bench

# The old table is replaced only when the new one is complete.
OPENINGS := src/solver/gravity/gravity_openings.def
book: build
	@tools/make-openings $(BUILD)/krow >$(OPENINGS).new || { rm -f $(OPENINGS).new; exit 1; }
	@mv $(OPENINGS).new $(OPENINGS)

# Intermediate results are stored in build/engine-book.json; delete this file to start from scratch.
engine-book: build
	@tools/make-engine-book --krow $(BUILD)/krow --write src/engine/book/engine_book.def

windows-engine:
	@tools/setup windows
	@tools/configure build/windows --cross-file=tools/mingw.ini -Dengine_only=true -Doptimization=2 -Ddebug=false -Db_ndebug=true
	@ninja -C build/windows --quiet
	@tools/check-windows-engine build/windows/pbrain-krow.exe

install: build
	@meson configure $(BUILD) -Dprefix=$(PREFIX)
	@meson install -C $(BUILD) --quiet $(if $(DESTDIR),--destdir=$(abspath $(DESTDIR)))

format:
	@tools/setup test
	@tools/format

lint:
	@tools/setup test
	@tools/lint

clean:
	rm -rf build
