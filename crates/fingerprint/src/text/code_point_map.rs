//! A function of characters as a table. [`crate::scanners::char_table`] and
//! [`crate::scanners::char_scanner`] decide what the function computes.

/// Characters that are worked out together.
const CHUNK: usize = 64;

/// What a function says of each character, worked out once for 64 of them at a time, when the first
/// is met.
#[derive(Clone, Debug)]
pub(crate) struct CodePointMap<T> {
    /// For each chunk of code points, one more than its number in `chunks`; 0 if the chunk is not known yet.
    numbers: Vec<u16>,
    chunks: Vec<[T; CHUNK]>,
}

impl<T> Default for CodePointMap<T> {
    fn default() -> Self {
        Self { numbers: Vec::new(), chunks: Vec::new() }
    }
}

impl<T: Copy + PartialEq> CodePointMap<T> {
    /// `make(c)`, where `make` is the same function at every call.
    #[inline(always)]
    pub(crate) fn get(&mut self, c: char, make: impl Fn(char) -> T) -> T {
        let point = c as usize;
        let number = self.numbers.get(point / CHUNK).copied().unwrap_or(0);
        match self.chunks.get(usize::from(number).wrapping_sub(1)) {
            Some(chunk) => chunk[point % CHUNK],
            None => self.learn(point, make),
        }
    }

    #[cold]
    fn learn(&mut self, point: usize, make: impl Fn(char) -> T) -> T {
        let first = point / CHUNK * CHUNK;
        let chunk = std::array::from_fn(|i| {
            let c = u32::try_from(first + i).ok().and_then(char::from_u32);
            make(c.unwrap_or(char::REPLACEMENT_CHARACTER))
        });
        // Equal chunks, such as those of the classes of Han, are kept once.
        let number = self.chunks.iter().position(|known| *known == chunk).unwrap_or_else(|| {
            self.chunks.push(chunk);
            self.chunks.len() - 1
        });
        let at = point / CHUNK;
        if self.numbers.len() <= at {
            self.numbers.resize(at + 1, 0);
        }
        self.numbers[at] = u16::try_from(number + 1).unwrap_or(0);
        chunk[point % CHUNK]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_map_is_the_function_and_equal_chunks_are_one() {
        let mut map = CodePointMap::default();
        let make = |c: char| (c.is_alphabetic(), u32::from(c) % 64);
        for c in ['\u{10ffff}', '\0', '上', '中', 'é', '上', '\u{d7ff}', '\u{e000}'] {
            assert_eq!(map.get(c, make), make(c), "{c:?}");
        }
        let mut constant = CodePointMap::default();
        ('\0'..='\u{ffff}').for_each(|c| assert!(constant.get(c, |_| true)));
        assert_eq!(constant.chunks.len(), 1);
    }
}
