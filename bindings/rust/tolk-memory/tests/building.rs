//! Building ops, singly and in bulk, and reading them.

use std::error::Error as _;

use tolk_memory::{unique_num, Batch, Dtype, Error, Graph, Kind, Op, Source, Status, Storage};

fn row() -> Storage {
    Storage::new(Dtype::Float32, 64, "CUDA:0").unwrap()
}

/// That it failed so, with a message that says so.
#[track_caller]
fn fails<T: std::fmt::Debug>(result: Result<T, Error>, status: Status, text: &str) {
    let error = result.unwrap_err();
    assert_eq!(error.status(), status, "{}", error);
    assert!(error.message().contains(text), "{:?} does not say {:?}", error.message(), text);
    assert_eq!(error.to_string(), error.message());
    assert!(error.source().is_none());
}

#[test]
fn equal_ops_are_one_op() -> Result<(), Error> {
    let graph = Graph::new()?;
    assert_eq!(graph.constant(3)?, graph.constant(3)?);
    assert_ne!(graph.constant(3)?, graph.constant(4)?);
    assert_ne!(graph.buffer(&row())?, graph.buffer(&row())?);
    assert_eq!(graph.buffer(&row().slot(5))?, graph.buffer(&row().slot(5))?);
    assert_eq!(graph.op_count()?, 5);
    graph.check()
}

#[test]
fn an_op_reads_as_it_was_built() -> Result<(), Error> {
    let graph = Graph::new()?;
    let storage = Storage::on_devices(Dtype::Float16, 64, &["CUDA:0", "CUDA:1"])?.slot(7).align(8).phase(2);
    let buffer = graph.buffer(&storage)?;
    let info = graph.read(buffer)?;
    assert_eq!((info.kind, info.dtype, info.count, info.bytes), (Kind::Buffer, Dtype::Float16, 64, 128));
    assert_eq!((info.slot, info.align, info.phase, info.base), (7, 8, 2, Some(buffer)));
    assert_eq!(graph.devices(buffer)?, ["CUDA:0", "CUDA:1"]);
    assert_eq!(info.device_count, 2);

    let start = graph.variable("start", 0, 32)?;
    let (view, length) = (graph.shrink_at(buffer, start, 16)?, graph.constant(16)?);
    let info = graph.read(view)?;
    assert_eq!((info.base, info.start, info.length), (Some(buffer), Some(start), Some(length)));
    assert_eq!(graph.sources(view)?, [buffer, start, length]);
    assert_eq!((graph.source(view, 1)?, info.source_count), (start, 3));
    let info = graph.read(start)?;
    assert_eq!((info.dtype, info.least, info.greatest, info.base), (Dtype::WeakInt, 0, 32, None));
    assert_eq!(graph.name(start)?, "start");

    let range = graph.range(start, 4, 2)?;
    let info = graph.read(range)?;
    assert_eq!((info.range_count, info.axis, info.axis_kind), (Some(start), 4, 2));
    assert_eq!(graph.read(graph.mselect(buffer, 1)?)?.shard, 1);
    assert_eq!(graph.read(graph.program("relu", 99, &[])?)?.tag, 99);
    Ok(())
}

#[test]
fn lists_longer_than_the_first_guess() -> Result<(), Error> {
    let graph = Graph::new()?;
    let body = graph.sink("", 0, &[])?;
    let arguments = (0..100).map(|_| graph.buffer(&row())).collect::<Result<Vec<Op>, _>>()?;
    let call = graph.call(body, &arguments)?;
    assert_eq!(graph.taken(call)?, arguments);
    assert_eq!(graph.sources(call)?.len(), 101);
    assert_eq!(graph.name(body)?, "");
    Ok(())
}

#[test]
fn views_of_the_whole_are_what_they_view() -> Result<(), Error> {
    let graph = Graph::new()?;
    let (buffer, call) = (graph.buffer(&row())?, graph.call(graph.sink("", 0, &[])?, &[])?);
    assert_eq!(graph.shrink(buffer, 0, 64)?, buffer);
    assert_eq!(graph.bitcast(buffer, Dtype::Float32)?, buffer);
    assert_eq!(graph.after(buffer, &[])?, buffer);
    assert_eq!(graph.end(call, &[])?, call);
    Ok(())
}

#[test]
fn errors_say_what_is_wrong() -> Result<(), Error> {
    let graph = Graph::new()?;
    let (buffer, one) = (graph.buffer(&row())?, graph.constant(1)?);
    fails(graph.shrink(buffer, 60, 8), Status::InvalidArgument, "64");
    fails(graph.shrink(buffer, 0u64.wrapping_sub(4), 8), Status::InvalidArgument, "-4");
    fails(graph.add(buffer, one), Status::WrongKind, &buffer.to_string());
    fails(graph.buffer(&row().count(1 << 62)), Status::Overflow, "4611686018427387904");
    fails(graph.buffer(&row().count(u64::MAX)), Status::InvalidArgument, "-1");
    fails(graph.buffer(&row().dtype(Dtype::WeakInt)), Status::InvalidArgument, "weak");
    fails(graph.buffer(&row().align(3)), Status::InvalidArgument, "align");
    fails(graph.buffer(&Storage::on_devices(Dtype::Int8, 1, &[])?), Status::InvalidArgument, "device");
    fails(graph.variable("", 0, 1), Status::InvalidArgument, "name");
    fails(graph.source(one, 3), Status::InvalidArgument, "3");
    fails(graph.name(one), Status::WrongKind, "CONST");
    fails(graph.taken(one), Status::WrongKind, "CONST");
    graph.check()
}

#[test]
fn texts_with_a_nul() -> Result<(), Error> {
    let graph = Graph::new()?;
    fails(graph.program("re\0lu", 0, &[]), Status::InvalidArgument, "the name \"re\\0lu\" has a NUL at byte 2");
    fails(Storage::new(Dtype::Int8, 1, "CUDA\0"), Status::InvalidArgument, "NUL at byte 4");
    let mut batch = Batch::new();
    batch.program("a\0", 0, &[]);
    batch.program("bb\0", 0, &[]);
    fails(graph.build(batch), Status::InvalidArgument, "NUL at byte 1");
    assert_eq!(graph.op_count()?, 0);
    Ok(())
}

#[test]
fn ops_of_other_graphs_are_refused() -> Result<(), Error> {
    let (graph, other) = (Graph::new()?, Graph::new()?);
    let theirs = other.constant(1)?;
    fails(graph.add(theirs, theirs), Status::InvalidOp, "");
    fails(graph.read(theirs), Status::InvalidOp, "");
    fails(graph.plan(theirs, &[]), Status::InvalidOp, "");
    fails(graph.plan(graph.linear(&[])?, &[theirs]), Status::InvalidOp, "");
    let mut batch = Batch::new();
    batch.add(theirs.into(), theirs.into());
    fails(graph.build(batch), Status::InvalidOp, "");
    drop(other);
    let newer = Graph::new()?;
    newer.constant(1)?;
    fails(newer.read(theirs), Status::InvalidOp, "");
    fails(graph.read(Op::from_number(u64::MAX).unwrap()), Status::InvalidOp, "");
    assert_eq!(Op::from_number(0), None);
    assert_eq!(Op::from_number(theirs.number()), Some(theirs));
    Ok(())
}

#[test]
fn a_batch_builds_what_single_calls_build() -> Result<(), Error> {
    let graph = Graph::new()?;
    let (mut batch, storage) = (Batch::with_capacity(8, 8), row().slot(1));
    assert!(batch.is_empty());
    let (buffer, four) = (batch.buffer(&storage), graph.constant(4)?);
    let view = batch.shrink_at(buffer, four.into(), 8);
    let body = batch.store("copy", 3, &[view]);
    let call = batch.call(body, &[view, buffer]);
    assert_eq!(batch.len(), 4);
    let built = graph.build(batch)?;
    assert_eq!(built.ops().len(), 4);
    assert_eq!(built.op(four.into()), four);

    let b = graph.buffer(&storage)?;
    let v = graph.shrink(b, 4, 8)?;
    assert_eq!(built.op(view), v);
    assert_eq!(built.op(call), graph.call(graph.store("copy", 3, &[v])?, &[v, b])?);
    graph.check()
}

#[test]
fn a_batch_is_built_whole_or_not_at_all() -> Result<(), Error> {
    let graph = Graph::new()?;
    let mut batch = Batch::new();
    let one = batch.constant(1);
    batch.sink("", 0, &[one]);
    batch.mselect(one, 0);
    fails(graph.build(batch), Status::WrongKind, "2");
    assert_eq!(graph.op_count()?, 0);
    assert_eq!(graph.build(Batch::new())?.ops(), []);
    Ok(())
}

#[test]
fn a_batch_keeps_the_names_of_devices_alive() -> Result<(), Error> {
    let graph = Graph::new()?;
    let mut batch = Batch::new();
    let buffers: Vec<Source> = (0..100)
        .map(|i| {
            let (a, b) = (format!("GPU:{}", i), format!("GPU:{}", i + 1));
            batch.buffer(&Storage::on_devices(Dtype::Int8, 1, &[&a, &b]).unwrap())
        })
        .collect();
    let built = graph.build(batch)?;
    for (i, buffer) in buffers.into_iter().enumerate() {
        assert_eq!(graph.devices(built.op(buffer))?, [format!("GPU:{}", i), format!("GPU:{}", i + 1)]);
    }
    Ok(())
}

#[test]
#[should_panic(expected = "index out of bounds")]
fn a_source_of_a_longer_batch() {
    let mut longer = Batch::new();
    let far = [longer.constant(1), longer.constant(2)][1];
    let mut batch = Batch::new();
    batch.constant(1);
    Graph::new().unwrap().build(batch).unwrap().op(far);
}

#[test]
fn names_and_numbers() -> Result<(), Error> {
    assert_eq!((Dtype::Bfloat16.to_string(), Dtype::Bfloat16.size()), ("bfloat16".to_string(), 2));
    assert_eq!(Dtype::Void.size(), 0);
    assert_eq!(Kind::CustomFunction.to_string(), "CUSTOM_FUNCTION");
    assert_eq!(Status::Overflow.to_string(), "TOLK_ERR_OVERFLOW");
    assert_eq!(std::mem::size_of::<Option<Op>>(), 8);
    assert!(unique_num()? < unique_num()?);
    assert_eq!(tolk_memory::version(), env!("CARGO_PKG_VERSION"));
    Ok(())
}

#[test]
fn printing_an_op() -> Result<(), Error> {
    let graph = Graph::new()?;
    let sum = graph.add(graph.constant(2)?, graph.variable("n", 0, 5)?)?;
    let text = graph.print(sum)?;
    assert!(text.contains("ADD") && text.contains(&sum.to_string()), "{}", text);
    assert_eq!(format!("{:?} {:?}", graph, sum), "Graph { op_count: Ok(3) } #3");
    Ok(())
}
