//! Uses that must not compile, as documentation tests.

/// A graph that is gone:
/// ```compile_fail,E0382
/// let graph = tolk_memory::Graph::new().unwrap();
/// drop(graph);
/// graph.constant(1).unwrap();
/// ```
/// a name of an op that outlives its graph:
/// ```compile_fail,E0505
/// let graph = tolk_memory::Graph::new().unwrap();
/// let name = graph.name(graph.program("relu", 0, &[]).unwrap()).unwrap();
/// drop(graph);
/// println!("{}", name);
/// ```
/// the devices of an arena that outlive its plan:
/// ```compile_fail,E0597
/// let graph = tolk_memory::Graph::new().unwrap();
/// let names: Vec<&str> = {
///     let plan = graph.plan(graph.linear(&[]).unwrap(), &[]).unwrap();
///     plan.arenas()[0].devices().collect()
/// };
/// println!("{:?}", names);
/// ```
/// an arena that is copied out of its plan:
/// ```compile_fail,E0508
/// fn first(plan: &tolk_memory::Plan) -> tolk_memory::Arena {
///     plan.arenas()[0]
/// }
/// ```
/// options that outlive what may cancel them:
/// ```compile_fail,E0505
/// let cancel = tolk_memory::Cancel::new().unwrap();
/// let options = tolk_memory::PlaceOptions::new().cancel(&cancel);
/// drop(cancel);
/// tolk_memory::place(&[], options).unwrap();
/// ```
/// a closure that outlives what it writes to:
/// ```compile_fail,E0597
/// let options = {
///     let mut best = 0;
///     tolk_memory::PlaceOptions::new().progress(|now| best = now.size)
/// };
/// tolk_memory::place(&[], options).unwrap();
/// ```
/// a log closure that is not for every thread:
/// ```compile_fail,E0277
/// let lines = std::cell::RefCell::new(Vec::new());
/// tolk_memory::settings::set_log(move |line| lines.borrow_mut().push(line.to_string())).unwrap();
/// ```
/// a number in place of an op, and an op of the graph where a batch wants its own:
/// ```compile_fail,E0308
/// tolk_memory::Graph::new().unwrap().range(4, 0, 0).unwrap();
/// ```
/// ```compile_fail,E0308
/// let graph = tolk_memory::Graph::new().unwrap();
/// let four = graph.constant(4).unwrap();
/// tolk_memory::Batch::new().range(four, 0, 0);
/// ```
struct Misuse;
