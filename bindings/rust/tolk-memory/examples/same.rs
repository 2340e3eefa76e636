//! The schedule that the programs of every language build, as `tests/same/README.md` of the library tells it, and the texts of its
//! plans. `same` builds it op by op, `same batch` in one call.

use tolk_memory::{Batch, Copies, Dtype, Error, Graph, Op, Placer, PlanOptions, Source, Storage};

/// What builds ops: a graph, or a batch.
trait Build {
    type Item: Copy;

    fn buffer(&mut self, storage: &Storage) -> Self::Item;
    fn alloc(&mut self, storage: &Storage) -> Self::Item;
    fn param(&mut self, storage: &Storage) -> Self::Item;
    fn variable(&mut self, name: &str, least: i64, greatest: i64) -> Self::Item;
    fn constant(&mut self, value: i64) -> Self::Item;
    fn range(&mut self, count: Self::Item, axis: i64, axis_kind: u32) -> Self::Item;
    fn add(&mut self, x: Self::Item, y: Self::Item) -> Self::Item;
    fn mul(&mut self, x: Self::Item, y: Self::Item) -> Self::Item;
    fn shrink(&mut self, value: Self::Item, start: u64, length: u64) -> Self::Item;
    fn shrink_at(&mut self, value: Self::Item, start: Self::Item, length: u64) -> Self::Item;
    fn bitcast(&mut self, value: Self::Item, dtype: Dtype) -> Self::Item;
    fn after(&mut self, value: Self::Item, effects: &[Self::Item]) -> Self::Item;
    fn mselect(&mut self, value: Self::Item, shard: u32) -> Self::Item;
    fn mstack(&mut self, parts: &[Self::Item]) -> Self::Item;
    fn sink(&mut self, name: &str, tag: u64, sources: &[Self::Item]) -> Self::Item;
    fn store(&mut self, name: &str, tag: u64, sources: &[Self::Item]) -> Self::Item;
    fn program(&mut self, name: &str, tag: u64, sources: &[Self::Item]) -> Self::Item;
    fn custom_function(&mut self, name: &str, tag: u64, sources: &[Self::Item]) -> Self::Item;
    fn call(&mut self, body: Self::Item, arguments: &[Self::Item]) -> Self::Item;
    fn linear(&mut self, entries: &[Self::Item]) -> Self::Item;
    fn end(&mut self, body: Self::Item, ranges: &[Self::Item]) -> Self::Item;
    fn backedge(&mut self, body: Self::Item, range: Self::Item, flag: Self::Item) -> Self::Item;
}

macro_rules! build {
    ($name:ty, $item:ty, |$made:ident| $done:expr; $($method:ident($($argument:ident: $type:ty),*);)*) => {
        impl Build for $name {
            type Item = $item;
            $(fn $method(&mut self, $($argument: $type),*) -> $item {
                let $made = <$name>::$method(self, $($argument),*);
                $done
            })*
        }
    };
    ($name:ty, $item:ty, |$made:ident| $done:expr) => {
        build! { $name, $item, |$made| $done;
            buffer(storage: &Storage);
            alloc(storage: &Storage);
            param(storage: &Storage);
            variable(name: &str, least: i64, greatest: i64);
            constant(value: i64);
            range(count: $item, axis: i64, axis_kind: u32);
            add(x: $item, y: $item);
            mul(x: $item, y: $item);
            shrink(value: $item, start: u64, length: u64);
            shrink_at(value: $item, start: $item, length: u64);
            bitcast(value: $item, dtype: Dtype);
            after(value: $item, effects: &[$item]);
            mselect(value: $item, shard: u32);
            mstack(parts: &[$item]);
            sink(name: &str, tag: u64, sources: &[$item]);
            store(name: &str, tag: u64, sources: &[$item]);
            program(name: &str, tag: u64, sources: &[$item]);
            custom_function(name: &str, tag: u64, sources: &[$item]);
            call(body: $item, arguments: &[$item]);
            linear(entries: &[$item]);
            end(body: $item, ranges: &[$item]);
            backedge(body: $item, range: $item, flag: $item);
        }
    };
}

build!(Graph, Op, |made| made.unwrap());
build!(Batch, Source, |made| made);

/// The storage of the schedule.
struct Values<Item> {
    weights: Item,
    disk: Item,
    staged: Item,
    a: Item,
    b: Item,
    c: Item,
    d: Item,
    scratch: Item,
    flag: Item,
    left: Item,
    right: Item,
    wide: Item,
    empty: Item,
    out: Item,
}

fn values<B: Build>(g: &mut B) -> Result<Values<B::Item>, Error> {
    let on = |dtype, count| Storage::new(dtype, count, "GPU:0");
    Ok(Values {
        weights: g.param(&on(Dtype::Float32, 1024)?),
        disk: g.buffer(&Storage::new(Dtype::Uint8, 4096, "DISK:weights")?),
        staged: g.buffer(&on(Dtype::Uint8, 4096)?),
        a: g.buffer(&on(Dtype::Float32, 256)?.slot(7)),
        b: g.buffer(&on(Dtype::Float16, 300)?.align(8).phase(6)),
        c: g.buffer(&on(Dtype::Float32, 640)?),
        d: g.buffer(&on(Dtype::Bfloat16, 256)?.phase(2)),
        scratch: g.alloc(&on(Dtype::Int8, 64)?),
        flag: g.buffer(&on(Dtype::Bool, 1)?),
        left: g.buffer(&on(Dtype::Float32, 128)?),
        right: g.buffer(&Storage::new(Dtype::Float32, 128, "GPU:1")?),
        wide: g.buffer(&Storage::on_devices(Dtype::Float32, 512, &["GPU:0", "GPU:1"])?),
        empty: g.buffer(&Storage::new(Dtype::Float64, 0, "GPU:1")?),
        out: g.buffer(&on(Dtype::Float32, 256)?),
    })
}

/// Builds the schedule, and the view that is held.
fn schedule<B: Build>(g: &mut B) -> Result<(B::Item, B::Item), Error> {
    let v = values(g)?;
    let (n, four, sixty_four) = (g.variable("n", 0, 3), g.constant(4), g.constant(64));
    let (i, j) = (g.range(four, 0, 0), g.range(n, 1, 2));
    let product = g.mul(i, sixty_four);
    let at = g.add(product, n);

    let (fuse, copy) = (g.sink("fuse", 1, &[]), g.store("copy", 2, &[]));
    let (matmul, reduce) = (g.program("matmul", 3, &[sixty_four]), g.custom_function("all_reduce", 4, &[]));
    let scale = g.call(matmul, &[v.weights]);
    let inner = g.linear(&[scale]);

    let first_half = g.shrink(v.a, 0, 128);
    let (head, chunk) = (g.bitcast(first_half, Dtype::Uint8), g.shrink_at(v.weights, at, 64));
    let pair = g.mstack(&[v.left, v.right]);
    let second = g.call(fuse, &[v.b, head, v.scratch]);
    let late = g.after(v.c, &[second, v.weights]);

    let staged = g.bitcast(v.staged, Dtype::Float32);
    let trips = [g.call(matmul, &[v.c, chunk, i]), g.call(fuse, &[v.d, v.c])];
    let (trips, again) = (g.linear(&trips), g.call(fuse, &[v.d, late]));
    let (on_second, last) = (g.mselect(v.wide, 1), g.shrink(v.left, 64, 64));
    let entries = [
        g.call(copy, &[v.staged, v.disk]),
        g.call(matmul, &[v.a, staged, n]),
        second,
        g.end(trips, &[i]),
        g.backedge(again, j, v.flag),
        g.call(reduce, &[v.wide, pair]),
        g.call(copy, &[v.right, on_second]),
        g.call(inner, &[v.left, v.empty]),
        nested(g, &v, [fuse, copy, pair], [i, j]),
        g.call(matmul, &[v.out, late, last]),
    ];
    Ok((g.linear(&entries), g.shrink(v.out, 0, 16)))
}

/// Builds entry 8: loops in a loop.
fn nested<B: Build>(g: &mut B, v: &Values<B::Item>, [fuse, copy, pair]: [B::Item; 3], [i, j]: [B::Item; 2]) -> B::Item {
    let (on_second, middle) = (g.mselect(pair, 1), g.shrink(v.d, 8, 8));
    let (test, swap) = (g.call(fuse, &[v.flag, on_second]), g.call(copy, &[middle, v.b]));
    let swaps = g.linear(&[swap]);
    let loops = [g.end(test, &[j]), g.backedge(swaps, i, v.flag)];
    let body = g.linear(&loops);
    g.end(body, &[i])
}

fn main() -> Result<(), Error> {
    let mut graph = Graph::new()?;
    let (schedule, held) = if std::env::args().nth(1).as_deref() == Some("batch") {
        let mut batch = Batch::new();
        let (schedule, held) = schedule(&mut batch)?;
        let built = graph.build(batch)?;
        (built.op(schedule), built.op(held))
    } else {
        schedule(&mut graph)?
    };
    println!("{}", graph.write_schedule(schedule, "same", &[held])?);
    let apart = PlanOptions::new().placer(Placer::Best).copies(Copies::Apart).granule(64);
    for options in [PlanOptions::new(), apart] {
        let plan = graph.plan_with(schedule, &[held], options)?;
        plan.verify()?;
        println!("{}", graph.write_plan(&plan)?);
    }
    Ok(())
}
