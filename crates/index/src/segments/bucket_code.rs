//! Buckets around the codewords of perfect codes: a ball of radius r meets far fewer of them than
//! buckets that share leading bits. The layout says which bits of a fingerprint are coded.

/// Bits that a code takes in: the top half of a word of a permuted fingerprint.
pub(crate) const CODED_BITS: u32 = 32;
/// Largest radius for which buckets around a query are listed.
pub(crate) const MAX_BALL_RADIUS: u32 = 4;

/// Groups of bits, each bucketed by its nearest codeword: `(bits, check bits)`. A group of
/// `2^m - 1` bits with `m` check bits is a Hamming code, where every word is within one bit of
/// exactly one codeword; a group without check bits is its own index.
type Group = (u32, u32);

const H5: Group = (31, 5);
const H4: Group = (15, 4);
const H3: Group = (7, 3);

/// A bijection on 32 bits that puts a bucket's number on top: `bucket | syndrome | rest`.
///
/// A word is in the bucket whose codewords are nearest to the word's groups. A syndrome
/// tells where in its sphere a word lies; the rest are bits that no group takes in.
///
/// # References
/// Hamming codes are perfect: MacWilliams and Sloane, "The Theory of Error-Correcting Codes", 1.7.
/// Bucketing by them for Hamming search is the idea of Berkovich's FuzzyFind (there with the Golay
/// code).
#[derive(Clone, Debug)]
pub(crate) struct BucketCode {
    bucket_bits: u32,
    syndrome_bits: u32,
    rest_bits: u32,
    /// `info << 32 | syndrome` of the bits of one byte of the word, by byte; linear, so that the
    /// four combine by exclusive or.
    linear: Box<[[u64; 256]; 4]>,
    /// What the nearest codeword's info bits differ in, by syndrome.
    correction: Vec<u32>,
    /// The difference between a word and its codeword, by syndrome.
    leaders: Vec<u32>,
    /// The codeword of the bits of one byte of the bucket's number, by byte; linear.
    codewords: Box<[[u32; 256]; 4]>,
}

/// A word of 32 bits, taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) bucket: u32,
    pub(crate) syndrome: u32,
}

impl BucketCode {
    /// The code over the leading `room` bits with `bucket_bits` bits, 1 to 27 and no more than
    /// `room` of them. As many bits as possible come from perfect codes.
    pub(crate) fn new(room: u32, bucket_bits: u32) -> Self {
        let mut groups = Vec::new();
        let mut room = room.clamp(1, CODED_BITS);
        let mut left = bucket_bits.clamp(1, room.min(27));
        for group in [H5, H4, H4, H3, H3, H3] {
            let (bits, checks) = group;
            let info = bits - checks;
            // Plain bits must be left enough for what no further group gives.
            if info <= left && bits <= room && left - info <= room - bits {
                groups.push(group);
                (left, room) = (left - info, room - bits);
            }
        }
        groups.push((left, 0));
        Self::of_groups(&groups)
    }

    /// The code whose buckets share their leading `bucket_bits` bits, 1 to 32 of them.
    pub(crate) fn plain(bucket_bits: u32) -> Self {
        Self::of_groups(&[(bucket_bits.clamp(1, CODED_BITS), 0)])
    }

    fn of_groups(groups: &[Group]) -> Self {
        let sum = |part: fn(&Group) -> u32| groups.iter().map(part).sum::<u32>();
        let (bits, syndrome_bits) = (sum(|group| group.0), sum(|group| group.1));
        let mut code = Self {
            bucket_bits: bits - syndrome_bits,
            syndrome_bits,
            rest_bits: CODED_BITS - bits,
            linear: Box::new([[0; 256]; 4]),
            correction: Vec::new(),
            leaders: Vec::new(),
            codewords: Box::new([[0; 256]; 4]),
        };
        for (byte, table) in (0_u32..).zip(code.linear.iter_mut()) {
            for (value, entry) in (0_u32..).zip(table.iter_mut()) {
                *entry = linear_part(groups, value << (8 * byte));
            }
        }
        for (byte, table) in (0_u32..).zip(code.codewords.iter_mut()) {
            for (value, entry) in (0_u32..).zip(table.iter_mut()) {
                let index = u64::from(value) << (8 * byte);
                if index >> code.bucket_bits == 0 {
                    *entry = codeword(groups, value << (8 * byte));
                }
            }
        }
        for syndrome in 0..1_u32 << syndrome_bits {
            let leader = leader(groups, syndrome);
            code.leaders.push(leader);
            code.correction.push(high(linear_part(groups, leader)));
        }
        code
    }

    /// The number of bits of a bucket's number.
    pub(crate) fn bucket_bits(&self) -> u32 {
        self.bucket_bits
    }

    /// Where `word` lies.
    #[inline]
    pub(crate) fn place(&self, word: u32) -> Place {
        let [b0, b1, b2, b3] = word.to_le_bytes().map(usize::from);
        let [t0, t1, t2, t3] = &*self.linear;
        let sum = t0[b0] ^ t1[b1] ^ t2[b2] ^ t3[b3];
        let syndrome = low(sum);
        Place { bucket: high(sum) ^ self.correction[syndrome as usize], syndrome }
    }

    /// The word as `bucket | syndrome | rest`.
    #[inline]
    pub(crate) fn encode(&self, word: u32) -> u32 {
        let Place { bucket, syndrome } = self.place(word);
        let below = self.syndrome_bits + self.rest_bits;
        low(u64::from(bucket) << below) | syndrome << self.rest_bits | word & self.rest_mask()
    }

    /// The word that [`Self::encode`] gave `key` for.
    #[inline]
    pub(crate) fn decode(&self, key: u32) -> u32 {
        let below = self.syndrome_bits + self.rest_bits;
        let bucket = low(u64::from(key) >> below);
        self.base(bucket) ^ self.offset(key)
    }

    /// The codeword of a bucket.
    #[inline]
    pub(crate) fn base(&self, bucket: u32) -> u32 {
        let [b0, b1, b2, b3] = bucket.to_le_bytes().map(usize::from);
        let [t0, t1, t2, t3] = &*self.codewords;
        t0[b0] ^ t1[b1] ^ t2[b2] ^ t3[b3]
    }

    /// What a word differs from its bucket's codeword in, by the low bits of its key.
    #[inline]
    pub(crate) fn offset(&self, key: u32) -> u32 {
        let syndrome = key >> self.rest_bits & !(u32::MAX << self.syndrome_bits);
        self.leaders[syndrome as usize] | key & self.rest_mask()
    }

    fn rest_mask(&self) -> u32 {
        !low(u64::MAX << self.rest_bits)
    }

    /// The number of syndromes.
    pub(crate) fn syndromes(&self) -> usize {
        self.leaders.len()
    }

    /// The mean number of buckets that a ball of `radius` bits meets, by a few centres.
    #[expect(clippy::cast_precision_loss, reason = "small numbers")]
    pub(crate) fn mean_ball(&self, radius: u32) -> f64 {
        // Spread over all groups: a golden ratio apart.
        let syndromes = u32::try_from(self.syndromes()).unwrap_or(u32::MAX);
        let few = (0..syndromes.min(16)).map(|i| i.wrapping_mul(0x9e37_79b9) % syndromes);
        let sizes: Vec<usize> = few.map(|syndrome| self.ball(radius, syndrome).len()).collect();
        sizes.iter().sum::<usize>() as f64 / sizes.len() as f64
    }

    /// What the numbers of the buckets that a ball of `radius` bits meets differ from its centre's
    /// own in, ascending, by the centre's syndrome: the own bucket, 0, is the first.
    ///
    /// Radii above [`MAX_BALL_RADIUS`] are not offered.
    pub(crate) fn ball(&self, radius: u32, syndrome: u32) -> Vec<u32> {
        let mut flips = vec![0_u32];
        let mut shell = vec![(0_u32, self.rest_bits)];
        for _ in 0..radius.min(MAX_BALL_RADIUS) {
            shell = shell
                .iter()
                .flat_map(|&(flip, from)| (from..CODED_BITS).map(move |b| (flip | 1 << b, b + 1)))
                .collect();
            flips.extend(shell.iter().map(|&(flip, _)| flip));
        }
        let centre = self.leaders[syndrome as usize];
        let mut buckets: Vec<u32> =
            flips.iter().map(|flip| self.place(centre ^ flip).bucket).collect();
        buckets.sort_unstable();
        buckets.dedup();
        buckets
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the low half")]
const fn low(word: u64) -> u32 {
    word as u32
}

const fn high(word: u64) -> u32 {
    low(word >> 32)
}

/// The groups of a word with the shift of each: the first is on top.
fn placed(groups: &[Group]) -> impl Iterator<Item = (Group, u32)> {
    let mut shift = CODED_BITS;
    groups.iter().map(move |&group| {
        shift -= group.0;
        (group, shift)
    })
}

/// The column of the check matrix for info bit `i`: the numbers with two bits and more, in order.
fn columns(checks: u32) -> impl Iterator<Item = u32> {
    (1..1_u32 << checks).filter(|column| column.count_ones() > 1)
}

/// The check bits that belong to the info bits of a codeword.
fn check_bits(info: u32, checks: u32) -> u32 {
    let columns = columns(checks).enumerate().filter(|(i, _)| info >> i & 1 == 1);
    columns.fold(0, |sum, (_, column)| sum ^ column)
}

/// `info << 32 | syndrome` of a word, before the nearest codeword is found.
fn linear_part(groups: &[Group], word: u32) -> u64 {
    let (mut info, mut syndrome) = (0_u64, 0_u64);
    for ((bits, checks), shift) in placed(groups) {
        let group = low(u64::from(word) >> shift & !(u64::MAX << bits));
        let (of_group, check) = (group >> checks, group & !(u32::MAX << checks));
        info = info << (bits - checks) | u64::from(of_group);
        syndrome = syndrome << checks | u64::from(check ^ check_bits(of_group, checks));
    }
    info << 32 | syndrome
}

/// The word of least weight in each group that has this syndrome.
fn leader(groups: &[Group], syndrome: u32) -> u32 {
    let mut left: u32 = groups.iter().map(|group| group.1).sum();
    let mut word = 0;
    for ((_, checks), shift) in placed(groups) {
        left -= checks;
        let own = syndrome >> left & !(u32::MAX << checks);
        let info = columns(checks).position(|column| column == own);
        let bit = info.map_or(own, |i| 1 << (checks as usize + i));
        word |= low(u64::from(bit) << shift);
    }
    word
}

/// The codeword with these info bits.
fn codeword(groups: &[Group], info: u32) -> u32 {
    let mut left: u32 = groups.iter().map(|(bits, checks)| bits - checks).sum();
    let mut word = 0;
    for ((bits, checks), shift) in placed(groups) {
        left -= bits - checks;
        let own = low(u64::from(info) >> left & !(u64::MAX << (bits - checks)));
        word |= low(u64::from(own << checks | check_bits(own, checks)) << shift);
    }
    word
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_bucket_size_is_offered() {
        for bits in 1..=27 {
            let code = BucketCode::new(32, bits);
            assert_eq!(code.bucket_bits(), bits);
            assert_eq!(code.bucket_bits + code.syndrome_bits + code.rest_bits, CODED_BITS);
        }
        assert_eq!(BucketCode::new(32, 26).syndrome_bits, 5);
        assert_eq!(BucketCode::new(32, 24).syndrome_bits, 8);
        assert_eq!(BucketCode::new(32, 20).syndrome_bits, 10);
    }

    #[test]
    fn balls_meet_as_few_buckets_as_the_codes_promise() {
        for (bits, radius, mean) in [
            (16, 1, 11.4),
            (20, 1, 14.1),
            (24, 1, 16.2),
            (26, 1, 15.8),
            (24, 2, 142.0),
            (20, 2, 108.0),
        ] {
            let code = BucketCode::new(32, bits);
            let syndromes = 0..u32::try_from(code.syndromes()).unwrap();
            let sum: usize = syndromes.map(|syndrome| code.ball(radius, syndrome).len()).sum();
            let met = sum as f64 / code.syndromes() as f64;
            assert!((met - mean).abs() < 0.06 * mean, "{bits} bits, radius {radius}: {met}");
            let few = code.mean_ball(radius);
            assert!(
                (few - mean).abs() < 0.2 * mean,
                "{bits} bits, radius {radius}: {few} by a few"
            );
        }
    }

    #[test]
    fn a_code_keeps_to_its_room() {
        for (room, bits) in [(21, 17), (22, 17), (16, 16), (5, 9), (32, 27)] {
            let code = BucketCode::new(room, bits);
            assert_eq!(code.bucket_bits(), bits.min(room));
            assert!(code.rest_bits >= CODED_BITS - room);
        }
    }

    proptest! {
        #[test]
        fn encoding_is_a_bijection(word: u32, bits in 1_u32..28) {
            let code = BucketCode::new(32, bits);
            let key = code.encode(word);
            prop_assert_eq!(code.decode(key), word);
            prop_assert_eq!(u64::from(key) >> (32 - bits), u64::from(code.place(word).bucket));
            prop_assert_eq!(code.base(code.place(word).bucket) ^ code.offset(key), word);
        }

        #[test]
        fn a_ball_finds_every_word_within_its_radius(
            word: u32, bits in 1_u32..28, flips in prop::collection::btree_set(0_u32..32, 0..4),
        ) {
            let code = BucketCode::new(32, bits);
            let other = flips.iter().fold(word, |word, bit| word ^ 1 << bit);
            let (from, to) = (code.place(word), code.place(other));
            let radius = u32::try_from(flips.len()).unwrap();
            let ball = code.ball(radius, from.syndrome);
            prop_assert!(ball.binary_search(&(from.bucket ^ to.bucket)).is_ok());
            prop_assert_eq!(ball[0], 0);
        }
    }
}
