//! The service from the command line. What it answers is tested in its own crate; here it is started,
//! told how to run, and ended in every way.

use crate::room::Room;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStderr, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

/// A server that runs, killed at the end.
pub(crate) struct Served {
    child: Child,
    pub(crate) address: String,
    /// What it said until it told its address.
    said: String,
    /// The rest of what it says.
    stderr: BufReader<ChildStderr>,
}

impl Served {
    pub(crate) fn start(mut command: Command) -> Self {
        let mut child = command.stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let mut said = String::new();
        // Remarks may come before the address.
        let address = loop {
            let from = said.len();
            assert!(stderr.read_line(&mut said).unwrap() > 0, "{said}");
            if let Some((_, address)) = said[from..].split_once("://") {
                break address.split(['"', '\n']).next().unwrap().to_owned();
            }
        };
        Self { child, address, said, stderr }
    }

    pub(crate) fn on(room: &Room, args: &[&str]) -> Self {
        let serve = ["serve", "codes", "--listen", "127.0.0.1:0"];
        Self::start(room.command(&[&serve[..], args].concat()))
    }

    /// One request and its answer: status and body.
    pub(crate) fn ask(&self, method: &str, path: &str, head: &str, body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let length = body.len();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Length: {length}\r\n{head}\r\n"
        );
        stream.write_all((head + body).as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
    }

    pub(crate) fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args([name, &id]).status().unwrap().success());
    }

    /// Waits until it says this.
    pub(crate) fn wait_for(&mut self, words: &str) {
        while !self.said.contains(words) {
            assert!(self.stderr.read_line(&mut self.said).unwrap() > 0, "{}", self.said);
        }
    }

    /// How it ended, and what it said.
    pub(crate) fn end(mut self) -> (Option<i32>, String) {
        let code = self.child.wait().unwrap().code();
        let mut said = std::mem::take(&mut self.said);
        self.stderr.read_to_string(&mut said).unwrap();
        (code, said)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ended = self.child.kill();
        let _waited = self.child.wait();
    }
}

/// A store of ready fingerprints.
pub(crate) fn room() -> Room {
    let room = Room::new();
    let init = ["store", "init", "codes", "--ready-made", "--width", "64", "-k", "3", "-q"];
    room.run(&init).done();
    room
}

/// Fingerprints that look random and are all different.
fn line(id: usize) -> String {
    let code = (id as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    json!({ "id": id.to_string(), "fingerprint": format!("{code:016x}") }).to_string()
}

#[test]
fn what_was_answered_is_there_after_a_kill() {
    const CLIENTS: usize = 4;
    let room = room();
    let mut answered = Vec::new();
    for round in 0..3 {
        let served = Served::on(&room, &["--log", "warn"]);
        let next = AtomicUsize::new(round * 1_000_000);
        let now: Vec<usize> = thread::scope(|scope| {
            let (served, next) = (&served, &next);
            let client = || {
                let mut answered = Vec::new();
                let mut stream = TcpStream::connect(&served.address).unwrap();
                stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
                let head = "POST /v1/batch?op=add HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n";
                stream.write_all(head.as_bytes()).unwrap();
                let mut answers = BufReader::new(stream.try_clone().unwrap());
                loop {
                    let ids = next.fetch_add(50, Ordering::Relaxed);
                    let lines: String = (ids..ids + 50).map(|id| line(id) + "\n").collect();
                    let chunk = format!("{:x}\r\n{lines}\r\n", lines.len());
                    if stream.write_all(chunk.as_bytes()).is_err() {
                        return answered;
                    }
                    let mut rows = 0;
                    while rows < 50 {
                        let mut row = String::new();
                        // A line that was cut is no answer.
                        if !matches!(answers.read_line(&mut row), Ok(1..)) || !row.ends_with('\n') {
                            return answered;
                        }
                        // Between rows are the head and the sizes of chunks.
                        let Ok(row) = serde_json::from_str::<Value>(&row) else { continue };
                        let Some(id) = row["id"].as_str() else { continue };
                        assert_eq!(row["verdict"], "new", "{row}");
                        answered.push(id.parse().unwrap());
                        rows += 1;
                    }
                }
            };
            let clients: Vec<_> = (0..CLIENTS).map(|_| scope.spawn(client)).collect();
            thread::sleep(Duration::from_millis(400));
            served.signal("-KILL");
            clients.into_iter().flat_map(|client| client.join().unwrap()).collect()
        });
        assert!(now.len() >= 50, "round {round}: {}", now.len());
        answered.extend(now);
        drop(served);
    }
    let served = Served::on(&room, &[]);
    let lines: String = answered.iter().map(|id| line(*id) + "\n").collect();
    let (status, rows) = served.ask("POST", "/v1/batch?op=add", "", &lines);
    assert_eq!(status, 200);
    let missing = rows.matches("\"new\"").count();
    let there = rows.matches("\"exists\"").count();
    assert_eq!((missing, there), (0, answered.len()));
}

#[test]
fn a_signal_ends_it_well() {
    for signal in ["-TERM", "-INT"] {
        let room = room();
        let served = Served::on(&room, &["--log", "info"]);
        assert_eq!(served.ask("POST", "/v1/add", "", &line(1)).0, 200);
        served.signal(signal);
        let (code, said) = served.end();
        assert_eq!(code, Some(0), "{said}");
        let run = room.run(&["store", "verify", "codes"]).done();
        assert!(run.stderr.starts_with("1 document in"), "{}", run.stderr);
    }
}

#[test]
fn a_flag_goes_before_the_environment_and_that_before_the_file() {
    let room = room();
    room.write("serve.toml", "max-body = 100\nmax-line = 40\nmax-connections = 100\n");
    let long = format!("{{\"fingerprint\":\"{}\"}}", "0".repeat(150));
    let served = |env: &[(&str, &str)], args: &[&str]| {
        let serve = ["serve", "codes", "--listen", "127.0.0.1:0", "--config", "serve.toml"];
        let mut command = room.command(&[&serve[..], args].concat());
        command.envs(env.iter().copied());
        Served::start(command)
    };
    let status = |served: &Served| served.ask("POST", "/v1/check", "", &long).0;
    assert_eq!(status(&served(&[], &[])), 413);
    assert_eq!(status(&served(&[("NEARPRINT_MAX_BODY", "1K")], &[])), 422);
    let both = served(&[("NEARPRINT_MAX_BODY", "1K")], &["--max-body", "120"]);
    assert_eq!(status(&both), 413);
    // What nobody says otherwise is as in the file.
    assert!(both.ask("POST", "/v1/batch?op=check", "", &long).1.contains("more than 40 bytes"));
    drop(both);
    room.write("serve.toml", "max-bodies = 100\n");
    let run = room.run(&["serve", "codes", "--config", "serve.toml"]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("unknown field `max-bodies`"), "{}", run.stderr);
}

#[test]
fn who_others_can_reach_needs_tokens_that_the_command_makes() {
    let room = room();
    let open = ["serve", "codes", "--listen", "0.0.0.0:0"];
    let run = room.run(&open);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("--listen 0.0.0.0:0: without tokens"), "{}", run.stderr);
    assert!(run.stderr.contains("with --tokens (`nearprint token` makes"), "{}", run.stderr);
    let half = "TLS needs a certificate and its key, but only one of the two was given; give both \
                --tls-certificate and --tls-key, or none";
    room.run(&["serve", "codes", "--tls-key", "key.pem"]).refused(2, half);
    room.write("tokens.toml", "token = []\n");
    room.run(&[&open[..], &["--tokens", "tokens.toml"]].concat())
        .refused(1, "--tokens tokens.toml: no token in it; `nearprint token` makes one");
    assert_eq!(room.run(&["token", ""]).code, Some(2));
    let made = room.run(&["token", "crawler", "--scope", "write", "--rate", "1000"]).done();
    let secret = made.stderr.trim().rsplit(' ').next().unwrap().to_owned();
    assert!(secret.starts_with("nearprint_") && !made.text().contains(&secret));
    room.write("tokens.toml", made.text());
    // The port alone is of interest: the tests ask this machine.
    let mut served =
        Served::start(room.command(&[&open[..], &["--tokens", "tokens.toml"]].concat()));
    served.address = served.address.replace("0.0.0.0", "127.0.0.1");
    let bearer = format!("Authorization: Bearer {secret}\r\n");
    assert_eq!(served.ask("POST", "/v1/add", &bearer, &line(1)).0, 200);
    assert_eq!(served.ask("POST", "/v1/add", "", &line(2)).0, 401);
    assert_eq!(served.ask("POST", "/v1/compact", &bearer, "").0, 403);
    served.signal("-TERM");
    let (_, said) = served.end();
    // Who asked is in the log, and the secret is not.
    assert!(said.contains("/v1/add") && said.contains("401"), "{said}");
    assert!(!said.contains(&secret));
}

#[test]
fn the_service_answers_what_the_command_does() {
    let room = Room::new();
    let texts =
        ["One text about a garden in May and its flowers.", "Another: trains, late at night."];
    let rows: Vec<_> = texts
        .iter()
        .enumerate()
        .map(|(id, text)| json!({ "id": id.to_string(), "text": text }))
        .collect();
    let lines: String = rows.iter().map(|row| format!("{row}\n")).collect();
    room.write("rows.jsonl", &lines);
    room.run(&["store", "init", "codes", "--width", "64", "-k", "3", "-q"]).done();
    room.run(&["store", "init", "other", "--width", "64", "-k", "3", "-q"]).done();
    let add =
        ["store", "add", "other", "rows.jsonl", "--unless-duplicate", "--format", "json", "-q"];
    let run = room.run(&add).done();
    let parse = |text: &str| -> Vec<Value> {
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let served = Served::on(&room, &[]);
    let (_, body) = served.ask("POST", "/v1/batch?op=check-and-add", "", &lines);
    let rows = body.lines().filter(|line| line.starts_with('{')).collect::<Vec<_>>().join("\n");
    let (mut rows, told) = (parse(&rows), parse(run.text()));
    for (line, row) in (1..).zip(&mut rows) {
        assert_eq!(row.as_object_mut().unwrap().remove("line"), Some(json!(line)));
    }
    assert_eq!(rows, told);
}

#[test]
fn every_setting_may_stand_in_a_file_and_in_the_environment() {
    let room = room();
    let flags = room.run(&["serve", "--help"]).done();
    let flags: Vec<_> = flags
        .text()
        .lines()
        .filter_map(|line| line.trim().split_once("--")?.1.split([' ', '\n']).next())
        .filter(|flag| flags.text().contains(&format!("      --{flag}")))
        .collect();
    assert!(flags.len() > 15, "{flags:?}");
    for flag in flags.iter().filter(|flag| !["config", "help"].contains(flag)) {
        // All take this to be none of theirs, but as settings that they know.
        room.write("serve.toml", format!("# A comment\n{flag} = []\n"));
        let run = room.run(&["serve", "codes", "--config", "serve.toml"]);
        let (told, place) = (format!("`{flag}`: expected"), "serve.toml: line 2");
        assert!(run.stderr.contains(&told) && run.stderr.contains(place), "{}", run.stderr);
        assert!(!run.stderr.contains("unknown"), "{}", run.stderr);
        let variable = format!("[env: NEARPRINT_{}=", flag.to_uppercase().replace('-', "_"));
        let help = room.run(&["serve", "--help"]).done();
        assert!(help.text().contains(&variable), "{variable}");
    }
    for (line, told) in [
        ("memory = \"10M\"", "line 1: `memory`: invalid value \"10M\": a store takes at least 64M"),
        ("max-body = \"16X\"", "line 1: `max-body`: invalid value \"16X\": use a number of bytes"),
        ("listen = \"7878\"", "line 1: `listen`: invalid value \"7878\": expected an address"),
        ("log-json = 1", "line 1: `log-json`: expected true or false"),
        ("listen = ", "line 1"),
    ] {
        room.write("serve.toml", line);
        let run = room.run(&["serve", "codes", "--config", "serve.toml"]);
        assert_eq!(run.code, Some(1));
        assert!(run.stderr.contains(told), "{line}: {}", run.stderr);
    }
    let small = room.run(&["serve", "codes", "--memory", "10M"]);
    assert_eq!(small.code, Some(2), "{}", small.stderr);

    room.write(
        "serve.toml",
        "max-body = \"0.1K\"\nlog = \"warn\"\nlog-json = false\nmemory = \"64MiB\"\n",
    );
    let serve = ["serve", "codes", "--listen", "localhost:0", "--config", "serve.toml"];
    let mut command = room.command(&serve);
    command.env("NEARPRINT_MAX_BODIES", "7").env("NEARPRINT_PORT_7878_TCP", "tcp://10.0.0.1:7878");
    command.env("NEARPRINT_LOG_JSON", "true");
    let mut served = Served::start(command);
    served.wait_for("NEARPRINT_MAX_BODIES");
    let long = format!("{{\"fingerprint\":\"{}\"}}", "0".repeat(150));
    assert_eq!(served.ask("POST", "/v1/check", "", &long).0, 413);
    served.signal("-TERM");
    let (_, rest) = served.end();
    assert!(!rest.contains("NEARPRINT_PORT"), "{rest}");
}

#[test]
fn a_log_of_json_has_nothing_else_in_it() {
    let room = room();
    let mut served = Served::on(&room, &["--log-json", "--log", "debug"]);
    assert_eq!(served.ask("POST", "/v1/check", "X-Request-Id: mine\r\n", "{").0, 400);
    assert_eq!(served.ask("GET", "/healthz", "", "").0, 200);
    // HTTP/2, whose frames the library would tell: the preface, and settings in both directions.
    let mut stream = TcpStream::connect(&served.address).unwrap();
    stream.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0").unwrap();
    assert!(stream.read(&mut [0; 100]).unwrap() > 8);
    drop(stream);
    served.signal("-TERM");
    served.wait_for("stopping");
    let (code, said) = served.end();
    assert_eq!(code, Some(0));
    let lines: Vec<Value> = said
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}")))
        .collect();
    let own = |line: &Value| line["target"].as_str().unwrap().starts_with("nearprint");
    assert!(lines.iter().all(|line| own(line) || line["level"] != "DEBUG"), "{said}");
    let refused = lines.iter().find(|line| line["id"] == "mine").unwrap();
    assert_eq!((&refused["status"], &refused["level"]), (&json!(400), &json!("INFO")));
    assert!(refused["client"].as_str().unwrap().starts_with("127.0.0.1:"), "{refused}");
    assert!(lines.iter().any(|line| line["endpoint"] == "/healthz"), "{said}");
}

#[test]
fn tokens_are_read_again_on_a_hangup_and_stay_where_the_file_will_not_do() {
    let room = room();
    let token = |name: &str, scope: &str| {
        let made = room.run(&["token", name, "--scope", scope]).done();
        let secret = made.stderr.trim().rsplit(' ').next().unwrap().to_owned();
        (format!("Authorization: Bearer {secret}\r\n"), made.text().to_owned())
    };
    let ((first, entry), (second, other)) = (token("first", "read"), token("second", "read"));
    room.write("tokens.toml", &entry);
    let mut served = Served::on(&room, &["--tokens", "tokens.toml", "--open-metrics"]);
    let figure = |served: &Served, value: u8| {
        let told = format!("nearprint_reload_successful{{file=\"tokens\"}} {value}\n");
        assert!(served.ask("GET", "/metrics", "", "").1.contains(&told), "{told}");
    };
    let status = |served: &Served, token: &str| served.ask("GET", "/v1/recipe", token, "").0;
    assert_eq!((status(&served, &first), status(&served, &second)), (200, 401));
    room.write("tokens.toml", &other);
    served.signal("-HUP");
    served.wait_for("a file was read again");
    assert_eq!((status(&served, &first), status(&served, &second)), (401, 200));
    for bad in ["", "token = []", "[[token]]\nname = \"x\"\n"] {
        room.write("tokens.toml", bad);
        served.said.clear();
        served.signal("-HUP");
        served.wait_for("its earlier content stays in force");
        assert_eq!((status(&served, &first), status(&served, &second)), (401, 200));
        figure(&served, 0);
    }
    room.write("tokens.toml", &other);
    served.signal("-HUP");
    served.wait_for("a file was read again");
    figure(&served, 1);
    served.signal("-TERM");
    assert_eq!(served.end().0, Some(0));
}

#[test]
fn who_drains_takes_requests_and_says_that_it_takes_none() {
    let room = room();
    let mut served = Served::on(&room, &["--drain", "60"]);
    assert_eq!(served.ask("GET", "/readyz", "", "").0, 200);
    let begun = std::time::Instant::now();
    served.signal("-TERM");
    served.wait_for("draining");
    for path in ["/readyz", "/readyz?for=reads", "/readyz?for=writes"] {
        assert_eq!(served.ask("GET", path, "", "").0, 503, "{path}");
    }
    assert_eq!(served.ask("GET", "/nothing", "", "").0, 404);
    served.wait_for("status=404");
    assert!(!served.said.contains("/readyz"), "{}", served.said);
    // On a new connection, and for writes.
    assert_eq!(served.ask("POST", "/v1/add", "", &line(1)).0, 200);
    served.signal("-TERM");
    assert_eq!(served.end().0, Some(0));
    assert!(begun.elapsed() < Duration::from_secs(30), "the second signal ends it at once");
    // Who waits is ended by the time.
    let mut served = Served::on(&room, &["--drain", "1"]);
    assert_eq!(served.ask("GET", "/healthz", "", "").0, 200);
    served.signal("-TERM");
    served.wait_for("draining");
    assert_eq!(served.end().0, Some(0));
}

#[test]
fn a_batch_whose_answers_nobody_reads_is_in_the_log() {
    let room = room();
    let mut served = Served::on(&room, &["--request-timeout", "1", "--log-json"]);
    let mut stream = TcpStream::connect(&served.address).unwrap();
    stream.set_write_timeout(Some(Duration::from_millis(500))).unwrap();
    let head = "POST /v1/batch?op=check HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\nX-Request-Id: slow\r\n\r\n";
    stream.write_all(head.as_bytes()).unwrap();
    let long = "x".repeat(4000);
    let lines: String = (0..100)
        .map(|_| json!({ "id": long, "fingerprint": "00000000000000ff" }).to_string() + "\n")
        .collect();
    let chunk = format!("{:x}\r\n{lines}\r\n", lines.len());
    while stream.write_all(chunk.as_bytes()).is_ok() {}
    served.wait_for("a batch stalls");
    let told = served.said.lines().find(|line| line.contains("a batch stalls")).unwrap();
    let told: Value = serde_json::from_str(told).unwrap();
    assert_eq!(
        (&told["level"], &told["id"], &told["op"]),
        (&json!("WARN"), &json!("slow"), &json!("check"))
    );
    assert!(told["client"].as_str().unwrap().starts_with("127.0.0.1:"), "{told}");
}

#[test]
fn a_token_that_is_taken_back_ends_what_goes_on() {
    let room = room();
    let made = |name: &str| {
        let made = room.run(&["token", name, "--scope", "write"]).done();
        let secret = made.stderr.trim().rsplit(' ').next().unwrap().to_owned();
        (format!("Authorization: Bearer {secret}\r\n"), made.text().to_owned())
    };
    let ((token, entry), (_, other)) = (made("first"), made("second"));
    room.write("tokens.toml", format!("{entry}{other}"));
    let mut served = Served::on(&room, &["--tokens", "tokens.toml"]);
    let begin = |line: &str, head: &str| {
        let mut stream = TcpStream::connect(&served.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let head = format!("{line} HTTP/1.1\r\nHost: 127.0.0.1\r\n{token}{head}\r\n");
        stream.write_all(head.as_bytes()).unwrap();
        BufReader::new(stream)
    };
    let mut changes = begin("GET /v1/changes", "");
    let mut batch = begin("POST /v1/batch?op=add", "Transfer-Encoding: chunked\r\n");
    let send = |batch: &mut BufReader<TcpStream>, id| {
        let line = line(id) + "\n";
        let chunk = format!("{:x}\r\n{line}\r\n", line.len());
        batch.get_mut().write_all(chunk.as_bytes()).unwrap();
    };
    // Reads until these words, or the end; returns the line.
    let until = |from: &mut BufReader<TcpStream>, words: &str| {
        let begun = std::time::Instant::now();
        loop {
            let mut line = String::new();
            if from.read_line(&mut line).unwrap() == 0 || line.contains(words) {
                return line;
            }
            assert!(begun.elapsed() < Duration::from_secs(60), "{words}: not in {line}");
        }
    };
    send(&mut batch, 1);
    assert!(until(&mut batch, "verdict").contains("\"new\""));
    assert!(until(&mut changes, "\"id\":\"1\"").contains("\"1\""));
    room.write("tokens.toml", other);
    served.signal("-HUP");
    served.wait_for("a file was read again");
    assert_eq!(until(&mut changes, "nothing that comes"), "", "the stream ends");
    served.wait_for("the token of this request was taken back");
    let told = served.said.lines().find(|line| line.contains("was taken back")).unwrap();
    assert!(told.contains("asker=\"first\"") && told.contains("id="), "{told}");
    send(&mut batch, 2);
    let refused = until(&mut batch, "verdict");
    assert!(refused.contains("\"refused\"") && refused.contains("401"), "{refused}");
    drop(served);
    room.run(&["store", "get", "codes", "1"]).done();
    assert_eq!(room.run(&["store", "get", "codes", "2"]).code, Some(1));
}

#[test]
fn the_log_tells_once_that_writes_fail_and_who_began_what_task() {
    let room = room();
    let made = room.run(&["token", "keeper", "--scope", "admin"]).done();
    let secret = made.stderr.trim().rsplit(' ').next().unwrap().to_owned();
    let head = format!("Authorization: Bearer {secret}\r\nContent-Type: application/json\r\n");
    room.write("tokens.toml", made.text());
    let flags = ["--tokens", "tokens.toml", "--log-json", "--forget-after", "90s"];
    let mut served = Served::on(&room, &flags);
    let lines: String = (0..50).map(|id| line(id) + "\n").collect();
    let add = |served: &Served| {
        let head = head.replace("application/json", "application/x-ndjson");
        served.ask("POST", "/v1/batch?op=add", &head, &lines).1
    };
    assert_eq!(add(&served).matches("\"new\"").count(), 50);
    let delete = r#"{"prefix":"4"}"#;
    // A round that looks for old documents may be under way.
    while served.ask("POST", "/v1/deletions", &head, delete).0 == 409 {}
    served.wait_for("a task ended");
    let told = |served: &Served, words: &str| -> Vec<Value> {
        let lines = served.said.lines().filter(|line| line.contains(words));
        lines.map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let begun = &told(&served, "a task begins")[0];
    assert_eq!([&begun["asker"], &begun["what"]], ["keeper", "ids that begin with \"4\""]);
    let ended = &told(&served, "a task ended")[0];
    assert_eq!(ended["what"], "ids that begin with \"4\": 11 documents");
    // Rounds that find nothing old are not told of, and take nothing from the task before.
    thread::sleep(Duration::from_millis(2500));
    let state = served.ask("GET", "/v1/deletions", &head, "").1;
    let state: Value = serde_json::from_str(&state).unwrap();
    assert_eq!(
        [&state["ended"]["prefix"], &state["ended"]["documents"]],
        [&json!("4"), &json!(11)]
    );
    std::fs::rename(room.path("codes/segments"), room.path("away")).unwrap();
    // A folder that is gone would be made anew.
    room.write("codes/segments", "");
    assert_eq!(served.ask("POST", "/v1/compact", &head, "").0, 202);
    served.wait_for("writes fail");
    let refused = add(&served);
    assert_eq!(refused.matches("\"refused\"").count(), 50, "{refused}");
    std::fs::remove_file(room.path("codes/segments")).unwrap();
    std::fs::rename(room.path("away"), room.path("codes/segments")).unwrap();
    served.wait_for("the store takes writes again");
    served.signal("-TERM");
    let (_, said) = served.end();
    let refused = said.lines().find(|line| line.contains("lines of a batch were refused")).unwrap();
    let refused: Value = serde_json::from_str(refused).unwrap();
    assert_eq!([&refused["asker"], &refused["op"]], ["keeper", "add"]);
    for (words, count) in
        [("writes fail", 1), ("lines of a batch were refused", 1), ("a task ended", 1)]
    {
        assert_eq!(said.matches(words).count(), count, "{words}: {said}");
    }
}

#[test]
fn what_would_fail_or_delete_everything_later_is_told_at_the_start() {
    let room = room();
    let served = Served::on(&room, &["--snapshots", "backups/pages"]);
    assert!(served.said.contains("snapshots will fail"), "{}", served.said);
    drop(served);
    let run = room.run(&["serve", "codes", "--forget-after", "0s"]);
    assert!(run.code == Some(2) && run.stderr.contains("every document"), "{run:?}");
}
