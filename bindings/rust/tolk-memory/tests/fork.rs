//! A child made by fork().
#![cfg(unix)]

use std::os::raw::c_int;

use tolk_memory::{Error, Graph, Plan, Status, Tlsf};

extern "C" {
    fn fork() -> c_int;
    fn waitpid(child: c_int, status: *mut c_int, options: c_int) -> c_int;
    fn _exit(code: c_int) -> !;
}

const TEXT: &str = r#"{"tolk_schedule": 1, "storage": [{"device": "GPU", "dtype": "int8", "count": 1000}],
  "entries": [{"call": {"body": "sink", "args": [0]}}]}"#;

/// Whether all is as it should be in a child.
fn in_child(graph: Graph, plan: &Plan) -> bool {
    let forked = |error: Error| error.status() == Status::Forked && error.message().contains("fork");
    let refused = Graph::new().map(drop).map_err(forked) == Err(true)
        && graph.constant(1).map_err(forked) == Err(true)
        && Tlsf::new(64).map(drop).map_err(forked) == Err(true);
    drop(graph);
    refused && plan.binds()[0].bytes() == 1000 && plan.arenas()[0].devices().next() == Some("GPU")
}

#[test]
fn a_child_is_told_and_may_read() -> Result<(), Error> {
    let graph = Graph::new()?;
    let plan = graph.plan(graph.read_schedule(TEXT)?.schedule, &[])?;
    // SAFETY: the child touches what it was given and leaves without running what is the parent's.
    let child = unsafe { fork() };
    if child == 0 {
        let code = if in_child(graph, &plan) { 0 } else { 1 };
        unsafe { _exit(code) };
    }
    let mut status = -1;
    // SAFETY: status is a place for the result.
    assert_eq!(unsafe { waitpid(child, &mut status, 0) }, child);
    assert_eq!(status, 0);
    graph.constant(1).map(drop)
}
