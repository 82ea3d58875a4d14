//! Which instructions the machine has, and code compiled for them. What is computed is the affair of
//! the jobs.

/// The instructions that work is compiled for; results are equal bit for bit.
///
/// One that the machine lacks cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kernel {
    avx2: bool,
}

/// Work that is compiled once for each kernel.
pub(crate) trait Job {
    /// What it comes to.
    type Output;

    /// Does the work. To be marked `#[inline(always)]`, and all that it calls in a loop too: what is
    /// not inlined is not compiled for the kernel.
    fn run(self) -> Self::Output;
}

impl Kernel {
    /// Whatever every machine of the target has.
    pub const PORTABLE: Self = Self { avx2: false };

    /// The best that this machine runs: AVX2 and BMI on `x86_64` that has them.
    #[must_use]
    pub fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2")
            && std::arch::is_x86_feature_detected!("bmi1")
            && std::arch::is_x86_feature_detected!("bmi2")
            && std::arch::is_x86_feature_detected!("popcnt")
        {
            return Self { avx2: true };
        }
        Self::PORTABLE
    }

    /// Whether AVX2 was detected.
    #[inline]
    pub(crate) const fn has_avx2(self) -> bool {
        self.avx2
    }

    /// Does a job with what this kernel has.
    #[inline]
    pub(crate) fn run<J: Job>(self, job: J) -> J::Output {
        if self.avx2 { avx2::run(job) } else { job.run() }
    }
}

#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "safe code, compiled for what the machine was found to have")]
mod avx2 {
    use super::Job;

    pub(super) fn run<J: Job>(job: J) -> J::Output {
        // SAFETY: `Kernel::run` comes here only with what `Kernel::detect` found.
        unsafe { compiled(job) }
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn compiled<J: Job>(job: J) -> J::Output {
        job.run()
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod avx2 {
    pub(super) fn run<J: super::Job>(job: J) -> J::Output {
        job.run()
    }
}
