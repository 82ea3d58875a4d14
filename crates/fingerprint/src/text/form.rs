//! The form that a recipe brings text to before it is cut into tokens.

use crate::text::normalize::NormalForm;
use crate::text::visible::{has_unseen_ascii, visible};
use std::borrow::Cow;

/// A normal form, and whether text is first reduced to what a reader sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TextForm {
    pub(crate) normal: NormalForm,
    pub(crate) visible: bool,
}

impl TextForm {
    /// Every form, for tests.
    #[cfg(test)]
    pub(crate) const ALL: [Self; 6] = {
        use NormalForm::{Keep, Nfc, Nfkc};
        const fn form(normal: NormalForm, visible: bool) -> TextForm {
            TextForm { normal, visible }
        }
        [
            form(Keep, false),
            form(Nfc, false),
            form(Nfkc, false),
            form(Keep, true),
            form(Nfc, true),
            form(Nfkc, true),
        ]
    };

    /// Whether every text has this form.
    pub(crate) fn is_any(self) -> bool {
        self == Self { normal: NormalForm::Keep, visible: false }
    }

    /// Whether each character of ASCII in `text` stays as it is.
    pub(crate) fn leaves_ascii_of(self, text: &str) -> bool {
        !self.visible || !has_unseen_ascii(text)
    }

    /// `text` in this form; borrowed if it has it already.
    ///
    /// # Complexity
    /// Linear; text that is ASCII or already in this form is only checked.
    pub(crate) fn apply(self, text: &str) -> Cow<'_, str> {
        if !self.visible {
            return self.normal.apply(text);
        }
        match visible(text) {
            Cow::Borrowed(text) => self.normal.apply(text),
            Cow::Owned(text) => {
                let normal = match self.normal.apply(&text) {
                    Cow::Owned(normal) => Some(normal),
                    Cow::Borrowed(_) => None,
                };
                Cow::Owned(normal.unwrap_or(text))
            }
        }
    }
}
