/** Media types of logos. Only raster images, because an SVG can contain scripts. */
export const logoTypes = ["image/png", "image/jpeg", "image/webp"] as const;

/** Type and size of a picture, as its header states them. */
export interface PictureFacts {
  readonly media_type: (typeof logoTypes)[number];
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

/**
 * Reads type and size of a PNG, JPEG or WebP picture from its first bytes, whatever its name; null for anything else. The picture is not
 * decoded here but in browsers; its width and height show beforehand what that costs them.
 */
export function pictureFacts(bytes: Uint8Array): PictureFacts | null {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return pngFacts(view) ?? jpegFacts(view) ?? webpFacts(view);
  } catch (error) {
    // The file ends before it states its size.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** PNG (third edition) §5.2, §11.2.2: the signature, then the header. */
function pngFacts(bytes: Buffer): PictureFacts | null {
  if (bytes.readUInt32BE(0) !== 0x89504e47 || bytes.readUInt32BE(4) !== 0x0d0a1a0a) return null;
  if (bytes.toString("latin1", 12, 16) !== "IHDR") return null;
  return { media_type: "image/png", width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** ITU-T T.81 annex B: segments until the one that begins a frame. */
function jpegFacts(bytes: Buffer): PictureFacts | null {
  if (bytes.readUInt16BE(0) !== 0xffd8) return null;
  for (let at = 2; bytes.readUInt8(at) === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    while (bytes.readUInt8(at + 1) === 0xff) at += 1;
    const marker = bytes.readUInt8(at + 1);
    const beginsFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (beginsFrame)
      return { media_type: "image/jpeg", width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
  }
  return null;
}

/** RFC 9649: lossy, lossless and extended files have their size in different places. */
function webpFacts(bytes: Buffer): PictureFacts | null {
  if (bytes.toString("latin1", 0, 4) !== "RIFF" || bytes.toString("latin1", 8, 12) !== "WEBP") return null;
  const picture = (width: number, height: number) => ({ media_type: "image/webp" as const, width, height });
  switch (bytes.toString("latin1", 12, 16)) {
    case "VP8 ":
      return picture(bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff);
    case "VP8L": {
      const packed = bytes.readUInt32LE(21);
      return picture((packed & 0x3fff) + 1, ((packed >>> 14) & 0x3fff) + 1);
    }
    case "VP8X":
      return picture(bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1);
    default:
      return null;
  }
}
