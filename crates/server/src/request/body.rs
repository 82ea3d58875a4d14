//! The body of a request, whole and within its limits.

use crate::config::Config;
use crate::request::inflater::Inflater;
use crate::request::problem::{Kind, Problem};
use axum::body::Body;
use axum::http::{HeaderMap, Request, header};
use bytes::Bytes;
use http_body_util::BodyExt;
use tokio::time::timeout;

/// Reads the body of a request: JSON, at most as long as the limit says, decompressed or not.
pub(crate) async fn read(request: Request<Body>, config: &Config) -> Result<Bytes, Problem> {
    let (parts, body) = request.into_parts();
    check_type(&parts.headers, &["application/json"])?;
    let limit = config.max_body;
    if content_length(&parts.headers).is_some_and(|length| length > limit as u64) {
        return Err(too_large(limit));
    }
    let mut inflater = Inflater::of(&parts.headers)?;
    let reading = collect(body, &mut inflater, limit);
    timeout(config.request_time(), reading).await.map_err(|_| slow())?
}

async fn collect(mut body: Body, inflater: &mut Inflater, limit: usize) -> Result<Bytes, Problem> {
    let plain = matches!(inflater, Inflater::Plain);
    let (mut first, mut whole) = (None::<Bytes>, Vec::new());
    let within = |whole: &mut Vec<u8>| {
        if whole.len() > limit { Err(too_large(limit)) } else { Ok(()) }
    };
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| cut())?;
        let Ok(data) = frame.into_data() else { continue };
        // Most bodies come in one piece, which needs no copy.
        if plain && whole.is_empty() && first.is_none() && data.len() <= limit {
            first = Some(data);
            continue;
        }
        whole.extend_from_slice(&first.take().unwrap_or_default());
        inflater.push(&data, &mut whole, within)?;
    }
    if let Some(all) = first {
        return Ok(all);
    }
    inflater.finish(&mut whole)?;
    within(&mut whole)?;
    Ok(whole.into())
}

/// Refuses a body that says it is of another type than `types`.
pub(crate) fn check_type(headers: &HeaderMap, types: &[&str]) -> Result<(), Problem> {
    let Some(stated) = headers.get(header::CONTENT_TYPE) else { return Ok(()) };
    let essence = stated.to_str().unwrap_or_default().split(';').next().unwrap_or_default().trim();
    if types.iter().any(|known| essence.eq_ignore_ascii_case(known)) {
        return Ok(());
    }
    let known = types.first().copied().unwrap_or_default();
    Err(Problem::new(Kind::MediaType, format!("the body is to be sent as {known}")))
}

fn content_length(headers: &HeaderMap) -> Option<u64> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

fn too_large(limit: usize) -> Problem {
    Problem::new(
        Kind::TooLarge,
        format!("the body has more than {limit} bytes, decompressed or not"),
    )
}

pub(crate) fn slow() -> Problem {
    Problem::new(Kind::SlowBody, "the body did not come in time")
}

pub(crate) fn cut() -> Problem {
    Problem::new(Kind::Body, "the body ended before its end")
}
