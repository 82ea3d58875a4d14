//! A picture as PNG: two dots for each pixel of its width, as screens have today.

use super::font;
use super::scene::{Scene, Shape, start};
use super::style::{Colour, Ink, Theme};
use ab_glyph_rasterizer::{Point, Rasterizer, point};
use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};
use std::io::Write as _;
use ttf_parser::{Face, OutlineBuilder};

/// Dots of a pixel.
const DOTS: f32 = 2.0;
/// Dots of a metre, at 96 pixels an inch.
const METRE: u32 = 7559;

/// The file.
pub(super) fn document(scene: &Scene, theme: Theme) -> anyhow::Result<Vec<u8>> {
    font::check(scene.texts())?;
    let dark = theme == Theme::Dark;
    let mut canvas = Canvas::new(scene, Ink::Paper.colour(dark));
    let face = font::face()?;
    for shape in &scene.shapes {
        match shape {
            Shape::Rect { at: (x, y), size: (width, height), ink, opacity } => {
                let corners =
                    [(*x, *y), (x + width, *y), (x + width, y + height), (*x, y + height)];
                canvas.polygon(&corners.map(dots), ink.mixed(*opacity, dark));
            }
            Shape::Area { points, ink, opacity } => {
                let corners: Vec<_> = points.iter().copied().map(dots).collect();
                canvas.polygon(&corners, ink.mixed(*opacity, dark));
            }
            Shape::Line { points, ink, width } => {
                let places: Vec<_> = points.iter().copied().map(dots).collect();
                canvas.line(&places, DOTS * narrow(*width), ink.colour(dark));
            }
            Shape::Text { at: (x, y), text, size, anchor, ink } => {
                let from = dots((start(*x, text, *size, *anchor), *y));
                canvas.text(face, text, from, DOTS * narrow(*size), ink.colour(dark));
            }
        }
    }
    Ok(canvas.png()?)
}

/// Dots in rows, from above.
struct Canvas {
    width: usize,
    height: usize,
    dots: Vec<Colour>,
}

impl Canvas {
    fn new(scene: &Scene, paper: Colour) -> Self {
        let [width, height] =
            [scene.width, scene.height].map(|pixels| whole(DOTS * narrow(pixels)));
        Self { width, height, dots: vec![paper; width * height] }
    }

    fn polygon(&mut self, corners: &[Point], colour: Colour) {
        self.paint(&Cover::of(&[corners.to_vec()]), colour);
    }

    /// A line of a thickness, its corners round.
    fn line(&mut self, places: &[Point], thickness: f32, colour: Colour) {
        let half = thickness / 2.0;
        let mut parts = Vec::new();
        for (at, pair) in places.windows(2).enumerate() {
            let [from, to] = *pair else { continue };
            let (x, y) = (to.x - from.x, to.y - from.y);
            let length = x.hypot(y);
            if length == 0.0 {
                continue;
            }
            let (across, down) = (-y / length * half, x / length * half);
            parts.push(vec![
                point(from.x + across, from.y + down),
                point(to.x + across, to.y + down),
                point(to.x - across, to.y - down),
                point(from.x - across, from.y - down),
            ]);
            if at > 0 {
                parts.push(disc(from, half));
            }
        }
        let Some(mut cover) = Cover::around(&parts) else { return };
        parts.iter().for_each(|part| cover.join(part));
        self.paint(&cover, colour);
    }

    fn text(&mut self, face: &Face<'_>, text: &str, from: Point, size: f32, colour: Colour) {
        let scale = size / f32::from(face.units_per_em());
        let mut x = from.x;
        for letter in text.chars() {
            let Some(glyph) = face.glyph_index(letter) else { continue };
            let mut outline = Outline { from: point(x, from.y), scale, contours: Vec::new() };
            if face.outline_glyph(glyph, &mut outline).is_some() {
                self.paint(&Cover::of(&outline.contours), colour);
            }
            x += scale * f32::from(face.glyph_hor_advance(glyph).unwrap_or(0));
        }
    }

    fn paint(&mut self, cover: &Cover, colour: Colour) {
        for (row, shares) in cover.shares.chunks(cover.width.max(1)).enumerate() {
            let y = cover.top + row;
            if y >= self.height {
                break;
            }
            for (column, share) in shares.iter().enumerate().filter(|(_, share)| **share > 0.0) {
                let x = cover.left + column;
                if x >= self.width {
                    break;
                }
                let Some(dot) = self.dots.get_mut(y * self.width + x) else { continue };
                for (old, new) in dot.iter_mut().zip(colour) {
                    let value = f32::from(new).mul_add(*share, f32::from(*old) * (1.0 - share));
                    #[expect(
                        clippy::cast_possible_truncation,
                        clippy::cast_sign_loss,
                        reason = "0 to 255"
                    )]
                    {
                        *old = value.round().clamp(0.0, 255.0) as u8;
                    }
                }
            }
        }
    }

    fn png(&self) -> std::io::Result<Vec<u8>> {
        let size = |length: usize| u32::try_from(length).unwrap_or(u32::MAX).to_be_bytes();
        let mut out = b"\x89PNG\r\n\x1a\n".to_vec();
        // Eight bits of red, green and blue.
        let head = [&size(self.width)[..], &size(self.height), &[8, 2, 0, 0, 0]].concat();
        let metre = [&METRE.to_be_bytes()[..], &METRE.to_be_bytes(), &[1]].concat();
        let mut packed = ZlibEncoder::new(Vec::new(), Compression::best());
        for row in self.dots.chunks(self.width.max(1)) {
            packed.write_all(&[0])?;
            packed.write_all(row.as_flattened())?;
        }
        let body = packed.finish()?;
        for (name, data) in
            [(b"IHDR", &head), (b"pHYs", &metre), (b"IDAT", &body), (b"IEND", &vec![])]
        {
            let mut crc = Crc::new();
            crc.update(name);
            crc.update(data);
            out.extend(size(data.len()));
            out.extend(name);
            out.extend(data);
            out.extend(crc.sum().to_be_bytes());
        }
        Ok(out)
    }
}

/// How much of each dot of a rectangle is covered.
struct Cover {
    left: usize,
    top: usize,
    width: usize,
    shares: Vec<f32>,
}

impl Cover {
    /// What contours enclose, with the holes that inner ones make.
    fn of(contours: &[Vec<Point>]) -> Self {
        let Some(mut cover) = Self::around(contours) else {
            return Self { left: 0, top: 0, width: 0, shares: Vec::new() };
        };
        cover.add(contours);
        cover
    }

    /// Nothing yet, in a rectangle around all points.
    fn around(contours: &[Vec<Point>]) -> Option<Self> {
        let points = || contours.iter().flatten();
        let edge = |of: fn(&Point) -> f32, pick: fn(f32, f32) -> f32| points().map(of).reduce(pick);
        let (left, right) = (edge(|p| p.x, f32::min)?, edge(|p| p.x, f32::max)?);
        let (top, bottom) = (edge(|p| p.y, f32::min)?, edge(|p| p.y, f32::max)?);
        let (left, top) = (whole(left), whole(top));
        let [width, height] = [whole(right.ceil()) - left + 1, whole(bottom.ceil()) - top + 1];
        Some(Self { left, top, width, shares: vec![0.0; width * height] })
    }

    /// Adds a part; what two parts cover is covered once.
    fn join(&mut self, part: &[Point]) {
        let part = Self::of(&[part.to_vec()]);
        for (row, shares) in part.shares.chunks(part.width.max(1)).enumerate() {
            let from = (part.top + row - self.top) * self.width + part.left - self.left;
            let own = self.shares.get_mut(from..).unwrap_or_default();
            own.iter_mut().zip(shares).for_each(|(own, share)| *own = own.max(*share));
        }
    }

    fn add(&mut self, contours: &[Vec<Point>]) {
        let height = self.shares.len() / self.width.max(1);
        let mut drawn = Rasterizer::new(self.width, height);
        #[expect(clippy::cast_precision_loss, reason = "dots of a picture")]
        let (left, top) = (self.left as f32, self.top as f32);
        let moved = |at: &Point| point(at.x - left, at.y - top);
        for contour in contours {
            let ends = contour.iter().skip(1).chain(contour.first());
            for (from, to) in contour.iter().zip(ends) {
                drawn.draw_line(moved(from), moved(to));
            }
        }
        drawn.for_each_pixel(|at, share| {
            if let Some(own) = self.shares.get_mut(at) {
                *own = share.clamp(0.0, 1.0);
            }
        });
    }
}

/// A glyph as contours of straight pieces.
struct Outline {
    /// Where its letter begins.
    from: Point,
    scale: f32,
    contours: Vec<Vec<Point>>,
}

/// Straight pieces of a bow: it is a few dots long.
const PIECES: u8 = 6;

impl Outline {
    fn at(&self, x: f32, y: f32) -> Point {
        point(self.scale.mul_add(x, self.from.x), (-self.scale).mul_add(y, self.from.y))
    }

    fn push(&mut self, at: Point) {
        if let Some(contour) = self.contours.last_mut() {
            contour.push(at);
        }
    }

    fn last(&self) -> Point {
        self.contours.last().and_then(|contour| contour.last()).copied().unwrap_or(self.from)
    }
}

impl OutlineBuilder for Outline {
    fn move_to(&mut self, x: f32, y: f32) {
        self.contours.push(vec![self.at(x, y)]);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.push(self.at(x, y));
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let (from, over, to) = (self.last(), self.at(x1, y1), self.at(x, y));
        for piece in 1..=PIECES {
            let part = f32::from(piece) / f32::from(PIECES);
            let (a, b) = (between(from, over, part), between(over, to, part));
            self.push(between(a, b, part));
        }
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let (from, to) = (self.last(), self.at(x, y));
        let (first, second) = (self.at(x1, y1), self.at(x2, y2));
        for piece in 1..=PIECES {
            let part = f32::from(piece) / f32::from(PIECES);
            let (a, b) = (between(from, first, part), between(first, second, part));
            let (b, c) = (between(a, b, part), between(b, between(second, to, part), part));
            self.push(between(b, c, part));
        }
    }

    fn close(&mut self) {}
}

fn between(a: Point, b: Point, part: f32) -> Point {
    point(part.mul_add(b.x - a.x, a.x), part.mul_add(b.y - a.y, a.y))
}

fn disc(middle: Point, radius: f32) -> Vec<Point> {
    let at = |corner: u8| {
        let angle = f32::from(corner) * std::f32::consts::TAU / 12.0;
        point(radius.mul_add(angle.cos(), middle.x), radius.mul_add(angle.sin(), middle.y))
    };
    (0..12).map(at).collect()
}

fn dots((x, y): (f64, f64)) -> Point {
    point(DOTS * narrow(x), DOTS * narrow(y))
}

#[expect(clippy::cast_possible_truncation, reason = "pixels of a picture")]
fn narrow(number: f64) -> f32 {
    number as f32
}

/// The whole dots of a place; none is before the first.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "dots of a picture")]
fn whole(number: f32) -> usize {
    number.max(0.0) as usize
}
