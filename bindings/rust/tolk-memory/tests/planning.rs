//! Plans, by hand.

use std::panic::{catch_unwind, AssertUnwindSafe};
use std::time::Duration;

use tolk_memory::{Cancel, Copies, Dtype, Error, Graph, Op, Placer, PlanOptions, Proof, Status, Stop, Storage};

fn bytes(count: u64) -> Storage {
    Storage::new(Dtype::Uint8, count, "GPU").unwrap()
}

/// Calls that each write the next buffer from the last.
fn chain(graph: &Graph, sizes: &[u64]) -> Result<(Op, Vec<Op>), Error> {
    let (body, mut last) = (graph.program("step", 0, &[])?, graph.param(&bytes(16))?);
    let (mut calls, mut buffers) = (Vec::new(), Vec::new());
    for &size in sizes {
        let next = graph.buffer(&bytes(size))?;
        calls.push(graph.call(body, &[next, last])?);
        buffers.push(next);
        last = next;
    }
    Ok((graph.linear(&calls)?, buffers))
}

#[test]
fn a_chain() -> Result<(), Error> {
    // entry  0    1    2
    // a      ==== ====        at 0
    // b           ==== ====   at 256
    // c                ====   at 0
    let graph = Graph::new()?;
    let (schedule, buffers) = chain(&graph, &[200, 256, 100])?;
    let plan = graph.plan(schedule, &[])?;
    plan.verify()?;
    drop(graph); // the plan stays

    assert_eq!(plan.arenas().len(), 1);
    let arena = &plan.arenas()[0];
    assert_eq!((arena.size(), arena.lower_bound(), arena.proven_bound(), arena.peak_entry()), (512, 512, 512, 1));
    assert_eq!((arena.proof(), arena.stopped(), arena.is_of_copies()), (Proof::EqualsBound, Stop::Done, false));
    assert_eq!(arena.devices().collect::<Vec<_>>(), ["GPU"]);
    assert_eq!(arena.live(), [0, 1]);

    let places = plan.places();
    assert_eq!(places.iter().map(|p| p.buffer()).collect::<Vec<_>>(), buffers);
    assert_eq!(places.iter().map(|p| p.block()).collect::<Vec<_>>(), [0..256, 256..512, 0..256]);
    assert_eq!(places.iter().map(|p| p.bytes()).collect::<Vec<_>>(), [0..200, 256..512, 0..100]);
    assert_eq!(places.iter().map(|p| p.lifetime()).collect::<Vec<_>>(), [0..2, 1..3, 2..3]);
    assert!(places.iter().all(|p| p.arena() == 0));

    assert_eq!(plan.entry_count(), 3);
    let binds: Vec<_> =
        plan.entry(1).iter().map(|b| (b.entry(), b.argument(), b.arena(), b.offset(), b.bytes())).collect();
    assert_eq!(binds, [(1, Some(0), Some(0), 256, 256), (1, Some(1), Some(0), 0, 200)]);
    let outside = plan.entry(0)[1];
    assert_eq!((outside.arena(), outside.offset(), outside.device(), outside.is_symbolic()), (None, 0, Some(0), false));
    assert_eq!(plan.entries().map(|binds| binds.len()).collect::<Vec<_>>(), [2, 2, 2]);
    assert_eq!(plan.entries().rev().len(), 3);
    assert_eq!(plan.binds().len(), 6);
    let totals = plan.totals();
    assert_eq!((totals.before, totals.after, totals.lower_bound, totals.optimal), (768, 512, 512, true));
    assert!(format!("{:?}", plan).contains("size: 512"));
    Ok(())
}

#[test]
#[should_panic(expected = "index out of bounds")]
fn an_entry_that_is_none() {
    let graph = Graph::new().unwrap();
    let plan = graph.plan(chain(&graph, &[1, 1]).unwrap().0, &[]).unwrap();
    plan.entry(2);
}

#[test]
fn held_buffers_keep_storage_of_their_own() -> Result<(), Error> {
    let graph = Graph::new()?;
    let (schedule, buffers) = chain(&graph, &[256, 512])?;
    let view = graph.shrink(buffers[1], 0, 8)?;
    let plan = graph.plan(schedule, &[view])?;
    assert_eq!(plan.places().len(), 1);
    assert_eq!(plan.entry(1)[0].storage(), buffers[1]);
    let nothing = graph.plan(schedule, &buffers)?;
    assert_eq!((nothing.schedule(), nothing.arenas().len(), nothing.places().len()), (schedule, 0, 0));
    Ok(())
}

#[test]
fn an_empty_schedule() -> Result<(), Error> {
    let graph = Graph::new()?;
    let plan = graph.plan(graph.linear(&[])?, &[])?;
    assert_eq!((plan.entry_count(), plan.binds().len(), plan.entries().len()), (0, 0, 0));
    plan.verify()
}

#[test]
fn the_flag_of_a_loop_and_a_start_that_is_not_known() -> Result<(), Error> {
    let graph = Graph::new()?;
    let (flag, data) = (graph.buffer(&bytes(1).dtype(Dtype::Bool))?, graph.buffer(&bytes(64))?);
    let range = graph.range(graph.constant(8)?, 0, 0)?;
    let body = graph.call(graph.sink("", 0, &[])?, &[range, graph.shrink_at(data, range, 8)?])?;
    let entry = graph.backedge(body, range, flag)?;
    let plan = graph.plan(graph.linear(&[entry])?, &[])?;
    let binds: Vec<_> = plan.binds().iter().map(|b| (b.argument(), b.is_symbolic(), b.bytes())).collect();
    assert_eq!(binds, [(None, false, 1), (Some(1), true, 8)]);
    Ok(())
}

#[test]
fn storage_on_several_devices() -> Result<(), Error> {
    let graph = Graph::new()?;
    let wide = graph.buffer(&Storage::on_devices(Dtype::Int8, 64, &["A", "B"])?)?;
    let call = graph.call(graph.sink("", 0, &[])?, &[wide, graph.mselect(wide, 1)?])?;
    let plan = graph.plan(graph.linear(&[call])?, &[])?;
    assert_eq!(plan.arenas()[0].devices().collect::<Vec<_>>(), ["A", "B"]);
    assert_eq!(plan.binds().iter().map(|b| b.device()).collect::<Vec<_>>(), [None, Some(1)]);
    assert_eq!(graph.devices(plan.arenas()[0].op())?, ["A", "B"]);
    Ok(())
}

#[test]
fn copies_apart() -> Result<(), Error> {
    let graph = Graph::new()?;
    let (a, b) = (graph.buffer(&bytes(64))?, graph.buffer(&bytes(64))?);
    let copy = graph.call(graph.store("", 0, &[])?, &[a])?;
    let schedule = graph.linear(&[copy, graph.call(graph.sink("", 0, &[])?, &[b])?])?;
    let shared = graph.plan(schedule, &[])?;
    let apart = graph.plan_with(schedule, &[], PlanOptions::new().copies(Copies::Apart))?;
    assert_eq!((shared.arenas().len(), apart.arenas().len()), (1, 2));
    assert_eq!(apart.arenas().iter().filter(|arena| arena.is_of_copies()).count(), 1);
    Ok(())
}

#[test]
fn options() -> Result<(), Error> {
    let graph = Graph::new()?;
    let (schedule, _) = chain(&graph, &[100, 100, 100])?;
    let fine = graph.plan_with(schedule, &[], PlanOptions::new().granule(64))?;
    assert_eq!(fine.totals().after, 256);
    let off = graph.plan_with(schedule, &[], PlanOptions::new().no_memory_planner(true))?;
    assert_eq!(off.schedule(), schedule);
    for placer in [Placer::Tlsf, Placer::Best, Placer::FirstFit, Placer::BestFit] {
        let options = PlanOptions::new().placer(placer).debug(0).effort(1000).time_limit(Duration::from_secs(60));
        assert_eq!(graph.plan_with(schedule, &[], options)?.totals().after, 512);
    }
    let fits = PlanOptions::new().capacity(&["GPU"], 512).capacity(&["none", "of these"], 1);
    assert_eq!(graph.plan_with(schedule, &[], fits)?.totals().after, 512);
    Ok(())
}

#[test]
fn options_that_are_wrong() -> Result<(), Error> {
    let graph = Graph::new()?;
    let (schedule, buffers) = chain(&graph, &[100, 100, 100])?;
    let wrong = |options: PlanOptions<'_>, status: Status, text: &str| {
        let error = graph.plan_with(schedule, &[], options).unwrap_err();
        assert_eq!(error.status(), status, "{}", error);
        assert!(error.message().contains(text), "{}", error);
    };
    wrong(PlanOptions::new().granule(3), Status::InvalidArgument, "granule");
    wrong(PlanOptions::new().effort(u64::MAX), Status::InvalidArgument, "effort");
    wrong(PlanOptions::new().capacity(&["GPU"], 0), Status::InvalidArgument, "capacit");
    wrong(PlanOptions::new().capacity(&["G\0U"], 1), Status::InvalidArgument, "NUL");
    wrong(PlanOptions::new().capacity(&["GPU"], 511), Status::Infeasible, "511");
    assert_eq!(graph.plan(buffers[0], &[]).unwrap_err().status(), Status::WrongKind);
    Ok(())
}

/// Lifetimes that no placer is quick to prove.
fn hard(graph: &Graph) -> Result<Op, Error> {
    let (body, mut seed) = (graph.program("step", 0, &[])?, 12345u64);
    let mut random = |below: u64| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) % below
    };
    let mut arguments = vec![Vec::new(); 60];
    for _ in 0..300 {
        let (buffer, first) = (graph.buffer(&bytes(1 + random(100_000)))?, random(40) as usize);
        arguments[first].push(buffer);
        arguments[first + 1 + random(15) as usize].push(buffer);
    }
    let calls = arguments.iter().map(|list| graph.call(body, list)).collect::<Result<Vec<_>, _>>()?;
    graph.linear(&calls)
}

#[test]
fn progress_is_told() -> Result<(), Error> {
    let graph = Graph::new()?;
    let schedule = hard(&graph)?;
    let mut told = Vec::new();
    let options = PlanOptions::new().placer(Placer::Best).effort(200_000).progress(|now| told.push(now));
    let plan = graph.plan_with(schedule, &[], options)?;
    assert!(!told.is_empty());
    assert!(told.windows(2).all(|pair| pair[1].size <= pair[0].size && pair[1].spent >= pair[0].spent));
    assert!(told.iter().all(|now| now.size >= plan.totals().after && now.bound <= plan.totals().after));
    Ok(())
}

#[test]
fn a_closure_may_call_the_library() -> Result<(), Error> {
    let graph = Graph::new()?;
    let schedule = hard(&graph)?;
    let mut inner = 0;
    let options = PlanOptions::new().placer(Placer::Best).effort(50_000).progress(|_| {
        let (own, _) = chain(&graph, &[256, 256]).unwrap();
        inner = graph.plan(own, &[]).unwrap().totals().after;
    });
    graph.plan_with(schedule, &[], options)?;
    assert_eq!(inner, 512);
    Ok(())
}

#[test]
fn a_search_that_was_cancelled_gives_its_best_so_far() -> Result<(), Error> {
    let graph = Graph::new()?;
    let (schedule, cancel) = (hard(&graph)?, Cancel::new()?);
    let options = PlanOptions::new().placer(Placer::Best).effort(1 << 40).cancel(&cancel);
    let options = options.progress(|_| cancel.request().unwrap());
    let plan = graph.plan_with(schedule, &[], options)?;
    plan.verify()?;
    assert!(plan.totals().optimal || plan.arenas()[0].stopped() == Stop::Cancelled);
    Ok(())
}

#[test]
fn a_panic_of_a_closure_goes_on_where_the_plan_was_asked_for() -> Result<(), Error> {
    let graph = Graph::new()?;
    let schedule = hard(&graph)?;
    let mut calls = 0;
    let options = PlanOptions::new().placer(Placer::Best).effort(200_000).progress(|_| {
        calls += 1;
        panic!("{} is enough", calls);
    });
    let panic = catch_unwind(AssertUnwindSafe(|| graph.plan_with(schedule, &[], options))).unwrap_err();
    assert_eq!(panic.downcast_ref::<String>().unwrap(), "1 is enough");
    assert_eq!(calls, 1);
    graph.plan(schedule, &[])?.verify() // the library is as before
}
