//! Entries on their way to a sort.

/// Entries that go to a sort at a time.
const TOGETHER: usize = 1 << 10;

/// Hands entries to a sort, many at a time.
pub(crate) struct Batched<'a, E> {
    emit: &'a (dyn Fn(&[E]) + Sync),
    waiting: Vec<E>,
}

impl<'a, E> Batched<'a, E> {
    pub(crate) fn new(emit: &'a (dyn Fn(&[E]) + Sync)) -> Self {
        Self { emit, waiting: Vec::with_capacity(TOGETHER) }
    }

    pub(crate) fn push(&mut self, entry: E) {
        self.waiting.push(entry);
        if self.waiting.len() == TOGETHER {
            self.flush();
        }
    }

    pub(crate) fn flush(&mut self) {
        (self.emit)(&self.waiting);
        self.waiting.clear();
    }
}
