//! Threads: what the types allow, and that it works.

use std::thread;

use tolk_memory::{
    Arena, Batch, Bind, Cancel, Dtype, Error, Graph, Lifetime, Op, Placed, Placer, Plan, PlanOptions, Storage, Tlsf,
};

fn is_send<T: Send>() {}
fn is_sync<T: Sync>() {}

#[test]
fn what_the_types_allow() {
    is_send::<Graph>();
    is_sync::<Graph>();
    is_send::<Plan>();
    is_sync::<Plan>();
    is_send::<Cancel>();
    is_sync::<Cancel>();
    is_send::<Tlsf>();
    is_sync::<Tlsf>();
    is_send::<Storage>();
    is_sync::<Storage>();
    is_send::<Batch>();
    is_sync::<Batch>();
    is_send::<Error>();
    is_sync::<Error>();
    is_send::<Op>();
    is_sync::<Op>();
    is_send::<&[Arena]>();
    is_send::<&[Placed]>();
    is_send::<&[Bind]>();
    is_send::<Lifetime>();
}

/// A schedule of its own for each thread, over storage that all share.
fn build(graph: &Graph, shared: Op, thread: u64) -> Result<Op, Error> {
    let body = graph.program("step", thread, &[])?;
    let row = Storage::new(Dtype::Float32, 64 * (1 + thread), "GPU")?;
    let mut last = shared;
    let mut calls = Vec::new();
    for _ in 0..200 {
        let next = graph.buffer(&row)?;
        calls.push(graph.call(body, &[next, last])?);
        last = next;
    }
    graph.linear(&calls)
}

#[test]
fn many_build_and_plan_in_one_graph() -> Result<(), Error> {
    let graph = Graph::new()?;
    let shared = graph.param(&Storage::new(Dtype::Float32, 64, "GPU")?)?;
    let plans: Vec<Plan> = thread::scope(|scope| {
        let work = |thread| graph.plan(build(&graph, shared, thread).unwrap(), &[]).unwrap();
        let threads: Vec<_> = (0..8).map(|i| scope.spawn(move || work(i))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    graph.check()?;
    drop(graph);
    for (i, plan) in plans.iter().enumerate() {
        assert_eq!(plan.totals().after, 2 * 256 * (1 + i as u64));
        plan.verify()?;
    }
    Ok(())
}

#[test]
fn many_read_one_plan() -> Result<(), Error> {
    let graph = Graph::new()?;
    let shared = graph.param(&Storage::new(Dtype::Float32, 64, "GPU")?)?;
    let plan = graph.plan(build(&graph, shared, 0)?, &[])?;
    drop(graph);
    let sum = |binds: &[Bind]| binds.iter().map(|bind| bind.offset() + bind.bytes()).sum::<u64>();
    let sums: Vec<u64> = thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| sum(plan.binds()))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(sums, [sum(plan.binds()); 4]);
    Ok(())
}

#[test]
fn errors_belong_to_their_thread() {
    thread::scope(|scope| {
        for i in 1..5u64 {
            scope.spawn(move || {
                let graph = Graph::new().unwrap();
                for _ in 0..200 {
                    let error = graph.range(graph.constant(-(i as i64)).unwrap(), 0, 0).unwrap_err();
                    assert!(error.message().contains(&format!("-{}", i)), "{}", error);
                }
            });
        }
    });
}

#[test]
fn another_thread_stops_a_search() -> Result<(), Error> {
    let graph = Graph::new()?;
    let body = graph.program("step", 0, &[])?;
    let buffers = (0..200u64)
        .map(|i| graph.buffer(&Storage::new(Dtype::Int8, 1000 + i * 7919 % 100_003, "GPU")?))
        .collect::<Result<Vec<_>, _>>()?;
    let calls = (0..200usize)
        .map(|i| graph.call(body, &[buffers[i], buffers[i * 31 % 200], buffers[i * 17 % 200], buffers[i * 7 % 200]]))
        .collect::<Result<Vec<_>, _>>()?;
    let schedule = graph.linear(&calls)?;
    let cancel = Cancel::new()?;
    let plan = thread::scope(|scope| {
        scope.spawn(|| cancel.request().unwrap());
        graph.plan_with(schedule, &[], PlanOptions::new().placer(Placer::Best).effort(1 << 40).cancel(&cancel))
    })?;
    plan.verify()
}

#[test]
fn an_allocator_moves_between_threads() -> Result<(), Error> {
    let mut tlsf = Tlsf::new(1 << 16)?;
    let first = tlsf.alloc(64, 1)?;
    let mut tlsf = thread::spawn(move || {
        tlsf.free(first.unwrap()).unwrap();
        tlsf
    })
    .join()
    .unwrap();
    assert_eq!(tlsf.alloc(64, 1)?, first);
    Ok(())
}
