//! Tells cargo where libtolk_memory is: where TOLK_MEMORY_LIB_DIR says, else where pkg-config says, else where go builds it.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{exit, Command};

const LIB_DIR: &str = "TOLK_MEMORY_LIB_DIR";
const SOURCE: &str = "TOLK_MEMORY_SOURCE";
const SONAME: &str = "libtolk_memory.so.0";
const PACKAGES: [&str; 2] = ["tolk_memory >= 0.1.0", "tolk_memory < 0.2.0"];
const SHIPPED: [&str; 8] = ["capi", "ir", "planner", "placement", "tlsf", "text", "include", "go.mod"];

type Answer<T> = Result<T, String>;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if variable("DOCS_RS").is_some() {
        return; // documentation is not linked
    }
    if let Err(why) = link_library() {
        eprintln!("tolk-memory-sys: {}", why);
        exit(1);
    }
}

fn link_library() -> Answer<()> {
    let is_static = env::var_os("CARGO_FEATURE_STATIC").is_some();
    if let Some(folder) = variable(LIB_DIR) {
        return link(Path::new(&folder), is_static).map_err(|why| format!("{} is {}, but {}", LIB_DIR, folder, why));
    }
    let no_install = match installed().and_then(|folder| link(&folder, is_static)) {
        Ok(()) => return Ok(()),
        Err(why) => why,
    };
    built().and_then(|folder| link(&folder, true)).map_err(|no_build| not_found(&no_install, &no_build))
}

fn not_found(no_install: &str, no_build: &str) -> String {
    format!(
        "libtolk_memory was not found, and could not be built. Any one of these helps:\n\
         - {} is not set: set it to the folder that holds libtolk_memory.so, or libtolk_memory.a for the feature `static`\n\
         - pkg-config: {}\n  if the library is installed, set PKG_CONFIG_PATH to the folder that holds tolk_memory.pc\n\
         - go: {}\n  install Go and a C compiler, and set {} to a checkout of libtolk_memory",
        LIB_DIR, no_install, no_build, SOURCE
    )
}

/// The value of an environment variable, which cargo is told to watch.
fn variable(name: &str) -> Option<String> {
    println!("cargo:rerun-if-env-changed={}", name);
    env::var(name).ok().filter(|value| !value.is_empty())
}

fn link(folder: &Path, is_static: bool) -> Answer<()> {
    let (kind, file) = if is_static { ("static", "libtolk_memory.a") } else { ("dylib", "libtolk_memory.so") };
    let library = folder.join(file);
    if !library.exists() {
        return Err(format!("there is no {}", library.display()));
    }
    println!("cargo:rerun-if-changed={}", library.display());
    println!("cargo:rustc-link-search=native={}", folder.display());
    println!("cargo:rustc-link-lib={}=tolk_memory", kind);
    println!("cargo:lib_dir={}", folder.display());
    if is_static {
        return Ok(());
    }
    let soname = folder.join(SONAME);
    link_for_cargo_run(if soname.exists() { &soname } else { &library })
}

/// `cargo run` and `cargo test` let programs load libraries from the search paths that lie in cargo's own folders.
#[cfg(unix)]
fn link_for_cargo_run(library: &Path) -> Answer<()> {
    let library = library.canonicalize().map_err(|e| format!("{}: {}", library.display(), e))?;
    let folder = out_dir("shared")?;
    let name = folder.join(SONAME);
    let _ = fs::remove_file(&name); // of an earlier run
    std::os::unix::fs::symlink(library, &name).map_err(|e| format!("{}: {}", name.display(), e))?;
    println!("cargo:rustc-link-search=native={}", folder.display());
    Ok(())
}

#[cfg(not(unix))]
fn link_for_cargo_run(_: &Path) -> Answer<()> {
    Ok(())
}

/// A folder of its own for each kind of library, since linkers take what they find first.
fn out_dir(kind: &str) -> Answer<PathBuf> {
    let folder = Path::new(&env::var_os("OUT_DIR").expect("cargo sets OUT_DIR")).join(kind);
    fs::create_dir_all(&folder).map_err(|e| format!("{}: {}", folder.display(), e))?;
    Ok(folder)
}

/// The folder of an installed library.
fn installed() -> Answer<PathBuf> {
    variable("PKG_CONFIG_PATH");
    let program = variable("PKG_CONFIG").unwrap_or_else(|| "pkg-config".to_string());
    run(Command::new(&program).args(["--print-errors", "--exists"]).args(PACKAGES))?;
    run(Command::new(&program).args(["--variable=libdir", "tolk_memory"])).map(|out| PathBuf::from(out.trim()))
}

/// The folder of an archive that go has built.
fn built() -> Answer<PathBuf> {
    let target = env::var("TARGET").expect("cargo sets TARGET");
    if env::var("HOST").as_ref() != Ok(&target) {
        return Err(format!("it builds for this machine only, and not for {}", target));
    }
    let (source, folder) = (source()?, out_dir("built")?);
    for name in SHIPPED {
        println!("cargo:rerun-if-changed={}", source.join(name).display());
    }
    let go = variable("GO").unwrap_or_else(|| "go".to_string());
    run(Command::new(go)
        .args(["build", "-trimpath", "-buildmode=c-archive", "-ldflags=-s -w", "-o"])
        .arg(folder.join("libtolk_memory.a"))
        .arg("./capi")
        .env("CGO_ENABLED", "1")
        .env("CGO_CFLAGS", "-O2")
        .env("GOWORK", "off")
        .current_dir(source))?;
    Ok(folder)
}

/// The folder of libtolk_memory's Go source: as told, beside this file in a packed crate, or the repository that this is in.
fn source() -> Answer<PathBuf> {
    if let Some(folder) = variable(SOURCE) {
        let folder = PathBuf::from(folder);
        return if is_source(&folder) { Ok(folder) } else { Err(format!("there is no capi in {}", folder.display())) };
    }
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR"));
    let candidates = [here.join("source"), here.join("../../..")];
    candidates.into_iter().find(|folder| is_source(folder)).ok_or_else(|| "its source is not here".to_string())
}

fn is_source(folder: &Path) -> bool {
    SHIPPED.iter().all(|name| folder.join(name).exists())
}

/// What a program writes, or why it did not do its work.
fn run(command: &mut Command) -> Answer<String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|e| format!("{} does not run: {}", name, e))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    Err(format!("{}: {}", name, String::from_utf8_lossy(&output.stderr).trim()))
}
