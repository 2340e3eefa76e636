# make lib    build/libtolk_memory.so and .a
# make tolkplan  build/tolkplan, which plans files, draws and explains plans
# make demo   plan real models from C, and draw one
# make test   all tests; names what it lacks and skips those tests out loud
# make bench  measurements
# make crates build/dist/*.crate, as they are published
# make wheel  build/dist/*.whl, for Python
# make dist   build/dist/libtolk_memory-VERSION-linux-x86_64.tar.gz: the installed tree, the wheel, the crates
# make scale  ten million ops
# make fuzz   ten million calls of the C API at random, and the fuzz targets in Go
# make bindings  write the declarations of other languages anew
# make race   threads under the race detector
# make images the images of the documents; wants Chromium
# make check  formatting, vet, staticcheck, generated files, clean tree

GO ?= go
CC ?= gcc
VERSION := 0.1.0
ABI := 0
PREFIX ?= /usr/local
B := build

LIB := $(B)/libtolk_memory.so.$(VERSION)
ARCHIVE := $(B)/libtolk_memory.a
GO_FILES := $(shell find capi ir planner placement tlsf text -name '*.go' -not -name '*_test.go') go.mod
C_FILES := $(wildcard capi/*.c capi/*.h) include/tolk_memory.h capi/tolk_memory.map

# -s -w: an engine has no use for Go's own debugging tables. -buildvcs, -buildid: equal sources make equal bytes, wherever the checkout is.
export CGO_ENABLED := 1
export CGO_CFLAGS := -O2
SHARED_FLAGS := -Wl,--version-script=$(CURDIR)/capi/tolk_memory.map -Wl,-soname,libtolk_memory.so.$(ABI)

.PHONY: lib tolkplan demo test bench scale fuzz race images bindings crates wheel dist check clean setup

lib: $(LIB) $(ARCHIVE)

$(LIB): $(GO_FILES) $(C_FILES)
	@mkdir -p $(B)
	$(GO) build -trimpath -buildvcs=false -buildmode=c-shared -ldflags "-s -w -buildid= -extldflags '$(SHARED_FLAGS)'" -o $@ ./capi
	@rm -f $(B)/libtolk_memory.so.h $(B)/libtolk_memory.so.*.h $(B)/libtolk_memory.h
	@ln -sf $(notdir $@) $(B)/libtolk_memory.so.$(ABI)
	@ln -sf libtolk_memory.so.$(ABI) $(B)/libtolk_memory.so

$(ARCHIVE): $(GO_FILES) $(C_FILES)
	@mkdir -p $(B)
	$(GO) build -trimpath -buildvcs=false -buildmode=c-archive -ldflags "-s -w -buildid=" -o $@ ./capi
	@rm -f $(B)/libtolk_memory.h

# Static, so that it runs wherever it is copied to.
tolkplan:
	@mkdir -p $(B)
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags "-s -w" -o $(B)/tolkplan ./cmd/tolkplan

clean:
	rm -rf $(B)

# The models are schedules captured from a framework just before planning.
MODELS := $(patsubst tests/data/models/%.json.gz,$(B)/models/%.json,$(wildcard tests/data/models/*.json.gz))

$(B)/models/%.json: tests/data/models/%.json.gz
	@mkdir -p $(@D)
	@gzip -dc $< > $@

$(B)/demo: examples/demo/demo.c include/tolk_memory.h $(LIB)
	$(CC) -std=c99 -O2 -Wall -Wextra -pedantic -Iinclude $< -o $@ -L$(B) -ltolk_memory -Wl,-rpath,'$$ORIGIN'

# tolkplan wants Go modules that the library does without: where they are not to be had, the demo ends before the map.
demo: $(B)/demo $(MODELS)
	$(B)/demo $(MODELS)
	@echo
	@$(MAKE) -s tolkplan && $(B)/tolkplan demo $(B)/models/resnet50_infer_bs8.json -o $(B)/map.html || echo "left out: the map, since tolkplan could not be built"

STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2

setup:
	@scripts/setup.sh

test: setup lib
	$(GO) test ./...

$(B)/bench $(B)/threads: $(B)/%: bench/%.c include/tolk_memory.h $(LIB)
	$(CC) -std=c11 -pthread -D_POSIX_C_SOURCE=200809L -O2 -Wall -Wextra -pedantic -Iinclude $< -o $@ -L$(B) -ltolk_memory -Wl,-rpath,'$$ORIGIN'

# Of the header in C++, where there is a compiler for it.
$(B)/bench_cpp: bench/bench.cpp $(wildcard include/*) $(LIB)
	$(CXX) -std=c++17 -O2 -Wall -Wextra -pedantic -Iinclude $< -o $@ -L$(B) -ltolk_memory -Wl,-rpath,'$$ORIGIN'

bench: $(B)/bench $(B)/threads
	$(GO) test -run '^$$' -bench . -benchtime 3x ./ir ./tlsf ./planner ./text ./placement
	$(B)/bench
	$(B)/threads
	@if command -v $(CXX) >/dev/null; then $(MAKE) -s $(B)/bench_cpp && $(B)/bench_cpp; else echo "left out: bench/bench.cpp, which needs $(CXX)"; fi
	@if command -v python3 >/dev/null; then python3 bench/boundary.py; else echo "left out: bench/boundary.py, which needs python3"; fi
	@if command -v cargo >/dev/null; then cd bindings/rust && $(CARGO) run -q --release --offline --example bench; \
	else echo "skipped: cargo is not installed"; fi
	$(GO) run ./bench/peers
	@if command -v python3 >/dev/null; then PYTHONPATH=bindings/python TOLK_MEMORY_LIBRARY=$(B)/libtolk_memory.so python3 bench/python.py; \
	else echo "skipped: python3 is not installed, which bench/python.py wants"; fi

# The declarations of other languages, from the header.
bindings:
	$(GO) run ./internal/bindgen

# In bindings/rust.
CARGO = TOLK_MEMORY_LIB_DIR=$(abspath $(B)) cargo

crates:
	scripts/crates.sh $(abspath $(B))/dist

wheel: lib
	@mkdir -p $(B)/dist
	TOLK_MEMORY_LIBRARY=$(LIB) python3 bindings/python/backend/tolk_memory_build.py $(B)/dist
# What of wheel and crates cannot be made here is named and left out.
dist:
	scripts/dist.sh $(abspath $(B))/dist $(VERSION)

# Ten million ops, within 8 GiB.
scale: lib
	SCALE=1 $(GO) test -count=1 -timeout 20m -run TestScale -v ./tests

# How many calls the API fuzzer makes, from which seed, and how long each target in Go runs.
FUZZ_CALLS ?= 10000000
FUZZ_SEED ?= 1
FUZZ_TIME ?= 30s

fuzz: lib
	FUZZ_CALLS=$(FUZZ_CALLS) FUZZ_SEED=$(FUZZ_SEED) $(GO) test -count=1 -timeout 2h -run TestFuzzAPI -v ./tests
	@for target in tlsf:FuzzAllocator placement:FuzzPlace placement/verify:FuzzCheck planner:FuzzPlan text:FuzzReadSchedule text:FuzzAnswer \
	  cmd/tolkplan/internal/read:FuzzCSV cmd/tolkplan/internal/read:FuzzJSON cmd/tolkplan/internal/read:FuzzONNX cmd/tolkplan/internal/read:FuzzTFLite; do \
	  $(GO) test -run '^$$' -fuzz "^$${target#*:}\$$" -fuzztime $(FUZZ_TIME) -fuzzminimizetime 100x ./$${target%:*} || exit 1; \
	done

race:
	$(GO) test -race -run 'Threads|ManyBuildAndRead|SlotsAreGivenOnce' ./ir ./planner

images:
	$(GO) test -count=1 -run TestImages ./cmd/tolkplan/internal/picture -args -images $(CURDIR)/docs/images

check:
	@test -z "$$(gofmt -l .)" || { gofmt -l .; echo "run gofmt -w on these"; exit 1; }
	$(GO) vet ./...
	$(GO) run $(STATICCHECK) ./...
	@$(MAKE) -s bindings # stale ones leave the tree unclean
	@test -z "$$(git status --porcelain)" || { git status --short; echo "the tree is not clean"; exit 1; }
