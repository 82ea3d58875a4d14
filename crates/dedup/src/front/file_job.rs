//! What builders of jobs over files have in common: what is read, what the job may take, and how it is run.

/// Gives a builder with the fields `spec`, `with` and `progress` what all of these have. The specification is of the
/// type `$spec`, which opens as `$ready` and runs to `$summary`.
macro_rules! file_job {
    ($builder:ident, $spec:ident, $ready:ident, $summary:ident) => {
        impl From<$spec> for $builder {
            fn from(spec: $spec) -> Self {
                Self { spec, ..Self::default() }
            }
        }

        impl $builder {
            /// Files, folders or patterns to read, in this order.
            #[must_use]
            pub fn files(mut self, inputs: impl IntoIterator<Item = impl Into<String>>) -> Self {
                self.spec.input.inputs.extend(inputs.into_iter().map(Into::into));
                self
            }

            /// The fields of a row that are read.
            #[must_use]
            pub fn fields(mut self, fields: nearprint_corpus::Fields) -> Self {
                self.spec.reading.fields = fields;
                self
            }

            /// How text becomes tokens. The default is [`Recipe::DEFAULT`](nearprint_fingerprint::Recipe::DEFAULT).
            #[must_use]
            pub fn recipe(mut self, recipe: nearprint_fingerprint::Recipe) -> Self {
                self.spec.recipe = recipe;
                self
            }

            /// Writes a row for everything that is removed.
            #[must_use]
            pub fn removed(mut self, path: impl Into<std::path::PathBuf>) -> Self {
                self.spec.outputs.removed = Some(path.into());
                self
            }

            /// Worker threads. The default is a thread for each processor.
            #[must_use]
            pub fn threads(mut self, threads: usize) -> Self {
                self.with.threads = Some(threads);
                self
            }

            /// What memory the job may take.
            #[must_use]
            pub fn memory(mut self, memory: crate::memory::limits::Memory) -> Self {
                self.with.memory = memory;
                self
            }

            /// Where temporary files go.
            #[must_use]
            pub fn work_dir(mut self, folder: impl Into<std::path::PathBuf>) -> Self {
                self.with.work_dir = Some(folder.into());
                self
            }

            /// Replaces outputs that exist.
            #[must_use]
            pub fn force(mut self, force: bool) -> Self {
                self.with.force = force;
                self
            }

            /// Counters of the job, which others may read, and its stop flag.
            #[must_use]
            pub fn progress(mut self, progress: Arc<Progress>) -> Self {
                self.progress = progress;
                self
            }

            /// The job that writes the corpus to a file or a folder, with its inputs and outputs open.
            ///
            /// # Errors
            #[doc = concat!("Those of [`", stringify!($spec), "::open`].")]
            pub fn open(
                mut self,
                output: impl Into<std::path::PathBuf>,
            ) -> Result<$ready, crate::error::Error> {
                self.spec.outputs.corpus = Some(output.into());
                self.spec.open(&self.with, &self.progress)
            }

            /// Writes the corpus to a file or a folder.
            ///
            /// # Errors
            #[doc = concat!("Those of [`", stringify!($spec), "::open`] and [`", stringify!($ready), "::run`].")]
            pub fn write(
                self,
                output: impl Into<std::path::PathBuf>,
            ) -> Result<$summary, crate::error::Error> {
                let progress = Arc::clone(&self.progress);
                self.open(output)?.run(&progress)
            }

            /// Writes the reports alone.
            ///
            /// # Errors
            #[doc = concat!("Those of [`", stringify!($spec), "::open`] and [`", stringify!($ready), "::run`].")]
            pub fn report(self) -> Result<$summary, crate::error::Error> {
                self.spec.open(&self.with, &self.progress)?.run(&self.progress)
            }
        }
    };
}

pub(crate) use file_job;
