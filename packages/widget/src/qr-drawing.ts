import { encode } from "uqr";

/** A QR code as an SVG path of its dark modules, one unit each, in a square of `size` that includes the margin. */
export interface QrDrawing {
  readonly size: number;
  readonly path: string;
}

/** Encodes a text as a QR code. Null when it is too long. */
export function qrDrawing(text: string): QrDrawing | null {
  const code = encoded(text);
  if (!code) return null;
  const dark = code.data.flatMap((row, y) => row.flatMap((set, x) => (set ? [`M${x} ${y}h1v1h-1z`] : [])));
  return { size: code.size, path: dark.join("") };
}

/** The margin of four modules is required by ISO/IEC 18004. */
function encoded(text: string) {
  try {
    return encode(text, { ecc: "M", border: 4 });
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
