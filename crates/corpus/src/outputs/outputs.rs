//! What a run may write: the refusals that keep inputs, earlier results and the run's own outputs
//! from being overwritten. Writing is `output`'s and `mirror`'s.

use crate::compression::Compression;
use crate::documents::table::Table;
use crate::error::Error;
use crate::format::InputFormat;
use crate::formats::format::{RowsOut, RowsTo};
use crate::identity::{FileIdentity, resolve};
use crate::outputs::mirror::{Mirror, Slot};
use crate::read::reader::Reader;
use crate::records::read_options::ReadOptions;
use crate::records::source::{Origin, Source};
use crate::remote::object;
use crate::remote::object_url::ObjectUrl;
use crate::write::new_column::NewColumn;
use crate::write::new_folders::NewFolders;
use crate::write::output::{Output, same_columns};
use crate::write::row_writer::RowWriter;
use crate::write::shards::{ShardName, Shards};
use crate::write::stated;
use crate::write::target::{Target, partial_stem, sweep};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs;
use std::io::ErrorKind;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::slice;
use std::sync::Arc;

/// How outputs are made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OutputOptions {
    /// Replace files that exist. Inputs are never replaced.
    pub force: bool,
}

/// Makes the outputs of one run.
///
/// Make the outputs before the first reading, so that a run is refused before it works. No file appears
/// under its final name before it is committed.
///
/// # Examples
///
/// ```
/// use nearprint_corpus::{OutputOptions, Outputs, discover};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = |name: &str| folder.path().join(name);
/// std::fs::write(path("in.jsonl"), "{\"text\": \"one\"}\n")?;
/// let sources = discover(&[path("in.jsonl").display().to_string()], None)?;
/// let mut outputs = Outputs::new(&sources, OutputOptions { force: true });
/// // An input is never replaced.
/// assert_eq!(outputs.create(&path("in.jsonl")).err().unwrap().reason(), "output-is-input");
///
/// let mut kept = outputs.create(&path("kept.jsonl"))?;
/// kept.write_record(b"{\"text\": \"one\"}\n")?;
/// assert!(!path("kept.jsonl").exists());
/// kept.commit()?;
/// assert!(path("kept.jsonl").exists());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Outputs {
    options: OutputOptions,
    /// The folders that the inputs were found in.
    folders: BTreeSet<PathBuf>,
    inputs: HashMap<FileIdentity, String>,
    /// The inputs that are objects.
    objects: HashMap<ObjectUrl, String>,
    taken: HashSet<PathBuf>,
    sweeps: bool,
    shard_bytes: Option<NonZeroU64>,
    /// The columns that rows of columns get.
    added: Arc<[NewColumn]>,
    /// The column of rows of columns that other texts may get into.
    text: Option<Arc<str>>,
}

impl Outputs {
    /// Outputs of a run over these sources.
    pub fn new(sources: &[Source], options: OutputOptions) -> Self {
        Self {
            options,
            folders: folders(sources).collect(),
            inputs: identified(sources).collect(),
            objects: objects(sources).collect(),
            taken: HashSet::new(),
            sweeps: false,
            shard_bytes: None,
            added: Arc::default(),
            text: None,
        }
    }

    /// Removes from here on what a run that was killed left half-written beside the outputs.
    pub fn sweep(&mut self) {
        self.sweeps = true;
    }

    /// Lets survivors that would go to one file go to several from here on, of at most so many bytes
    /// before compression, or one record: `kept-00001.jsonl` and so on for `kept.jsonl`. A Parquet
    /// file ends behind the row group with which it has as many, compressed. Files of an earlier run
    /// that would follow the last one go where they may be replaced.
    pub fn shard(&mut self, bytes: NonZeroU64) {
        self.shard_bytes = Some(bytes);
    }

    /// Lets files of columns that are made from here on have these behind those of their rows, in the
    /// place of columns of the same names. The metadata that repeats the schema for Arrow is left out then.
    pub fn add_columns(&mut self, columns: &[NewColumn]) {
        self.added = columns.into();
    }

    /// Lets [other texts](RowWriter::write_text) stand in this column of the files of columns that are made from here on.
    /// Where it is encoded in a dictionary or in runs, as Arrow files may have it, it is written plainly.
    pub fn change_texts(&mut self, column: &str) {
        self.text = Some(column.into());
    }

    /// The names of the columns of a file of columns on disk; none of another file.
    ///
    /// # Errors
    ///
    /// What reading its schema fails with.
    pub fn column_names(source: &Source) -> Result<Vec<String>, Error> {
        let format = source.format().filter(|format| format.is_columns());
        format.map_or(Ok(Vec::new()), |format| format.format().column_names(source))
    }

    /// Keeps further files from being replaced, as inputs are.
    pub fn protect(&mut self, sources: &[Source]) {
        self.inputs.extend(identified(sources));
        self.objects.extend(objects(sources));
    }

    /// Keeps outputs out of the folders that these were found in too, as out of those of the inputs.
    pub fn keep_outside(&mut self, sources: &[Source]) {
        self.folders.extend(folders(sources));
    }

    /// Keeps a file from being replaced, as inputs are.
    pub fn protect_file(&mut self, path: &Path) {
        // What is not there cannot be lost.
        if let Ok(identity) = FileIdentity::of(path) {
            self.inputs.insert(identity, path.display().to_string());
        }
    }

    /// Begins one output file; `-` is standard output.
    ///
    /// # Errors
    ///
    /// Refuses a path that is an input, whatever links lead there and even with force; that is
    /// another output; that exists, without force; that is a folder or ends as one; that lies in none, or in a folder
    /// that is an input. A pipe or a device
    /// such as `/dev/null` holds nothing that could be lost, and is written.
    pub fn create(&mut self, path: &Path) -> Result<Output, Error> {
        self.create_of(path, InputFormat::JSONL)
    }

    /// As [`create`](Self::create), compressed as is said and not as the name tells.
    ///
    /// # Errors
    ///
    /// As [`create`](Self::create).
    pub fn create_compressed(
        &mut self,
        path: &Path,
        compression: Compression,
    ) -> Result<Output, Error> {
        let target = self.claim_file(path)?;
        Output::open_compressed(path, target, InputFormat::JSONL, compression)
    }

    /// An output of records of a format.
    fn create_of(&mut self, path: &Path, format: InputFormat) -> Result<Output, Error> {
        if path == Path::new("-") {
            self.take(path, path)?;
            return Output::open(path, Target::Stdout, format);
        }
        let target = self.claim_file(path)?;
        Output::open(path, target, format)
    }

    /// Reserves the names of shards; none where nobody asked for them.
    fn claim_shards(&mut self, path: &Path) -> Result<Option<Shards>, Error> {
        let Some(limit) = self.shard_bytes else { return Ok(None) };
        let stream = || Error::ShardsOfStream { path: path.display().to_string() };
        if path == Path::new("-") {
            return Err(stream());
        }
        let name = ShardName::of(path);
        let first = self.claim_file(&path.with_file_name(name.at(1)))?;
        match &first {
            Target::Stdout | Target::Device => return Err(stream()),
            Target::Object { .. } => {}
            Target::File { path: real, .. } => {
                let folder = real.parent().unwrap_or(Path::new(""));
                let failed = |source| Error::Write { path: folder.display().to_string(), source };
                for (_, file) in name.files(folder).map_err(failed)? {
                    self.replaceable(&file)?;
                }
                if self.sweeps {
                    sweep(folder, |left| name.number(left).is_some()).map_err(failed)?;
                }
            }
        }
        Ok(Some(Shards::new(path, first, limit.get())))
    }

    /// Reserves a path in a folder that is there.
    fn claim_file(&mut self, path: &Path) -> Result<Target, Error> {
        let target = self.claim(path)?;
        if let Target::File { path: real, .. } = &target
            && !real.parent().is_some_and(Path::is_dir)
        {
            return Err(Error::OutputFolderMissing { path: path.display().to_string() });
        }
        Ok(target)
    }

    /// Begins the one file of columns, of the format that its name tells, for what stays of these sources, which
    /// can be read.
    ///
    /// # Errors
    ///
    /// Refuses sources that are of another format or have other columns than the first; and whatever
    /// [`create`](Self::create) refuses.
    pub fn rows(&mut self, path: &Path, sources: &[Source]) -> Result<Box<dyn RowWriter>, Error> {
        let (first, format) = match (sources.first(), InputFormat::of_name(path)) {
            (Some(first), Some(format)) => (first, format),
            _ => return Err(Error::NoInput),
        };
        for source in sources {
            if source.format() != Some(format) {
                let format = source.format().unwrap_or(InputFormat::JSONL).joined();
                return Err(stated::refused(path, source, format));
            }
            format.format().same_columns(first, source, &self.added)?;
        }
        if !stated::fits(path, format) {
            return Err(stated::refused(path, first, format));
        }
        let to = match self.claim_shards(path)? {
            Some(shards) => RowsTo::Shards(shards),
            None => RowsTo::File(self.claim_file(path)?),
        };
        let (added, text) = (Arc::clone(&self.added), self.text.as_deref());
        format.format().writer(RowsOut { path, to, like: first, sources, text, added })
    }

    /// Begins the one file for what stays of these sources, which can be read. Rows of columns become
    /// rows of JSON.
    ///
    /// # Errors
    ///
    /// Refuses sources of several formats, tables of several headers, and a name that tells another
    /// format or package, such as `.zip`; and whatever [`create`](Self::create) refuses.
    pub fn survivors(&mut self, path: &Path, sources: &[Source]) -> Result<Output, Error> {
        let mut formats = sources.iter().filter_map(|source| Some((source, source.format()?)));
        let Some((first, own)) = formats.next() else { return self.create(path) };
        let format = own.joined();
        if let Some((other, second)) = formats.find(|(_, other)| other.joined() != format) {
            return Err(Error::OutputMixed {
                first: first.name().to_owned(),
                first_format: own.to_string(),
                second: other.name().to_owned(),
                second_format: second.to_string(),
            });
        }
        if !stated::fits(path, format) {
            return Err(stated::refused(path, first, format));
        }
        if format.is_table() {
            let mut known = None;
            for source in sources {
                let Some(table) = table_of(source) else { continue };
                let (first, columns) = known.get_or_insert((source, Arc::clone(&table)));
                same_columns((first.name(), columns), (source.name(), &table))?;
            }
        }
        match self.claim_shards(path)? {
            Some(shards) => Output::open_first(shards, format),
            None => self.create_of(path, format),
        }
    }

    /// Begins an output folder, created if need be, in which each of these sources, which can be
    /// read, has a file of its own [relative](Source::relative) name.
    ///
    /// # Errors
    ///
    /// Refuses a folder that is or lies inside an input folder, and whatever
    /// [`create`](Self::create) refuses, for every file to come.
    pub fn mirror(&mut self, folder: &Path, sources: &[Source]) -> Result<Mirror, Error> {
        let failed = |source| Error::Write { path: folder.display().to_string(), source };
        self.outside_inputs(folder)?;
        let mut slots = Vec::with_capacity(sources.len());
        for source in sources {
            let path = folder.join(source.relative());
            let target = self.claim(&path)?;
            slots.push(Slot { source: source.clone(), path, target });
        }
        let mut folders = NewFolders::default();
        if ObjectUrl::of_path(folder)?.is_none() {
            folders.create(folder).map_err(failed)?;
        }
        Ok(Mirror::new(slots, folders, Arc::clone(&self.added), self.text.clone()))
    }

    /// The place of a folder that a run fills with files of its own, whether it is there or not.
    ///
    /// # Errors
    ///
    /// Refuses what is there and is no folder, and a folder that is or lies inside an input folder.
    pub fn outside_inputs(&self, folder: &Path) -> Result<PathBuf, Error> {
        let path = || folder.display().to_string();
        if fs::metadata(folder).is_ok_and(|metadata| !metadata.is_dir()) {
            return Err(Error::OutputNotFolder { path: path() });
        }
        let url = ObjectUrl::of_path(folder)?;
        let real = match &url {
            Some(url) => url.as_path().to_owned(),
            None => resolve(folder).map_err(|source| Error::Write { path: path(), source })?,
        };
        self.refuse_inside(&real, folder)?;
        Ok(real)
    }

    /// Refuses a path, resolved to a place, that is or lies inside an input folder.
    fn refuse_inside(&self, real: &Path, path: &Path) -> Result<(), Error> {
        let Some(input) = self.folders.iter().find(|input| real.starts_with(input)) else {
            return Ok(());
        };
        let input = match ObjectUrl::of_path(path)? {
            Some(_) => ObjectUrl::of_such(input),
            None => input.display().to_string(),
        };
        Err(Error::OutputInsideInput { path: path.display().to_string(), input })
    }

    /// Reserves a path and says how it is to be written.
    fn claim(&mut self, path: &Path) -> Result<Target, Error> {
        let name = || path.display().to_string();
        let failed = |source| Error::Write { path: name(), source };
        if let Some(url) = ObjectUrl::of_path(path)? {
            return self.claim_object(url, path);
        }
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => {
                return Err(Error::OutputIsFolder { path: name() });
            }
            Ok(metadata) if metadata.is_file() => self.replaceable(path)?,
            Ok(_) => return Ok(Target::Device),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                // Its place would have the name without what makes it one of a folder.
                if ends_as_folder(&name()) {
                    return Err(Error::OutputIsFolder { path: name() });
                }
            }
            Err(error) => return Err(failed(error)),
        }
        let real = resolve(path).map_err(failed)?;
        self.take(&real, path)?;
        if self.sweeps
            && let Some((folder, name)) = real.parent().zip(real.file_name())
        {
            let name = name.to_string_lossy();
            let stem = partial_stem(&name);
            sweep(folder, |left| stem == left).map_err(failed)?;
        }
        Ok(Target::File { path: real, replace: self.options.force })
    }

    /// Refuses a file that is an input, or that may not be replaced.
    fn replaceable(&self, path: &Path) -> Result<(), Error> {
        let name = || path.display().to_string();
        let failed = |source| Error::Write { path: name(), source };
        let identity = FileIdentity::of(path).map_err(failed)?;
        if let Some(input) = self.inputs.get(&identity) {
            return Err(Error::OutputIsInput { path: name(), input: input.clone() });
        }
        if self.options.force { Ok(()) } else { Err(Error::OutputExists { path: name() }) }
    }

    fn claim_object(&mut self, url: ObjectUrl, path: &Path) -> Result<Target, Error> {
        let name = || path.display().to_string();
        if !url.scheme.is_storage() {
            return Err(Error::OutputToWeb { path: url.to_string() });
        }
        if url.key.is_empty() || url.key.ends_with('/') {
            return Err(Error::OutputIsFolder { path: name() });
        }
        if let Some(input) = self.objects.get(&url) {
            return Err(Error::OutputIsInput { path: name(), input: input.clone() });
        }
        let replace = self.options.force;
        if !replace && object::exists(&url)? {
            return Err(Error::OutputExists { path: name() });
        }
        self.take(&url.as_path(), path)?;
        Ok(Target::Object { url, replace })
    }

    /// Reserves a place, which lies outside of all input folders: the next run would read it.
    fn take(&mut self, real: &Path, path: &Path) -> Result<(), Error> {
        self.refuse_inside(real, path)?;
        if self.taken.insert(real.to_owned()) {
            Ok(())
        } else {
            Err(Error::OutputTwice { path: path.display().to_string() })
        }
    }
}

/// Whether a path ends in a separator, or in the `.` of a folder behind one.
fn ends_as_folder(path: &str) -> bool {
    path.strip_suffix('.').unwrap_or(path).ends_with(std::path::is_separator)
}

/// The header of a table; none where it has none or cannot be read, which its reading tells.
fn table_of(source: &Source) -> Option<Arc<Table>> {
    let options = ReadOptions { batch_bytes: 1 << 12, ..ReadOptions::default() };
    Reader::new(slice::from_ref(source), options).next()?.ok()?.table.clone()
}

/// The folders that `sources` were found in.
fn folders(sources: &[Source]) -> impl Iterator<Item = PathBuf> + '_ {
    sources.iter().filter_map(Source::folder).map(Path::to_owned)
}

/// The files among `sources`, with their names.
fn identified(sources: &[Source]) -> impl Iterator<Item = (FileIdentity, String)> + '_ {
    sources.iter().filter_map(|source| {
        let identity = FileIdentity::of(source.path()?).ok()?;
        Some((identity, source.name().to_owned()))
    })
}

/// The objects among `sources`, with their names.
fn objects(sources: &[Source]) -> impl Iterator<Item = (ObjectUrl, String)> + '_ {
    sources.iter().filter_map(|source| match &source.origin {
        Origin::Object(object) => Some((object.url.clone(), source.name().to_owned())),
        _ => None,
    })
}
