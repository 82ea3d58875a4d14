//! Which instructions the machine has, and code compiled for them. Each job
//! says what it computes.

/// The instructions that work is compiled for; results are equal bit for bit.
///
/// One that the machine lacks cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kernel {
    level: Level,
}

/// From the least to the most.
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "these are of x86_64"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
enum Level {
    Portable,
    Avx2,
    Avx512,
}

/// Work that is compiled once for each kernel.
pub(crate) trait Compiled {
    /// What it comes to.
    type Output;

    /// Does the work. Mark it `#[inline(always)]`, and all that it calls in a loop too: code that is not
    /// inlined is not compiled for the kernel.
    fn run(self) -> Self::Output;
}

impl Kernel {
    /// Whatever every machine of the target has.
    pub(crate) const PORTABLE: Self = Self { level: Level::Portable };

    /// The best that this machine runs: on `x86_64` AVX2 and BMI, or AVX-512 with what Ice Lake and
    /// Zen 4 brought for bytes, where it has them.
    #[must_use]
    pub(crate) fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2")
            && std::arch::is_x86_feature_detected!("bmi1")
            && std::arch::is_x86_feature_detected!("bmi2")
            && std::arch::is_x86_feature_detected!("popcnt")
        {
            let wide = std::arch::is_x86_feature_detected!("avx512f")
                && std::arch::is_x86_feature_detected!("avx512bw")
                && std::arch::is_x86_feature_detected!("avx512dq")
                && std::arch::is_x86_feature_detected!("avx512vl")
                && std::arch::is_x86_feature_detected!("avx512vbmi")
                && std::arch::is_x86_feature_detected!("avx512vbmi2");
            return Self { level: if wide { Level::Avx512 } else { Level::Avx2 } };
        }
        Self::PORTABLE
    }

    /// All that this machine runs.
    #[cfg(test)]
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        let best = Self::detect().level;
        let levels = [Level::Portable, Level::Avx2, Level::Avx512].into_iter();
        levels.filter(move |level| *level <= best).map(|level| Self { level })
    }

    /// Whether AVX2 was detected.
    #[inline]
    pub(crate) const fn has_avx2(self) -> bool {
        !matches!(self.level, Level::Portable)
    }

    /// Whether AVX-512 was detected.
    #[inline]
    pub(crate) const fn has_avx512(self) -> bool {
        matches!(self.level, Level::Avx512)
    }

    /// Does a job with what this kernel has.
    #[inline]
    pub(crate) fn run<J: Compiled>(self, job: J) -> J::Output {
        match self.level {
            Level::Portable => job.run(),
            Level::Avx2 => compiled::avx2(job),
            Level::Avx512 => compiled::avx512(job),
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "safe code, compiled for what the machine was found to have")]
mod compiled {
    use super::Compiled;

    pub(super) fn avx2<J: Compiled>(job: J) -> J::Output {
        // SAFETY: `Kernel::run` comes here only with what `Kernel::detect` found.
        unsafe { with_avx2(job) }
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn with_avx2<J: Compiled>(job: J) -> J::Output {
        job.run()
    }

    pub(super) fn avx512<J: Compiled>(job: J) -> J::Output {
        // SAFETY: as above.
        unsafe { with_avx512(job) }
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2")]
    fn with_avx512<J: Compiled>(job: J) -> J::Output {
        job.run()
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod compiled {
    use super::Compiled;

    pub(super) fn avx2<J: Compiled>(job: J) -> J::Output {
        job.run()
    }

    pub(super) use self::avx2 as avx512;
}
