//! A connection that ends after some time without traffic, so that a client that stalls frees its place. It ends such
//! that the client gets the last answer, also if it is still sending.

use std::io;
use std::mem::MaybeUninit;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

/// How long a connection that is closed reads on at most. If one is closed with bytes unread, the system resets it, and
/// a client that is still sending may not read its last answers.
const LINGER: Duration = Duration::from_secs(2);
/// The pause of such a client after which it counts as gone.
const GONE: Duration = Duration::from_millis(250);
/// Bytes that are read at a time, then.
const UNREAD: usize = 16 << 10;

/// A stream that fails after a pause of `patience`.
pub(crate) struct Idle<S> {
    stream: S,
    patience: Duration,
    /// When bytes last came or went.
    moved: Instant,
    alarm: Pin<Box<Sleep>>,
    /// Until when the connection reads on, if it is closed.
    closed: Option<Instant>,
}

impl<S> Idle<S> {
    pub(crate) fn new(stream: S, patience: Duration) -> Self {
        let alarm = Box::pin(sleep(patience));
        Self { stream, patience, moved: Instant::now(), alarm, closed: None }
    }

    /// Notes traffic, or fails if there was none for too long.
    fn watch<T>(
        &mut self,
        context: &mut Context<'_>,
        moved: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if moved.is_ready() {
            self.moved = Instant::now();
            return moved;
        }
        loop {
            ready!(self.alarm.as_mut().poll(context));
            // The alarm is set again only when it rings: that costs less than with all traffic.
            let due = self.moved + self.patience;
            if due <= Instant::now() {
                return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
            }
            self.alarm.as_mut().reset(due);
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Idle<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        self.watch(context, read)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Idle<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.watch(context, written)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(context);
        self.watch(context, flushed)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let until = match self.closed {
            Some(until) => until,
            None => {
                let shut = Pin::new(&mut self.stream).poll_shutdown(context);
                ready!(self.watch(context, shut))?;
                self.alarm.as_mut().reset(Instant::now() + GONE);
                *self.closed.insert(Instant::now() + LINGER)
            }
        };
        let mut unread = [MaybeUninit::uninit(); UNREAD];
        while self.alarm.as_mut().poll(context).is_pending() {
            let mut buffer = ReadBuf::uninit(&mut unread);
            match ready!(Pin::new(&mut self.stream).poll_read(context, &mut buffer)) {
                Ok(()) if !buffer.filled().is_empty() => {
                    self.alarm.as_mut().reset(until.min(Instant::now() + GONE));
                }
                // The client has closed its side too.
                _ => break,
            }
        }
        Poll::Ready(Ok(()))
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, bytes);
        self.watch(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}
