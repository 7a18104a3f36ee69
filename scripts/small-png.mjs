// A screenshot again with at most 256 colours, which halves it or better: pages have few, and the rest are edges of letters.
import { crc32, deflateSync, inflateSync } from "node:zlib";

const signature = Buffer.from("89504e470d0a1a0a", "hex");

/** @param png 8-bit RGB or RGBA without interlacing, as browsers take screenshots */
export function smallPng(png) {
  const { width, height, channels, data } = read(png);
  const colours = pixels(unfiltered(data, width, height, channels), channels);
  const palette = mostUsed(colours, 256);
  const nearest = new Map();
  const rows = Buffer.alloc((width + 1) * height); // one byte for the filter before each row: none
  colours.forEach((colour, index) => {
    if (!nearest.has(colour)) nearest.set(colour, closest(palette, colour));
    rows[index + Math.floor(index / width) + 1] = nearest.get(colour);
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3], 8);
  const table = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
  const parts = [chunk("IHDR", header), chunk("PLTE", table), chunk("IDAT", deflateSync(rows, { level: 9 }))];
  return Buffer.concat([signature, ...parts, chunk("IEND", Buffer.alloc(0))]);
}

function read(png) {
  const parts = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at))
    if (png.toString("latin1", at + 4, at + 8) === "IDAT")
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  const channels = { 2: 3, 6: 4 }[png[25]];
  if (png[24] !== 8 || !channels || png[28] !== 0) throw new Error("not an 8-bit RGB or RGBA picture");
  return {
    width: png.readUInt32BE(16),
    height: png.readUInt32BE(20),
    channels,
    data: inflateSync(Buffer.concat(parts)),
  };
}

/** Takes the five filters of PNG back (PNG 3, 9.2). */
function unfiltered(data, width, height, channels) {
  const stride = width * channels;
  const out = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y++) {
    const filter = data[y * (stride + 1)];
    for (let x = 0; x < stride; x++) {
      const left = x < channels ? 0 : out[y * stride + x - channels];
      const up = y === 0 ? 0 : out[(y - 1) * stride + x];
      const corner = y === 0 || x < channels ? 0 : out[(y - 1) * stride + x - channels];
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter];
      out[y * stride + x] = data[y * (stride + 1) + 1 + x] + guess;
    }
  }
  return out;
}

function paeth(left, up, corner) {
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

function pixels(bytes, channels) {
  const count = bytes.length / channels;
  return Uint32Array.from({ length: count }, (_, index) => bytes.readUIntBE(index * channels, 3));
}

function mostUsed(colours, most) {
  const counts = new Map();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, most)
    .map(([colour]) => colour);
}

function closest(palette, colour) {
  const distance = (other) =>
    [16, 8, 0].reduce((sum, shift) => sum + (((colour >> shift) & 255) - ((other >> shift) & 255)) ** 2, 0);
  return palette.reduce((best, other, index) => (distance(other) < distance(palette[best]) ? index : best), 0);
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(body, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
