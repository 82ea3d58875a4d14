//! A picture as a page of PDF, with its font in it, so that journals take it and its text can be searched.

use super::font;
use super::scene::{Scene, Shape, start};
use super::style::{Colour, Ink, Theme};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use pdf_writer::types::{CidFontType, FontFlags, LineJoinStyle, SystemInfo, UnicodeCmap};
use pdf_writer::{Content, Filter, Finish, Name, Pdf, Rect, Ref, Str, TextStr};
use std::collections::BTreeMap;
use std::io::Write as _;
use ttf_parser::{Face, GlyphId};

/// Points of a pixel.
const POINT: f32 = 0.75;
const FONT: Name<'static> = Name(b"F1");
/// The name of the font, with six letters before it as of every part of a font.
const NAME: Name<'static> = Name(b"NPCHRT+DejaVuSans");
const SYSTEM: SystemInfo<'static> =
    SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"Identity"), supplement: 0 };
/// The bits that say: of its own set of signs, without serifs.
const FLAGS: FontFlags = FontFlags::SYMBOLIC;

/// The file.
pub(super) fn document(scene: &Scene, theme: Theme) -> anyhow::Result<Vec<u8>> {
    font::check(scene.texts())?;
    let face = font::face()?;
    let dark = theme == Theme::Dark;
    let size = [scene.width, scene.height].map(|pixels| POINT * narrow(pixels));
    let [catalog, pages, page, info, contents, type0, cid, descriptor, file, unicode] =
        [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(Ref::new);
    let mut pdf = Pdf::new();
    pdf.catalog(catalog).pages(pages).lang(TextStr("en"));
    pdf.document_info(info).title(TextStr(&scene.title)).creator(TextStr("nearprint"));
    pdf.pages(pages).kids([page]).count(1);
    let mut leaf = pdf.page(page);
    leaf.media_box(Rect::new(0.0, 0.0, size[0], size[1])).parent(pages).contents(contents);
    leaf.resources().fonts().pair(FONT, type0);
    leaf.finish();
    let mut glyphs = BTreeMap::new();
    let drawn = packed(&content(scene, face, dark, size[1], &mut glyphs))?;
    pdf.stream(contents, &drawn).filter(Filter::FlateDecode);
    pdf.type0_font(type0)
        .base_font(NAME)
        .encoding_predefined(Name(b"Identity-H"))
        .descendant_font(cid)
        .to_unicode(unicode);
    let of_thousand = |units: f32| 1000.0 * units / f32::from(face.units_per_em());
    let mut font = pdf.cid_font(cid);
    font.subtype(CidFontType::Type2)
        .base_font(NAME)
        .system_info(SYSTEM)
        .font_descriptor(descriptor);
    font.cid_to_gid_map_predefined(Name(b"Identity"));
    let mut widths = font.widths();
    for glyph in glyphs.keys() {
        let width = face.glyph_hor_advance(GlyphId(*glyph)).unwrap_or(0);
        widths.same(*glyph, *glyph, of_thousand(f32::from(width)));
    }
    widths.finish();
    font.finish();
    let edges = face.global_bounding_box();
    let edges = [edges.x_min, edges.y_min, edges.x_max, edges.y_max];
    let [left, low, right, high] = edges.map(|edge| of_thousand(f32::from(edge)));
    pdf.font_descriptor(descriptor)
        .name(NAME)
        .flags(FLAGS)
        .bbox(Rect::new(left, low, right, high))
        .italic_angle(0.0)
        .ascent(of_thousand(f32::from(face.ascender())))
        .descent(of_thousand(f32::from(face.descender())))
        .cap_height(of_thousand(f32::from(face.capital_height().unwrap_or(face.ascender()))))
        .stem_v(80.0)
        .font_file2(file);
    let mut map = UnicodeCmap::new(Name(b"Letters"), SYSTEM);
    glyphs.iter().for_each(|(glyph, letter)| map.pair(*glyph, *letter));
    pdf.stream(unicode, map.finish().as_slice());
    let length = i32::try_from(font::BYTES.len())?;
    let packed_font = packed(font::BYTES)?;
    let mut stream = pdf.stream(file, &packed_font);
    stream.filter(Filter::FlateDecode).pair(Name(b"Length1"), length);
    stream.finish();
    Ok(pdf.finish())
}

/// The shapes; `glyphs` gets those that are used, with their letters.
fn content(
    scene: &Scene,
    face: &Face<'_>,
    dark: bool,
    height: f32,
    glyphs: &mut BTreeMap<u16, char>,
) -> Vec<u8> {
    let mut out = Content::new();
    // As the shapes are told: in pixels, from above.
    out.transform([POINT, 0.0, 0.0, -POINT, 0.0, height]);
    out.set_line_join(LineJoinStyle::RoundJoin);
    filled(&mut out, Ink::Paper.colour(dark));
    out.rect(0.0, 0.0, narrow(scene.width), narrow(scene.height)).fill_nonzero();
    for shape in &scene.shapes {
        match shape {
            Shape::Rect { at: (x, y), size: (width, height), ink, opacity } => {
                filled(&mut out, ink.mixed(*opacity, dark));
                let [x, y, width, height] = [x, y, width, height].map(|one| narrow(*one));
                out.rect(x, y, width, height).fill_nonzero();
            }
            Shape::Area { points, ink, opacity } => {
                filled(&mut out, ink.mixed(*opacity, dark));
                path(&mut out, points);
                out.close_path().fill_nonzero();
            }
            Shape::Line { points, ink, width } => {
                let [red, green, blue] = shares(ink.colour(dark));
                out.set_stroke_rgb(red, green, blue).set_line_width(narrow(*width));
                path(&mut out, points);
                out.stroke();
            }
            Shape::Text { at: (x, y), text, size, anchor, ink } => {
                filled(&mut out, ink.colour(dark));
                let mut codes = Vec::new();
                for letter in text.chars() {
                    let glyph = face.glyph_index(letter).unwrap_or_default().0;
                    glyphs.insert(glyph, letter);
                    codes.extend(glyph.to_be_bytes());
                }
                let x = narrow(start(*x, text, *size, *anchor));
                out.begin_text().set_font(FONT, narrow(*size));
                out.set_text_matrix([1.0, 0.0, 0.0, -1.0, x, narrow(*y)]);
                out.show(Str(&codes)).end_text();
            }
        }
    }
    out.finish().to_vec()
}

fn path(out: &mut Content, points: &[(f64, f64)]) {
    for (at, (x, y)) in points.iter().enumerate() {
        let (x, y) = (narrow(*x), narrow(*y));
        if at == 0 {
            out.move_to(x, y);
        } else {
            out.line_to(x, y);
        }
    }
}

fn filled(out: &mut Content, colour: Colour) {
    let [red, green, blue] = shares(colour);
    out.set_fill_rgb(red, green, blue);
}

fn shares(colour: Colour) -> [f32; 3] {
    colour.map(|part| f32::from(part) / 255.0)
}

fn packed(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut out = ZlibEncoder::new(Vec::new(), Compression::best());
    out.write_all(bytes)?;
    out.finish()
}

#[expect(clippy::cast_possible_truncation, reason = "pixels of a picture")]
fn narrow(number: f64) -> f32 {
    number as f32
}
