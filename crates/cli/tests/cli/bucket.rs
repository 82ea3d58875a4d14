//! A server that speaks S3, for one test: moto, which `scripts/setup` installs.

use crate::nearprint::{Run, repository, run_with};
use crate::room::Room;
use nearprint_testing::skip;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How long a server may take to start on a crowded machine.
const PATIENCE: Duration = Duration::from_secs(90);

/// A server with one bucket, `corpus`.
pub(crate) struct Bucket {
    server: Child,
    port: u16,
}

impl Bucket {
    /// Starts it; `None` where moto is not installed.
    pub(crate) fn start() -> Option<Bucket> {
        let program = repository().join("target/python/bin/moto_server");
        let given = std::env::var_os("NEARPRINT_MOTO").map(PathBuf::from);
        let program = given.unwrap_or(program);
        if !program.exists() {
            skip("there is no moto, the object storage that scripts/setup installs");
            return None;
        }
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let server = Command::new(program)
            .args(["-H", "127.0.0.1", "-p", &port.to_string()])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let bucket = Bucket { server, port };
        let since = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(since.elapsed() < PATIENCE, "moto does not answer");
            thread::sleep(Duration::from_millis(50));
        }
        assert_eq!(bucket.ask("PUT", "", b"").0, 200);
        Some(bucket)
    }

    /// Its address for those that take it for a web server.
    pub(crate) fn web(&self, key: &str) -> String {
        format!("http://127.0.0.1:{}/corpus/{key}", self.port)
    }

    /// A command that reaches it as `s3://corpus/`.
    pub(crate) fn command(&self, room: &Room, args: &[&str]) -> Command {
        let mut command = room.command(args);
        command
            .env("AWS_ENDPOINT_URL", format!("http://127.0.0.1:{}", self.port))
            .env("AWS_ACCESS_KEY_ID", "key")
            .env("AWS_SECRET_ACCESS_KEY", "secret")
            .env("AWS_REGION", "us-east-1");
        command
    }

    /// The address of a server in front of it that refuses every twentieth request.
    pub(crate) fn failing_now_and_then(&self) -> String {
        let (front, port) = (TcpListener::bind("127.0.0.1:0").unwrap(), self.port);
        let address = format!("http://{}", front.local_addr().unwrap());
        thread::spawn(move || {
            // The server ends each connection with its answer: one is one request.
            for (number, client) in front.incoming().enumerate() {
                let mut client = client.unwrap();
                if number % 20 == 4 {
                    let mut head = [0; 4096];
                    let _read = client.read(&mut head);
                    let _told = client.write_all(
                        b"HTTP/1.1 503 Slow Down\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
                    );
                    continue;
                }
                thread::spawn(move || {
                    let mut server = TcpStream::connect(("127.0.0.1", port)).unwrap();
                    let (mut from, mut to) =
                        (client.try_clone().unwrap(), server.try_clone().unwrap());
                    thread::spawn(move || drop(std::io::copy(&mut from, &mut to)));
                    drop(std::io::copy(&mut server, &mut client));
                    drop(client.shutdown(std::net::Shutdown::Both));
                });
            }
        });
        address
    }

    pub(crate) fn run(&self, room: &Room, args: &[&str]) -> Run {
        run_with(self.command(room, args), "")
    }

    pub(crate) fn put(&self, key: &str, bytes: &[u8]) {
        assert_eq!(self.ask("PUT", key, bytes).0, 200, "{key}");
    }

    pub(crate) fn delete(&self, key: &str) {
        assert_eq!(self.ask("DELETE", key, b"").0, 204, "{key}");
    }

    /// The bytes of an object, where there is one.
    pub(crate) fn get(&self, key: &str) -> Option<Vec<u8>> {
        let (status, body) = self.ask("GET", key, b"");
        (status == 200).then_some(body)
    }

    /// Whether an upload was begun that neither became an object nor was called off.
    pub(crate) fn has_uploads(&self) -> bool {
        let (status, body) = self.ask("GET", "?uploads", b"");
        assert_eq!(status, 200);
        String::from_utf8(body).unwrap().contains("<UploadId>")
    }

    fn ask(&self, method: &str, key: &str, body: &[u8]) -> (u16, Vec<u8>) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        // The server looks who asks, and not at signatures; what is public anyone may read.
        let head = format!(
            "{method} /corpus/{key} HTTP/1.0\r\nHost: 127.0.0.1\r\nContent-Length: {}\r\n\
             x-amz-acl: public-read\r\nAuthorization: AWS4-HMAC-SHA256 Credential=key/20260101/\
             us-east-1/s3/aws4_request, SignedHeaders=host, Signature=0\r\n\r\n",
            body.len()
        );
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(body).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let end = answer.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
        let head = String::from_utf8_lossy(&answer[..end]).into_owned();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, answer.split_off(end + 4))
    }
}

impl Drop for Bucket {
    fn drop(&mut self) {
        drop(self.server.kill());
        drop(self.server.wait());
    }
}
