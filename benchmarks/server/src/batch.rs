//! Batches that do not end: lines out on one thread of a connection, rows in on another.

use crate::figures::{Done, code, fresh, id};
use memchr::memmem;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Lines that are sent together.
const TOGETHER: u64 = 2000;

pub fn add(address: SocketAddr, connections: usize, time: Duration) -> Done {
    let (next, stop) = (AtomicU64::new(fresh()), AtomicBool::new(false));
    let begun = Instant::now();
    let answered: u64 = thread::scope(|scope| {
        let (next, stop) = (&next, &stop);
        let run = || one(address, next, stop).map_err(|error| error.to_string());
        let all: Vec<_> = (0..connections).map(|_| scope.spawn(run)).collect();
        thread::sleep(time);
        stop.store(true, Ordering::Relaxed);
        let each = all.into_iter().map(|one| one.join().map_err(|_| "a connection ended")?);
        each.sum::<Result<u64, String>>()
    })?;
    let seconds = begun.elapsed().as_secs_f64();
    let rate = answered as f64 / seconds;
    println!("{{\"job\":\"batch\",\"answers\":{answered},\"per_second\":{rate:.0}}}");
    Ok(())
}

/// One batch; how many lines were answered.
fn one(
    address: SocketAddr,
    next: &AtomicU64,
    stop: &AtomicBool,
) -> Result<u64, Box<dyn std::error::Error>> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(Duration::from_secs(30)))?;
    let mut answers = stream.try_clone()?;
    stream.write_all(
        b"POST /v1/batch?op=add HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\
          Transfer-Encoding: chunked\r\n\r\n",
    )?;
    thread::scope(|scope| {
        let sending = scope.spawn(move || -> std::io::Result<u64> {
            let mut sent = 0;
            while !stop.load(Ordering::Relaxed) {
                let first = next.fetch_add(TOGETHER, Ordering::Relaxed);
                let mut lines = Vec::with_capacity(1 << 17);
                for number in first..first + TOGETHER {
                    let (id, code) = (id(number), code(number));
                    writeln!(lines, "{{\"id\":\"{id:016x}\",\"fingerprint\":\"{code:016x}\"}}")?;
                }
                write!(stream, "{:x}\r\n", lines.len())?;
                stream.write_all(&lines)?;
                stream.write_all(b"\r\n")?;
                sent += TOGETHER;
            }
            stream.write_all(b"0\r\n\r\n")?;
            Ok(sent)
        });
        let (mut rows, mut room, mut tail) = (0, vec![0; 1 << 18], Vec::new());
        loop {
            let count = answers.read(&mut room)?;
            if count == 0 {
                break;
            }
            // A row ends with a brace and a line feed; the sizes of chunks do not.
            tail.extend_from_slice(&room[..count]);
            rows += memmem::find_iter(&tail, b"}\n").count() as u64;
            if memmem::find(&tail, b"refused").is_some() {
                return Err("a line was refused".into());
            }
            let keep = usize::from(tail.ends_with(b"}"));
            tail.drain(..tail.len() - keep);
        }
        let sent = sending.join().map_err(|_| "sending ended")??;
        if rows == sent { Ok(rows) } else { Err(format!("{rows} rows for {sent} lines").into()) }
    })
}
