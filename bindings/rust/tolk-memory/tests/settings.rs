//! What holds for the whole process: one test, since the tests of a file run at once.

use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::{Arc, Mutex};

use tolk_memory::settings::{self, Setting};
use tolk_memory::{Error, Graph, PlanOptions};

const TEXT: &str = r#"{"tolk_schedule": 1, "storage": [{"device": "GPU", "dtype": "int8", "count": 1000},
    {"device": "GPU", "dtype": "int8", "count": 1000}],
  "entries": [{"call": {"body": "sink", "args": [0]}}, {"call": {"body": "sink", "args": [1]}}]}"#;

#[test]
fn settings_and_the_log() -> Result<(), Error> {
    let graph = Graph::new()?;
    let schedule = graph.read_schedule(TEXT)?.schedule;
    settings::set(Setting::NoMemoryPlanner, 1)?;
    assert_eq!(settings::get(Setting::NoMemoryPlanner)?, 1);
    assert_eq!(graph.plan(schedule, &[])?.arenas().len(), 0);
    assert_eq!(graph.plan_with(schedule, &[], PlanOptions::new().no_memory_planner(false))?.arenas().len(), 1);
    settings::set(Setting::NoMemoryPlanner, 0)?;

    let lines = Arc::new(Mutex::new(Vec::new()));
    let log = lines.clone();
    settings::set_log(move |line| log.lock().unwrap().push(line.to_string()))?;
    graph.plan_with(schedule, &[], PlanOptions::new().debug(1))?;
    settings::set(Setting::Debug, 1)?;
    tolk_memory::plan_text(TEXT)?;
    let line = "memory reduced from 0.00 MB -> 0.00 MB, 2 -> 1 bufs";
    assert_eq!(*lines.lock().unwrap(), [line, line]);

    settings::set_log(|line| panic!("cannot log {:?}", line))?;
    assert_eq!(Arc::strong_count(&lines), 1); // the first log is gone
    let panic = catch_unwind(AssertUnwindSafe(|| graph.plan(schedule, &[]))).unwrap_err();
    assert!(panic.downcast_ref::<String>().unwrap().starts_with("cannot log \"memory reduced"));
    settings::clear_log()?;
    graph.plan(schedule, &[])?;
    settings::set(Setting::Debug, 0)
}
