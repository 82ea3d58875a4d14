//! `nearprint ping`: it tells whether a service is ready, and what is wrong with whoever answers.

use crate::serve::{Served, room};
use std::io::{Read, Write};
use std::net::TcpListener;
use std::thread;

#[test]
fn ping_tells_whether_a_service_is_ready() {
    let room = room();
    let served = Served::on(&room, &["--drain", "60"]);
    let url = format!("http://{}", served.address);
    let ping = |url: &str| room.run(&["ping", url, "--timeout", "5"]);
    assert_eq!(ping(&url).done().text(), "");
    ping(&format!("{url}/readyz?for=reads")).done();
    ping(&format!("{url}/healthz")).done();
    ping(&format!("{url}/nothing")).refused(1, &format!("{url}/nothing: not ready: 404 there is nothing at this path; /openapi.json lists all paths"));
    let mut served = served;
    served.signal("-TERM");
    served.wait_for("draining");
    ping(&url).refused(1, &format!("{url}: not ready: 503 the server is being stopped"));
    served.signal("-TERM");
    served.end();
    let gone = ping(&url);
    assert_eq!(gone.code, Some(1));
    assert!(gone.stderr.contains(&url) && gone.stderr.contains("refused"), "{}", gone.stderr);
    assert!(gone.stderr.ends_with("; is `nearprint serve` running there?\n"), "{}", gone.stderr);
    for wrong in ["ftp://127.0.0.1", "127.0.0.1:7878", "http://", "http://a b/", "http://a@b/"] {
        assert_eq!(ping(wrong).code, Some(2), "{wrong}");
    }
    // Who answers something else, or nothing.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let odd = format!("http://{}", listener.local_addr().unwrap());
    let answering = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        // What is not read would make the end a reset.
        assert!(stream.read(&mut [0; 1000]).unwrap() > 10);
        stream.write_all(b"220 mail\r\n").unwrap();
        drop(stream);
        listener
    });
    assert!(ping(&odd).stderr.contains("not HTTP"));
    let _silent = answering.join().unwrap();
    assert!(room.run(&["ping", &odd, "--timeout", "1"]).stderr.contains("no answer in time"));
}

#[test]
fn ping_asks_by_tls_and_checks_the_certificate() {
    let room = room();
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    room.write("cert.pem", made.cert.pem());
    room.write("key.pem", made.signing_key.serialize_pem());
    room.write("none.pem", "nothing");
    let served = Served::on(&room, &["--tls-certificate", "cert.pem", "--tls-key", "key.pem"]);
    let port = served.address.rsplit(':').next().unwrap();
    let ping = |url: &str, flags: &[&str]| room.run(&[&["ping", url], flags].concat());
    let (named, numbered) =
        (format!("https://localhost:{port}"), format!("https://127.0.0.1:{port}"));
    ping(&named, &["--ca", "cert.pem"]).done();
    ping(&numbered, &["--insecure"]).done();
    for (url, flags) in [(&named, &[][..]), (&numbered, &["--ca", "cert.pem"])] {
        let refused = ping(url, flags);
        assert!(refused.code == Some(1) && refused.stderr.contains("certificate"), "{refused:?}");
    }
    let plain = ping(&format!("http://127.0.0.1:{port}"), &[]);
    assert!(plain.code == Some(1) && plain.stderr.contains("ask https://"), "{plain:?}");
    let none = ping(&named, &["--ca", "none.pem"]);
    assert!(
        none.code == Some(2) && none.stderr.contains("none.pem: no certificate in it"),
        "{none:?}"
    );
}
