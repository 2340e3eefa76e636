//! Texts in and out.

use tolk_memory::{plan_text, Error, Graph, Status};

const TEXT: &str = r#"{"tolk_schedule": 1, "name": "two", "storage": [
    {"device": "GPU", "dtype": "int8", "count": 256},
    {"device": "GPU", "dtype": "int8", "count": 512, "held": true}],
  "entries": [{"call": {"body": "program", "args": [0, 1]}}]}"#;

#[test]
fn a_schedule_there_and_back() -> Result<(), Error> {
    let graph = Graph::new()?;
    let read = graph.read_schedule(TEXT)?;
    assert_eq!((&read.name[..], read.storage.len()), ("two", 2));
    assert_eq!(read.held, read.storage[1..]);
    assert_eq!(graph.taken(graph.source(read.schedule, 0)?)?, read.storage);
    let text = graph.write_schedule(read.schedule, &read.name, &read.held)?;
    let again = graph.read_schedule(&text)?;
    assert_eq!(graph.write_schedule(again.schedule, "two", &again.held)?, text);
    assert_eq!(graph.read_schedule(&graph.write_schedule(read.schedule, "", &[])?)?.name, "");

    let plan = graph.plan(read.schedule, &read.held)?;
    assert_eq!(graph.write_plan(&plan)?, plan_text(TEXT)?);
    assert_eq!(Graph::new()?.write_plan(&plan).unwrap_err().status(), Status::InvalidOp);
    Ok(())
}

#[test]
fn a_text_that_is_wrong() -> Result<(), Error> {
    let graph = Graph::new()?;
    let wrong = TEXT.replace("\"int8\", \"count\": 512", "\"int7\", \"count\": 512");
    for error in [graph.read_schedule(&wrong).unwrap_err(), plan_text(&wrong).unwrap_err()] {
        assert!(error.status() == Status::Parse && error.message().contains("line 3"), "{:?}", error);
    }
    assert_eq!(graph.op_count()?, 0);
    assert_eq!(plan_text("").unwrap_err().status(), Status::Parse);
    Ok(())
}

#[test]
fn names_of_any_text() -> Result<(), Error> {
    let graph = Graph::new()?;
    let odd = TEXT.replace("GPU", "\\ud800\\u00e9 é 漢");
    match graph.read_schedule(&odd) {
        Ok(read) => assert_eq!(graph.devices(read.storage[0])?.len(), 1),
        Err(error) => assert_eq!(error.status(), Status::Parse),
    }
    let read = graph.read_schedule(&TEXT.replace("GPU", "é 漢"))?;
    assert_eq!(graph.devices(read.storage[0])?, ["é 漢"]);
    let plan = graph.plan(read.schedule, &[])?;
    assert_eq!(plan.arenas()[0].devices().next(), Some("é 漢"));
    Ok(())
}
