//! That plans and graphs give their memory back.

use tolk_memory::{Batch, Dtype, Error, Graph, Placer, PlanOptions, Source, Storage, Tlsf};

/// The memory of this process that is in RAM, bytes; none where the system does not say.
fn resident() -> Option<u64> {
    let pages = std::fs::read_to_string("/proc/self/statm").ok()?;
    Some(pages.split(' ').nth(1)?.parse::<u64>().ok()? * 4096)
}

const CALLS: usize = 500;

/// Builds, plans and drops; the arrays of the plan alone take 100 kB.
fn once(round: u64) -> Result<(), Error> {
    let graph = Graph::new()?;
    let row = Storage::new(Dtype::Float32, 1024, "GPU")?;
    let mut batch = Batch::new();
    let body = batch.program("step", round, &[]);
    let mut last = batch.param(&row);
    let calls: Vec<Source> = (0..CALLS)
        .map(|_| {
            let next = batch.buffer(&row);
            let call = batch.call(body, &[next, last]);
            last = next;
            call
        })
        .collect();
    let schedule = batch.linear(&calls);
    let schedule = graph.build(batch)?.op(schedule);
    let mut told = 0;
    let options = PlanOptions::new().placer(Placer::Best).capacity(&["GPU"], 1 << 30).progress(|_| told += 1);
    let plan = graph.plan_with(schedule, &[], options)?;
    assert_eq!(plan.binds().len(), 2 * CALLS);
    assert!(!graph.write_plan(&plan)?.is_empty());
    assert!(graph.add(schedule, schedule).is_err());
    Tlsf::new(1 << 20)?.alloc(64, 1)?;
    Ok(())
}

#[test]
fn a_thousand_plans_leave_memory_flat() -> Result<(), Error> {
    let rounds = |range: std::ops::Range<u64>| range.into_iter().try_for_each(once);
    rounds(0..200)?; // the collector of Go finds its pace
    let before = match resident() {
        Some(bytes) => bytes,
        None => {
            eprintln!("skipped: there is no /proc/self/statm");
            return Ok(());
        }
    };
    rounds(200..1200)?;
    let grown = resident().unwrap_or(0).saturating_sub(before);
    println!("a thousand plans: {} kB more", grown / 1000);
    assert!(grown < 20 << 20, "{} bytes more", grown);
    Ok(())
}
