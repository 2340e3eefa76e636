//! Runs a schedule on the CPU, with its memory planned and without.

use std::collections::HashMap;

use tolk_memory::{Bind, Dtype, Graph, Op, Plan, PlanOptions, Result, Storage};

const ROW: usize = 1024;

/// A kernel: what it writes, from what it reads.
type Kernel = fn(inputs: &[Vec<f32>]) -> Vec<f32>;

fn add(inputs: &[Vec<f32>]) -> Vec<f32> {
    inputs[0].iter().zip(&inputs[1]).map(|(x, y)| x + y).collect()
}

fn relu(inputs: &[Vec<f32>]) -> Vec<f32> {
    inputs[0].iter().map(|x| x.max(0.0)).collect()
}

fn softmax(inputs: &[Vec<f32>]) -> Vec<f32> {
    let greatest = inputs[0].iter().copied().fold(f32::MIN, f32::max);
    let powers: Vec<f32> = inputs[0].iter().map(|x| (x - greatest).exp()).collect();
    let sum: f32 = powers.iter().sum();
    powers.iter().map(|x| x / sum).collect()
}

/// A schedule: layers of kernels over rows, from `input` to `output`.
struct Model {
    graph: Graph,
    kernels: HashMap<Op, Kernel>,
    schedule: Op,
    input: Op,
    output: Op,
}

impl Model {
    fn new(layers: usize) -> Result<Model> {
        let graph = Graph::new()?;
        let row = Storage::new(Dtype::Float32, ROW as u64, "CPU")?;
        let mut kernels: HashMap<Op, Kernel> = HashMap::new();
        let mut kernel = |name, run: Kernel| -> Result<Op> {
            let body = graph.program(name, 0, &[])?;
            kernels.insert(body, run);
            Ok(body)
        };
        let bodies = [kernel("relu", relu)?, kernel("softmax", softmax)?, kernel("add", add)?];

        let input = graph.param(&row)?;
        let (mut last, mut calls) = (input, Vec::new());
        for _ in 0..layers {
            let (positive, weights, sum) = (graph.buffer(&row)?, graph.buffer(&row)?, graph.buffer(&row)?);
            calls.push(graph.call(bodies[0], &[positive, last])?);
            calls.push(graph.call(bodies[1], &[weights, positive])?);
            calls.push(graph.call(bodies[2], &[sum, weights, last])?);
            last = sum;
        }
        let schedule = graph.linear(&calls)?;
        Ok(Model { graph, kernels, schedule, input, output: last })
    }
}

/// The memory of a device: that of each arena, and of each storage that has its own.
struct Memory {
    bytes: HashMap<Op, Vec<u8>>,
}

impl Memory {
    fn new(model: &Model, plan: &Plan) -> Result<Memory> {
        let mut bytes = HashMap::new();
        for arena in plan.arenas() {
            bytes.insert(arena.op(), vec![0; arena.size() as usize]);
        }
        for bind in plan.binds().iter().filter(|bind| bind.arena().is_none()) {
            let size = model.graph.read(bind.storage())?.bytes;
            bytes.entry(bind.storage()).or_insert_with(|| vec![0; size as usize]);
        }
        Ok(Memory { bytes })
    }

    fn size(&self) -> usize {
        self.bytes.values().map(Vec::len).sum()
    }

    fn of(&mut self, bind: &Bind) -> &mut [u8] {
        let storage = self.bytes.get_mut(&bind.storage()).expect("each storage was allocated");
        &mut storage[bind.offset() as usize..][..bind.bytes() as usize]
    }

    fn read(&mut self, bind: &Bind) -> Vec<f32> {
        self.of(bind).chunks(4).map(|x| f32::from_ne_bytes([x[0], x[1], x[2], x[3]])).collect()
    }

    fn write(&mut self, bind: &Bind, values: &[f32]) {
        for (to, value) in self.of(bind).chunks_mut(4).zip(values) {
            to.copy_from_slice(&value.to_ne_bytes());
        }
    }
}

/// Runs the entries in order: each call writes its first argument from the others.
fn run(model: &Model, plan: &Plan, input: &[f32]) -> Result<(Vec<f32>, usize)> {
    let mut memory = Memory::new(model, plan)?;
    let (mut result, mut is_first) = (Vec::new(), true);
    for binds in plan.entries() {
        let (output, inputs) = binds.split_first().expect("each call writes one argument");
        if is_first {
            memory.write(&inputs[0], input); // the model's input, which is a PARAM
            assert_eq!(inputs[0].storage(), model.input);
            is_first = false;
        }
        let body = model.graph.source(output.call(), 0)?;
        let values: Vec<Vec<f32>> = inputs.iter().map(|bind| memory.read(bind)).collect();
        result = model.kernels[&body](&values);
        memory.write(output, &result);
    }
    Ok((result, memory.size()))
}

fn main() -> Result<()> {
    let model = Model::new(8)?;
    let input: Vec<f32> = (0..ROW).map(|i| (i as f32 * 0.37).sin()).collect();
    let planned = model.graph.plan(model.schedule, &[model.output])?;
    let unplanned =
        model.graph.plan_with(model.schedule, &[model.output], PlanOptions::new().no_memory_planner(true))?;
    let (numbers, bytes) = run(&model, &planned, &input)?;
    let (same_numbers, more_bytes) = run(&model, &unplanned, &input)?;
    assert_eq!(numbers, same_numbers);
    println!("the same numbers from {} bytes as from {}", bytes, more_bytes);
    Ok(())
}
