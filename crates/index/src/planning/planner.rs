//! Which plan serves a job best: every plan there is for a width and a radius, and the choice.
//!
//! [`crate::planning::plan`] forecasts what one plan takes. [`crate::tables::join_tables`] chooses the
//! tables of a join in memory, from the same costs.

use crate::error::Error;
use crate::planning::plan::Plan;
use crate::segments::layout::{Layout, Scheme};
use crate::tables::family::Family;

/// The name of the plan that compares with everything.
const SCAN: &str = "scan";
/// Bytes for each byte of fingerprint that a segment may take where no budget is given: enough for
/// two tables and the ids.
const GENEROUS: (u64, u64) = (5, 2);
/// Bytes for each byte of fingerprint that it may take if that is [`MUCH`] faster.
const LAVISH: u64 = 10;
/// So many times faster is worth more bytes.
const MUCH: f64 = 4.0;
/// So many times the bytes of a plan are little more.
const LITTLE_MORE: u64 = 2;
/// Most parts that are looked at: fewer bits a part than this many allow make poor buckets.
const LEAST_PART: u32 = 16;
/// Up to this radius queries are answered by tables where memory has room for them, however few the fingerprints:
/// those of a store grow.
const MAX_TABLES_K: u32 = 16;
/// Plans of two steps are offered up to this radius: `(k + 1)^2` tables.
const MAX_NESTED: usize = 7;

/// What the fingerprints are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Queries that come one by one.
    Query,
    /// Queries that come many at a time.
    Batch,
    /// All pairs of the fingerprints themselves.
    Join,
}

/// What a plan is wanted for.
///
/// # Examples
/// ```
/// use nearprint_index::{Error, Planner, Purpose, Request};
///
/// let memory = Some(1 << 20);
/// let request =
///     Request { documents: 1_000_000, width: 64, k: 3, ids: true, memory, purpose: Purpose::Query };
/// assert!(matches!(Planner::new(request)?.choose(), Err(Error::Budget { .. })));
/// # Ok::<(), nearprint_index::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// The number of fingerprints. The forecast treats them as distinct.
    pub documents: u64,
    /// Bits of a fingerprint.
    pub width: u32,
    /// The radius, in bits.
    pub k: u32,
    /// Whether the segment tells which documents have a fingerprint, and not only that some have it.
    pub ids: bool,
    /// Bytes allowed for the segment, or for what a join holds; `None` for two and a half times the
    /// fingerprints, or what the smallest plan takes, or up to ten times the fingerprints where that
    /// makes a query at least four times as fast.
    pub memory: Option<u64>,
    /// What the fingerprints are for.
    pub purpose: Purpose,
}

/// All plans for a request, the fastest first.
///
/// - `parts-P`: the fingerprint in P parts, each searched around the query ([`Scheme::Parts`]).
/// - `paper-T`: T tables of the paper: every `r - k` of `r` blocks, or two steps of `k + 1` blocks.
/// - `cover-T`: T tables of a covering design ([`Family`]).
/// - `scan`: compare with everything.
///
/// # Examples
/// ```
/// use nearprint_index::{Planner, Purpose, Request};
///
/// let request =
///     Request { documents: 1 << 34, width: 64, k: 3, ids: true, memory: None, purpose: Purpose::Batch };
/// let planner = Planner::new(request)?;
/// let twenty = planner.named("paper-20")?;
/// assert_eq!((twenty.layout().tables(), twenty.prefix_bits()), (20, 31..=33));
/// assert_eq!(twenty.candidates(), 88.0);
/// assert_eq!(planner.choose()?.name(), "parts-2");
/// # Ok::<(), nearprint_index::Error>(())
/// ```
///
/// # References
/// Manku, Jain, Das Sarma, WWW 2007, section 3.1: number of tables against candidates a probe.
#[derive(Clone, Debug)]
pub struct Planner {
    request: Request,
    plans: Vec<Plan>,
}

impl Planner {
    /// Lists the plans for `request`.
    ///
    /// # Complexity
    /// Some dozens of forecasts: milliseconds, whatever the number of documents.
    ///
    /// # Errors
    /// [`Error::RadiusOverWidth`], and [`Error::Scheme`] if the width is not offered.
    pub fn new(request: Request) -> Result<Self, Error> {
        let Request { documents, width, k, ids, .. } = request;
        // Refuses a width and a radius that no scheme serves.
        let alone = Layout::new(width, k, Scheme::Scan, documents)?;
        let mut plans = vec![Plan::of_scan(SCAN.to_owned(), alone, documents, ids)];
        for (name, scheme) in schemes(width, k) {
            if let Ok(layout) = Layout::new(width, k, scheme, documents) {
                plans.push(Plan::of_tables(name, layout, k, documents, ids));
            }
        }
        let mut planner = Self { request, plans };
        planner.plans.sort_by(|a, b| planner.request.cost(a).total_cmp(&planner.request.cost(b)));
        Ok(planner)
    }

    /// The request.
    #[must_use]
    pub fn request(&self) -> &Request {
        &self.request
    }

    /// Every plan, the fastest for the job first.
    #[must_use]
    pub fn plans(&self) -> &[Plan] {
        &self.plans
    }

    /// The plan of that name.
    ///
    /// # Errors
    /// [`Error::PlanName`] if there is no such plan; it lists the names.
    pub fn named(&self, name: &str) -> Result<&Plan, Error> {
        self.plans.iter().find(|plan| plan.name() == name).ok_or_else(|| {
            let mut known: Vec<_> = self.plans.iter().map(Plan::name).collect();
            known.sort_unstable_by_key(|name| {
                let kind = name.trim_end_matches(char::is_numeric);
                (kind, name.len(), *name)
            });
            let Request { width, k, .. } = self.request;
            Error::PlanName { name: name.to_owned(), width, k, known: known.join(", ") }
        })
    }

    /// The fastest plan within the memory allowed; up to `k = 16` a scan only where no tables fit.
    /// Where no memory is given, a larger plan if that is much faster: see [`Request::memory`].
    ///
    /// # Errors
    /// [`Error::Budget`] if no plan fits; it names the smallest.
    pub fn choose(&self) -> Result<&Plan, Error> {
        let Request { documents, width, k, memory, purpose, .. } = self.request;
        let size = |plan: &&Plan| (self.request.bytes(plan), plan.is_scan());
        let smallest = self.plans.iter().min_by_key(size);
        let needed = smallest.map_or(0, |plan| self.request.bytes(plan));
        let allowed = self.allowed().unwrap_or(u64::MAX);
        let mut fit = self.plans.iter().filter(|plan| self.request.bytes(plan) <= allowed);
        let wanted = fit.clone().find(|plan| self.request.wants(plan));
        let fastest = wanted.or_else(|| fit.next()).ok_or_else(|| {
            let plan = smallest.map_or_else(String::new, |plan| plan.name().to_owned());
            Error::Budget { documents, width, k, memory: allowed, plan, needed }
        })?;
        if memory.is_some() || purpose == Purpose::Join {
            return Ok(fastest);
        }
        let lavish = self.fingerprint_bytes().saturating_mul(LAVISH);
        Ok(self.much_faster(fastest, lavish).unwrap_or(fastest))
    }

    /// What more memory would buy: the plan that answers a query at least four times as fast as the
    /// chosen one. Where that has tables, only a plan of at most twice its bytes.
    ///
    /// # Errors
    /// As [`Self::choose`].
    ///
    /// # Examples
    /// ```
    /// use nearprint_index::{Planner, Purpose, Request};
    ///
    /// let memory = Some(2_000_000_000);
    /// let request =
    ///     Request { documents: 50_000_000, width: 128, k: 26, ids: true, memory, purpose: Purpose::Query };
    /// let small = Planner::new(request)?;
    /// let faster = small.faster()?.map(|plan| plan.name());
    /// assert_eq!((small.choose()?.name(), faster), ("scan", Some("parts-7")));
    /// let free = Planner::new(Request { memory: None, ..request })?;
    /// assert_eq!(free.choose()?.name(), "parts-7");
    /// # Ok::<(), nearprint_index::Error>(())
    /// ```
    pub fn faster(&self) -> Result<Option<&Plan>, Error> {
        if self.request.purpose == Purpose::Join {
            return Ok(None);
        }
        let chosen = self.choose()?;
        let most = match chosen.is_scan() {
            true => u64::MAX,
            false => chosen.bytes().saturating_mul(LITTLE_MORE),
        };
        Ok(self.much_faster(chosen, most))
    }

    /// The most bytes that the chosen plan may take; `None` if there is no limit.
    #[must_use]
    pub fn memory(&self) -> Option<u64> {
        let allowed = self.allowed()?;
        let chosen = self.choose().map_or(0, |plan| self.request.bytes(plan));
        Some(allowed.max(chosen))
    }

    /// The plan that is much faster than `plan` within `most` bytes and takes the least bytes times time;
    /// a query that comes alone tells, as every segment is asked some.
    fn much_faster(&self, plan: &Plan, most: u64) -> Option<&Plan> {
        let limit = plan.query_microseconds() / MUCH;
        let mut faster = self.plans.iter().filter(|other| {
            !other.is_scan() && other.bytes() <= most && other.query_microseconds() <= limit
        });
        let first = faster.next()?;
        Some(
            faster
                .fold(first, |best, other| if other.price() < best.price() { other } else { best }),
        )
    }

    /// Bytes within which the fastest plan is chosen; `None` if there is no limit.
    fn allowed(&self) -> Option<u64> {
        let Request { memory, purpose, .. } = self.request;
        if memory.is_some() || purpose == Purpose::Join {
            return memory;
        }
        let wanted = self.plans.iter().filter(|plan| self.request.wants(plan));
        let least = wanted.map(Plan::bytes).min().unwrap_or(0);
        Some(least.max(self.fingerprint_bytes().saturating_mul(GENEROUS.0) / GENEROUS.1))
    }

    /// Bytes of the fingerprints themselves.
    fn fingerprint_bytes(&self) -> u64 {
        self.request.documents.saturating_mul(u64::from(self.request.width) / 8)
    }

    /// The name of the plan that has these tables; `None` if the planner has no such plan.
    ///
    /// # Examples
    /// ```
    /// use nearprint_index::{Layout, Planner, Scheme};
    ///
    /// let layout = Layout::new(64, 3, Scheme::nested(64, 4, 4), 1000)?;
    /// assert_eq!(Planner::name_of(&layout), Some("paper-16".to_owned()));
    /// # Ok::<(), nearprint_index::Error>(())
    /// ```
    #[must_use]
    pub fn name_of(layout: &Layout) -> Option<String> {
        if layout.is_scan() || layout.tells_no_radius() {
            return Some(SCAN.to_owned());
        }
        let mut known = schemes(layout.width(), layout.k()).into_iter();
        known.find(|(_, scheme)| scheme == layout.scheme()).map(|(name, _)| name)
    }
}

impl Request {
    /// What the job takes of a plan, in microseconds.
    fn cost(&self, plan: &Plan) -> f64 {
        match self.purpose {
            Purpose::Query => plan.query_microseconds(),
            Purpose::Batch => plan.batch_microseconds(),
            Purpose::Join => plan.join_seconds() * 1e6,
        }
    }

    /// Whether a plan may be chosen for its speed, and not only if nothing else fits.
    fn wants(&self, plan: &Plan) -> bool {
        !plan.is_scan() || self.purpose == Purpose::Join || self.k > MAX_TABLES_K
    }

    /// Bytes that the job holds with a plan.
    fn bytes(&self, plan: &Plan) -> u64 {
        if self.purpose == Purpose::Join { plan.join_bytes() } else { plan.bytes() }
    }
}

/// Every scheme of tables for a width and a radius, by name; some of them serve no such radius.
fn schemes(width: u32, k: u32) -> Vec<(String, Scheme)> {
    // One part for equal fingerprints is how earlier releases kept a scan: see `Layout::tells_no_radius`.
    let fewest = if k == 0 { 2 } else { 1 };
    let mut schemes: Vec<_> = (fewest..=width / LEAST_PART)
        .map(|parts| (format!("parts-{parts}"), Scheme::Parts(parts)))
        .collect();
    let errors = k as usize;
    let paper = (errors + 1..=width as usize).map_while(|r| Family::combinations(r, errors));
    // Without errors to bear, one table of all bits is all there is.
    let most = if k == 0 { 1 } else { usize::MAX };
    let paper = paper.take_while(|family| family.prefixes().len() <= 64).take(most);
    let paper: Vec<_> = paper.collect();
    let mut cover: Vec<Family> = Vec::new();
    if k <= 40 {
        cover.extend(Family::all(errors).into_iter().filter(|family| {
            family.blocks() <= width as usize && !paper.iter().any(|other| alike(family, other))
        }));
    }
    // Of as many tables, those with the longest prefixes.
    cover.sort_by_key(|family| {
        (family.prefixes().len(), std::cmp::Reverse(least_bits(width, family)))
    });
    cover.dedup_by_key(|family| family.prefixes().len());
    for (kind, families) in [("paper", paper), ("cover", cover)] {
        schemes.extend(families.iter().map(|family| {
            (format!("{kind}-{}", family.prefixes().len()), Scheme::family(width, family))
        }));
    }
    if (2..=MAX_NESTED).contains(&errors) {
        let name = format!("paper-{}", (errors + 1) * (errors + 1));
        schemes.push((name, Scheme::nested(width, errors + 1, errors + 1)));
    }
    schemes
}

/// Whether two families are the same sets.
fn alike(a: &Family, b: &Family) -> bool {
    let sorted = |family: &Family| {
        let mut prefixes = family.prefixes().to_vec();
        prefixes.sort_unstable();
        prefixes
    };
    a.blocks() == b.blocks() && sorted(a) == sorted(b)
}

/// Bits of the shortest prefix, to about one.
fn least_bits(width: u32, family: &Family) -> u32 {
    let blocks = u32::try_from(family.blocks()).unwrap_or(u32::MAX).max(1);
    let sizes = family.prefixes().iter().map(|prefix| prefix.count_ones() * width / blocks);
    sizes.min().unwrap_or(0)
}
