//! What the bindings cost: building, planning and reading a chain of kernels, as `bench/bench.c` of the library does from C.
//!
//!     bench [BUFFERS]       default 500000, which is a million ops

use std::time::Instant;

use tolk_memory::{Batch, Dtype, Error, Graph, Op, Source, Storage};

fn report(what: &str, start: Instant, items: usize, item: &str) {
    let seconds = start.elapsed().as_secs_f64();
    println!("{:<34} {:9.1} ms {:8.0} ns {}", what, seconds * 1e3, seconds * 1e9 / items as f64, item);
}

/// A chain: kernel i writes buffer i and reads buffer i-1. Sizes repeat, as layers do.
fn count_of(i: usize) -> u64 {
    64 + i as u64 * 37 % 24 * 1024
}

fn build_single(graph: &Graph, row: &Storage, n: usize) -> Result<Op, Error> {
    let start = Instant::now();
    let body = graph.program("kernel", 0, &[])?;
    let (mut calls, mut last) = (Vec::with_capacity(n), None);
    for i in 0..n {
        let next = graph.buffer(&row.clone().count(count_of(i)))?;
        calls.push(match last.replace(next) {
            None => graph.call(body, &[next])?,
            Some(last) => graph.call(body, &[next, last])?,
        });
    }
    let schedule = graph.linear(&calls)?;
    report("build, one call an op", start, 2 * n, "an op");
    Ok(schedule)
}

fn describe(row: &Storage, n: usize) -> (Batch, Source) {
    let start = Instant::now();
    let mut batch = Batch::with_capacity(2 * n + 2, 4 * n);
    let body = batch.program("kernel", 0, &[]);
    let (mut calls, mut last) = (Vec::with_capacity(n), None);
    for i in 0..n {
        let next = batch.buffer(&row.clone().count(count_of(i)));
        calls.push(match last.replace(next) {
            None => batch.call(body, &[next]),
            Some(last) => batch.call(body, &[next, last]),
        });
    }
    let schedule = batch.linear(&calls);
    report("describe, for building in bulk", start, 2 * n, "an op");
    (batch, schedule)
}

fn build_bulk(graph: &Graph, row: &Storage, n: usize) -> Result<Op, Error> {
    let (batch, schedule) = describe(row, n);
    let start = Instant::now();
    let built = graph.build(batch)?;
    report("build, in bulk", start, 2 * n, "an op");
    Ok(built.op(schedule))
}

fn main() -> Result<(), Error> {
    let n = std::env::args().nth(1).map_or(500_000, |n| n.parse().expect("BUFFERS is a number"));
    let row = Storage::new(Dtype::Float32, 0, "CUDA:0")?;
    build_single(&Graph::new()?, &row, n)?;
    let graph = Graph::new()?;
    let schedule = build_bulk(&graph, &row, n)?;

    let start = Instant::now();
    let plan = graph.plan(schedule, &[])?;
    report("plan (tlsf), with all binds", start, n, "a buffer");
    let start = Instant::now();
    let sum: u64 = plan.entries().flatten().map(|bind| bind.offset()).sum();
    report("walk the binds", start, plan.binds().len(), "a bind");
    assert_ne!(sum, 0);
    Ok(())
}
