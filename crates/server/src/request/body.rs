//! The body of a request, whole and within its limits: its own, and that of all bodies together.

use crate::config::Config;
use crate::request::allowance::{Allowance, Held, Share};
use crate::request::inflater::Inflater;
use crate::request::problem::{Kind, Problem};
use crate::request::threads::Threads;
use axum::body::Body;
use axum::http::{HeaderMap, Request, header};
use bytes::Bytes;
use futures_util::future::ready;
use futures_util::{StreamExt, stream};
use http_body_util::BodyExt;
use std::time::Duration;
use tokio::time::timeout;

/// Bytes that are decompressed at a time. A body that decompresses to more does so on a thread apart.
pub(crate) const ROOM: usize = 64 << 10;
/// Bytes of a decoder that goes on behind the first piece.
const DECODER: usize = 8 << 20;

/// Reads the body of a request: JSON within the limit, before and after decompression. Its share of the memory for bodies
/// is taken as long as the bytes are kept.
pub(crate) async fn read(
    request: Request<Body>,
    config: &Config,
    threads: &Threads,
    allowance: &Allowance,
) -> Result<Bytes, Problem> {
    let (parts, body) = request.into_parts();
    check_type(&parts.headers, &["application/json"])?;
    let limit = config.max_body;
    if content_length(&parts.headers).is_some_and(|length| length > limit as u64) {
        return Err(too_large(limit));
    }
    let inflater = Inflater::of(&parts.headers)?;
    let reading = async {
        let (body, share) = collect(body, limit, allowance.share()).await?;
        if inflater.is_plain() {
            return Ok(Bytes::from_owner(Shared { body, _share: share }));
        }
        inflated(body, share, inflater, limit, threads).await
    };
    timeout(config.request_time(), reading).await.map_err(|_| slow())?
}

/// Reads the body of a request that needs none, so that the connection can serve the next one.
pub(crate) async fn pass_over(request: Request<Body>, config: &Config) -> Result<(), Problem> {
    let mut body = request.into_body();
    let reading = async {
        let mut passed = 0;
        while let Some(frame) = body.frame().await {
            let frame = frame.map_err(|_| cut())?;
            passed += frame.data_ref().map_or(0, Bytes::len);
            if passed > config.max_body {
                return Err(too_large(config.max_body));
            }
        }
        Ok(())
    };
    timeout(config.request_time(), reading).await.map_err(|_| slow())?
}

/// The body, of which something has arrived where the client waits for a word before it sends any
/// (`Expect: 100-continue`): that word is sent when the body is asked for, and never after the head of an answer.
pub(crate) async fn begun(
    headers: &HeaderMap,
    mut body: Body,
    patience: Duration,
) -> Result<Body, Problem> {
    if !headers.contains_key(header::EXPECT) {
        return Ok(body);
    }
    let first = timeout(patience, body.frame()).await.map_err(|_| slow())?;
    let first = match first {
        Some(frame) => frame.map_err(|_| cut())?.into_data().unwrap_or_default(),
        None => Bytes::new(),
    };
    Ok(Body::from_stream(stream::once(ready(Ok(first))).chain(body.into_data_stream())))
}

/// The body as it arrives, with its share of the memory for bodies.
async fn collect(
    mut body: Body,
    limit: usize,
    mut share: Share,
) -> Result<(Bytes, Share), Problem> {
    let (mut first, mut whole) = (Bytes::new(), Vec::new());
    while let Some(frame) = body.frame().await {
        let Ok(data) = frame.map_err(|_| cut())?.into_data() else { continue };
        if first.len() + whole.len() + data.len() > limit {
            return Err(too_large(limit));
        }
        share.grow(first.len() + whole.len() + data.len())?;
        // Most bodies come in one piece, which needs no copy.
        if first.is_empty() && whole.is_empty() {
            first = data;
            continue;
        }
        whole.extend_from_slice(&std::mem::take(&mut first));
        whole.extend_from_slice(&data);
    }
    Ok((if whole.is_empty() { first } else { whole.into() }, share))
}

/// A body that was not compressed, with its share.
struct Shared {
    body: Bytes,
    _share: Share,
}

impl AsRef<[u8]> for Shared {
    fn as_ref(&self) -> &[u8] {
        &self.body
    }
}

/// Decompresses a body: at once if it is small, else on a thread apart.
async fn inflated(
    mut body: Bytes,
    mut share: Share,
    mut inflater: Inflater,
    limit: usize,
    threads: &Threads,
) -> Result<Bytes, Problem> {
    let mut whole = vec![0; ROOM];
    let made = inflater.inflate(&mut body, &mut whole)?;
    if made == whole.len() {
        share.grow(body.len() + whole.len() + DECODER)?;
        let rest = move || inflate_all(body, inflater, Held { bytes: whole, _share: share }, limit);
        return threads.for_request(rest).await?;
    }
    inflater.finish()?;
    if made > limit {
        return Err(too_large(limit));
    }
    share.grow(made)?;
    whole.truncate(made);
    whole.shrink_to_fit();
    Ok(Bytes::from_owner(Held { bytes: whole, _share: share }))
}

/// Decompresses the rest of a body, whose beginning fills `whole`.
fn inflate_all(
    mut body: Bytes,
    mut inflater: Inflater,
    mut held: Held,
    limit: usize,
) -> Result<Bytes, Problem> {
    loop {
        let Held { bytes: whole, _share: share } = &mut held;
        let begin = whole.len();
        // One byte over the limit shows that the body is too large.
        let end = (2 * begin).min(limit.saturating_add(1));
        if begin >= end {
            return Err(too_large(limit));
        }
        share.grow(body.len() + end + DECODER)?;
        whole.resize(end, 0);
        let (_, room) = whole.split_at_mut(begin);
        let made = inflater.inflate(&mut body, room)?;
        if made < end - begin {
            inflater.finish()?;
            whole.truncate(begin + made);
            return Ok(Bytes::from_owner(held));
        }
    }
}

/// Refuses a body whose head names another media type than `types`.
pub(crate) fn check_type(headers: &HeaderMap, types: &[&str]) -> Result<(), Problem> {
    let Some(stated) = headers.get(header::CONTENT_TYPE) else { return Ok(()) };
    let essence = stated.to_str().unwrap_or_default().split(';').next().unwrap_or_default().trim();
    if types.iter().any(|known| essence.eq_ignore_ascii_case(known)) {
        return Ok(());
    }
    let known = types.first().copied().unwrap_or_default();
    Err(Problem::new(Kind::MediaType, format!("send the body as {known}")))
}

fn content_length(headers: &HeaderMap) -> Option<u64> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

fn too_large(limit: usize) -> Problem {
    Problem::new(
        Kind::TooLarge,
        format!("the body has more than {limit} bytes, before or after decompression"),
    )
}

pub(crate) fn slow() -> Problem {
    Problem::new(Kind::SlowBody, "the body did not arrive in time")
}

pub(crate) fn cut() -> Problem {
    Problem::new(Kind::Body, "the connection ended before the body was complete")
}
