//! The words of a dictionary that lindera built: the cheapest path through all readings of a sentence,
//! by the costs of words and of their neighbourhood. [`crate::text::word_dictionary`] holds the identity of
//! a dictionary and its place in a recipe.
//!
//! The crate that reads it is pinned to one release. Without the feature `lindera` there is no lexicon,
//! and a recipe that asks for one is refused before any text is seen.

#[cfg(feature = "lindera")]
pub(crate) use library::{Lexicon, Memory};
#[cfg(not(feature = "lindera"))]
pub(crate) use nothing::{Lexicon, Memory};

#[cfg(feature = "lindera")]
mod library {
    use crate::error::DictionaryError;
    use crate::text::pieces::pieces_within;
    use lindera_dictionary::dictionary::Dictionary;
    use lindera_dictionary::dictionary::character_definition::CharacterDefinition;
    use lindera_dictionary::dictionary::connection_cost_matrix::ConnectionCostMatrix;
    use lindera_dictionary::dictionary::metadata::{DICTIONARY_FORMAT_VERSION, Metadata};
    use lindera_dictionary::dictionary::prefix_dictionary::PrefixDictionary;
    use lindera_dictionary::dictionary::unknown_dictionary::UnknownDictionary;
    use lindera_dictionary::error::LinderaError;
    use lindera_dictionary::mode::Mode;
    use lindera_dictionary::space_penalty::SpacePenaltyTable;
    use lindera_dictionary::viterbi::{Lattice, LatticeOptions, WordId};
    use std::error::Error;
    use std::fmt;
    use std::panic::catch_unwind;

    /// Longest sentence in bytes: a lattice numbers its characters in 16 bits.
    const LONGEST: usize = 1 << 15;
    /// Bytes of a word in `dict.vals`: number, cost, left and right context.
    const WORD: usize = 10;

    /// A dictionary in memory.
    pub(crate) struct Lexicon {
        dictionary: Dictionary,
        /// What a word costs that stands behind a blank, as Korean dictionaries have it.
        space_penalty: Option<SpacePenaltyTable>,
    }

    /// Working memory, which a thread keeps from text to text.
    #[derive(Clone, Default)]
    pub(crate) struct Memory {
        lattice: Lattice,
        starts: Vec<(usize, WordId)>,
    }

    impl fmt::Debug for Memory {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("Memory")
        }
    }

    impl Lexicon {
        /// The dictionary whose files `read` gives by their names. All that text is looked up by is
        /// checked to be there.
        pub(crate) fn read(
            mut read: impl FnMut(&'static str) -> Result<Vec<u8>, DictionaryError>,
        ) -> Result<Self, DictionaryError> {
            let metadata = Metadata::load(&read("metadata.json")?).map_err(of("metadata.json"))?;
            if metadata.format_version != DICTIONARY_FORMAT_VERSION {
                let (found, known) = (metadata.format_version, DICTIONARY_FORMAT_VERSION);
                return Err(DictionaryError::Version { found, known });
            }
            let bytes = read("char_def.bin")?;
            let characters = unbroken("char_def.bin", || CharacterDefinition::load(&bytes))?;
            let bytes = read("unk.bin")?;
            let unknown = unbroken("unk.bin", || UnknownDictionary::load(&bytes))?;
            let matrix =
                ConnectionCostMatrix::load(read("matrix.mtx")?).map_err(of("matrix.mtx"))?;
            let [trie, places, words] =
                [read("dict.trie")?, read("dict.valsidx")?, read("dict.vals")?];
            let [details_at, details] = [read("dict.wordsidx")?, read("dict.words")?];
            check_words(&places, &words, &matrix)?;
            check_details(&details_at, &details, words.len() / WORD)?;
            check_unknown(&characters, &unknown, &matrix)?;
            let prefixes = PrefixDictionary::load(trie, places, words, details_at, details)
                .map_err(of("dict.trie"))?;
            let dictionary = Dictionary {
                prefix_dictionary: prefixes.into(),
                connection_cost_matrix: matrix.into(),
                character_definition: characters.into(),
                unknown_dictionary: unknown.into(),
                metadata: metadata.into(),
            };
            let rules = dictionary.metadata.space_penalty.as_ref();
            let table = rules.map(|rules| SpacePenaltyTable::build(rules, &dictionary, None));
            let space_penalty = table.transpose().map_err(of("metadata.json"))?;
            Ok(Self { dictionary, space_penalty })
        }

        /// Calls `emit` with every word of `text`, punctuation and spaces included.
        pub(crate) fn words(&self, text: &str, memory: &mut Memory, emit: &mut dyn FnMut(&str)) {
            let Memory { lattice, starts } = memory;
            let Dictionary {
                prefix_dictionary,
                connection_cost_matrix,
                character_definition,
                unknown_dictionary,
                ..
            } = &self.dictionary;
            let mut options = LatticeOptions::new(&Mode::Normal);
            options.space_penalty = self.space_penalty.as_ref();
            let sentences = text.split_inclusive(['。', '、', '\n', '\t']);
            for sentence in sentences.flat_map(|sentence| pieces_within(sentence, LONGEST)) {
                lattice.set_text_with_options(
                    prefix_dictionary,
                    &None,
                    character_definition,
                    unknown_dictionary,
                    connection_cost_matrix,
                    sentence,
                    &options,
                );
                lattice.tokens_offset_into(starts);
                let ends = starts.iter().skip(1).map(|&(start, _)| start).chain([sentence.len()]);
                for (&(start, _), end) in starts.iter().zip(ends) {
                    emit(crate::in_bounds::text_in(sentence, start..end));
                }
            }
        }
    }

    /// What the library says of a file.
    fn of(file: &'static str) -> impl Fn(LinderaError) -> DictionaryError {
        move |error| {
            let problem = error.source().map_or_else(|| error.to_string(), ToString::to_string);
            DictionaryError::Corrupt { file, problem }
        }
    }

    /// What `load` gives; on some damaged files `load` panics.
    fn unbroken<T>(
        file: &'static str,
        load: impl FnOnce() -> Result<T, LinderaError> + std::panic::UnwindSafe,
    ) -> Result<T, DictionaryError> {
        match catch_unwind(load) {
            Ok(loaded) => loaded.map_err(of(file)),
            Err(_) => Err(corrupt(file, "its parts do not fit together")),
        }
    }

    fn corrupt(file: &'static str, problem: &str) -> DictionaryError {
        DictionaryError::Corrupt { file, problem: problem.to_owned() }
    }

    fn last_u32(bytes: &[u8]) -> Option<usize> {
        bytes.last_chunk().and_then(|last| usize::try_from(u32::from_le_bytes(*last)).ok())
    }

    /// The words are as many as their index says, and the matrix has their contexts.
    fn check_words(
        places: &[u8],
        words: &[u8],
        matrix: &ConnectionCostMatrix,
    ) -> Result<(), DictionaryError> {
        let (entries, rest) = words.as_chunks::<WORD>();
        if !rest.is_empty() || last_u32(places) != Some(entries.len()) {
            return Err(corrupt(
                "dict.vals",
                "it does not hold as many words as dict.valsidx says",
            ));
        }
        let known = |&[_, _, _, _, _, _, left, left_high, right, right_high]: &[u8; WORD]| {
            fits(
                matrix,
                u16::from_le_bytes([left, left_high]).into(),
                u16::from_le_bytes([right, right_high]).into(),
            )
        };
        if fits(matrix, 0, 0) && entries.iter().all(known) {
            return Ok(());
        }
        Err(corrupt("matrix.mtx", "it lacks contexts of the words in dict.vals"))
    }

    /// Every word has its details, to the last byte.
    fn check_details(at: &[u8], details: &[u8], words: usize) -> Result<(), DictionaryError> {
        let end = last_u32(at).and_then(|at| {
            let length = details.get(at..)?.first_chunk()?;
            at.checked_add(4)?.checked_add(usize::try_from(u32::from_le_bytes(*length)).ok()?)
        });
        // Rows of the sources that are no words have details all the same.
        if at.len() >= 4 * words && end == Some(details.len()) {
            return Ok(());
        }
        Err(corrupt("dict.words", "it does not hold as many words as dict.vals"))
    }

    /// Every character has categories, these have unknown words, and the matrix has their contexts.
    fn check_unknown(
        characters: &CharacterDefinition,
        unknown: &UnknownDictionary,
        matrix: &ConnectionCostMatrix,
    ) -> Result<(), DictionaryError> {
        let has_words = |words: &Vec<u32>| {
            let mut entries = words.iter().map(|&word| unknown.costs.get(word as usize));
            !words.is_empty()
                && entries.all(|entry| {
                    entry.is_some_and(|word| fits(matrix, word.left_id(), word.right_id()))
                })
        };
        let defined = characters.category_definitions.len();
        let categories = unknown.category_references.get(..defined);
        if !categories.is_some_and(|categories| categories.iter().all(has_words)) {
            return Err(corrupt("unk.bin", "it lacks unknown words of a category of characters"));
        }
        let known = |c| {
            let categories = characters.lookup_categories(c);
            !categories.is_empty() && categories.iter().all(|category| category.0 < defined)
        };
        if ('\0'..=char::MAX).all(known) {
            return Ok(());
        }
        Err(corrupt("char_def.bin", "it lacks the category of a character"))
    }

    fn fits(matrix: &ConnectionCostMatrix, left: u32, right: u32) -> bool {
        left < matrix.backward_size && right < matrix.forward_size
    }
}

#[cfg(not(feature = "lindera"))]
mod nothing {
    use crate::error::DictionaryError;

    pub(crate) enum Lexicon {}

    pub(crate) type Memory = ();

    impl Lexicon {
        pub(crate) fn read(
            _read: impl FnMut(&'static str) -> Result<Vec<u8>, DictionaryError>,
        ) -> Result<Self, DictionaryError> {
            Err(DictionaryError::NotBuilt)
        }

        pub(crate) fn words(&self, _text: &str, _memory: &mut Memory, _emit: &mut dyn FnMut(&str)) {
            match *self {}
        }
    }
}
