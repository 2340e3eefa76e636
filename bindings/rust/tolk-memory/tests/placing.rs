//! Placing lifetimes, checking offsets, and the allocator.

use std::panic::{catch_unwind, AssertUnwindSafe};

use tolk_memory::{place, verify, Error, FaultKind, Lifetime, PlaceOptions, Placer, Proof, Status, Stop, Tlsf};

fn random(count: u64) -> Vec<Lifetime> {
    (0..count).map(|i| Lifetime::new(i * 37 % 50..i * 37 % 50 + 1 + i * 11 % 20, i * 7919 % 1009)).collect()
}

#[test]
fn by_hand() -> Result<(), Error> {
    let buffers = [Lifetime::new(0..1, 256), Lifetime::new(0..2, 256), Lifetime::new(1..2, 512)];
    let quick = place(&buffers, PlaceOptions::new())?;
    assert_eq!((&quick.offsets[..], quick.size, quick.lower_bound), (&[0, 256, 512][..], 1024, 768));
    assert_eq!((quick.peak_entry, quick.proof, quick.optimal, quick.stopped), (1, Proof::None, false, Stop::Done));
    let best = place(&buffers, PlaceOptions::new().placer(Placer::Best))?;
    assert_eq!((best.size, best.proven_bound, best.proof, best.optimal), (768, 768, Proof::EqualsBound, true));
    assert_eq!(place(&[], PlaceOptions::new())?.size, 0);
    let forever = place(&[Lifetime::new(0..u64::MAX, 8), Lifetime::new(9..10, 8)], PlaceOptions::new())?;
    assert_eq!(forever.size, 16);
    Ok(())
}

#[test]
fn fixed_and_aligned() -> Result<(), Error> {
    let buffers = [Lifetime::new(0..2, 100).fixed(64), Lifetime::new(0..2, 100).align(4096)];
    let placement = place(&buffers, PlaceOptions::new())?;
    assert_eq!(placement.offsets, [64, 4096]);
    let faults = verify(&buffers, PlaceOptions::new(), &[0, 4097], 4197)?;
    let kinds: Vec<_> = faults.iter().map(|f| (f.kind, f.buffer, f.got, f.want)).collect();
    assert_eq!(kinds, [(FaultKind::Moved, 0, 0, 64), (FaultKind::Misaligned, 1, 4097, 4096)]);
    Ok(())
}

#[test]
fn every_placer_is_right() -> Result<(), Error> {
    let buffers = random(500);
    for placer in [Placer::Tlsf, Placer::Best, Placer::FirstFit, Placer::BestFit] {
        let placement = place(&buffers, PlaceOptions::new().placer(placer).effort(20_000))?;
        assert!(placement.size >= placement.proven_bound && placement.proven_bound >= placement.lower_bound);
        assert_eq!(verify(&buffers, PlaceOptions::new(), &placement.offsets, placement.size)?, []);
    }
    Ok(())
}

#[test]
fn all_faults_are_listed() -> Result<(), Error> {
    let buffers = vec![Lifetime::new(0..1, 8); 20];
    let faults = verify(&buffers, PlaceOptions::new().capacity(7), &[0; 20], 8)?;
    assert_eq!(faults.iter().filter(|f| f.kind == FaultKind::OverCapacity).count(), 1);
    assert!(faults.len() > 19, "{}", faults.len());
    let outside = verify(&buffers[..1], PlaceOptions::new(), &[4], 8)?[0];
    assert_eq!((outside.kind, outside.from, outside.to, outside.want), (FaultKind::OutOfArena, 4, 12, 8));
    Ok(())
}

#[test]
fn errors_name_the_buffer() {
    let message = |buffers: &[Lifetime], options: PlaceOptions<'_>, status: Status, text: &str| {
        let error = place(buffers, options).unwrap_err();
        assert!(error.status() == status && error.message().contains(text), "{:?}", error);
    };
    let good = Lifetime::new(0..1, 16);
    message(&[good, Lifetime::new(3..3, 1)], PlaceOptions::new(), Status::InvalidArgument, "buffer 1: end");
    message(&[Lifetime::new(1 << 63..u64::MAX, 1)], PlaceOptions::new(), Status::InvalidArgument, "buffer 0: end");
    message(&[good.align(3)], PlaceOptions::new(), Status::InvalidArgument, "buffer 0: align");
    message(&[good, good.fixed(u64::MAX)], PlaceOptions::new(), Status::InvalidArgument, "buffer 1: offset is -1");
    message(&[good, Lifetime::new(0..1, 1 << 62)], PlaceOptions::new(), Status::Overflow, "buffer 1: bytes");
    message(&[good, good], PlaceOptions::new().capacity(31), Status::Infeasible, "31");
    let error = verify(&[good], PlaceOptions::new(), &[0, 16], 32).unwrap_err();
    assert_eq!(error.message(), "there are 2 offsets for 1 buffers; there must be one each");
}

#[test]
fn a_panic_goes_on_here() {
    let (buffers, mut calls) = (random(300), 0);
    let options = PlaceOptions::new().placer(Placer::Best).effort(100_000).progress(|_| {
        calls += 1;
        panic!("enough");
    });
    let panic = catch_unwind(AssertUnwindSafe(|| place(&buffers, options))).unwrap_err();
    assert_eq!((panic.downcast_ref::<&str>(), calls), (Some(&"enough"), 1));
}

#[test]
fn the_allocator() -> Result<(), Error> {
    let mut tlsf = Tlsf::with_lists(1 << 20, 256, 32)?;
    let blocks = (0..8).map(|_| tlsf.alloc(1000, 256)).collect::<Result<Vec<_>, _>>()?;
    assert!(blocks.iter().all(|block| block.unwrap() % 256 == 0));
    assert_eq!(tlsf.alloc(1 << 21, 1)?, None);
    for block in blocks.into_iter().flatten() {
        tlsf.free(block)?;
    }
    assert_eq!(tlsf.alloc(1 << 20, 1)?, Some(0)); // all merged again
    let not_there = tlsf.free(512).unwrap_err();
    assert!(not_there.status() == Status::NotAllocated && not_there.message().contains("512"), "{}", not_there);
    assert_eq!(tlsf.free(u64::MAX).unwrap_err().status(), Status::NotAllocated);
    assert_eq!(tlsf.alloc(u64::MAX, 1).unwrap_err().status(), Status::InvalidArgument);
    assert_eq!(tlsf.alloc(1, 0).unwrap_err().status(), Status::InvalidArgument);
    let error = Tlsf::with_lists(1024, 0, 16).unwrap_err();
    assert_eq!(error.status(), Status::InvalidArgument);
    Ok(())
}
