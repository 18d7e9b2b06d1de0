# krow: `make run` and `make test` do everything on a fresh Debian machine. Meson does the building.

PREFIX ?= /usr/local
BUILD := build/release
MESON_RELEASE := -Doptimization=2 -Ddebug=true -Db_ndebug=true

.PHONY: all build run test test-long bench book engine-book install format lint clean help

all: build

help:
	@echo 'make run        build krow and start the web board'
	@echo 'make test       all tests, sanitizers and checks of the code (a few minutes)'
	@echo 'make test-long  the same tests with far more steps, and hours of fuzzing (FUZZ_SECONDS=600 a target)'
	@echo 'make build      build/release/krow'
	@echo 'make bench      speed, and the functional signature'
	@echo 'make book       rebuild the opening table of Connect Four with the solver (takes long)'
	@echo 'make engine-book  rebuild the opening book of the engine with the engine (takes long, resumes)'
	@echo 'make install    into PREFIX=$(PREFIX), below DESTDIR if given'
	@echo 'make format     clang-format on every source'
	@echo 'make lint       the checks of the code alone'
	@echo 'make clean      removes build/'

build:
	@tools/setup build
	@tools/configure $(BUILD) $(MESON_RELEASE)
	@ninja -C $(BUILD) --quiet krow

# Where there is no browser, the address is printed all the same.
run: build
	@echo 'In the terminal:  $(BUILD)/krow play connect6'
	@$(BUILD)/krow serve

test:
	@tools/setup test
	@tools/test

test-long:
	@tools/setup test
	@tools/test long

bench: build
	@$(BUILD)/krow bench

# The old table stays until the new one is whole.
OPENINGS := src/solver/gravity/gravity_openings.def
book: build
	@tools/make-openings $(BUILD)/krow >$(OPENINGS).new || { rm -f $(OPENINGS).new; exit 1; }
	@mv $(OPENINGS).new $(OPENINGS)

# Results so far are stored in build/engine-book.json; without that file it starts from the beginning.
engine-book: build
	@tools/make-engine-book --krow $(BUILD)/krow --write src/engine/book/engine_book.def

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
