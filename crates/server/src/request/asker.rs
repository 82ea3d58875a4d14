//! Who asks, for lines of the log that are written after the answer has begun.

use crate::request::arrival::Arrival;
use crate::request::guard::Caller;
use axum::http::Extensions;
use std::sync::Arc;

/// Who asks, as the log has it.
#[derive(Clone)]
pub(crate) struct Asker {
    /// The id of the request and the client, if they were noted when it arrived.
    pub(crate) id: Option<String>,
    pub(crate) client: Option<String>,
    /// The name of the token, or what stands for one.
    pub(crate) name: String,
}

impl Asker {
    pub(crate) fn of(request: &Extensions, caller: &Caller) -> Self {
        let arrival = request.get::<Arc<Arrival>>();
        let id = arrival.map(|arrival| arrival.id.to_str().unwrap_or_default().to_owned());
        let client = arrival.map(|arrival| arrival.client.to_string());
        Self { id, client, name: caller.name().to_owned() }
    }
}
