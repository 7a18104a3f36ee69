import { encode } from "uqr";

/** A QR code as an SVG path of its dark modules, one unit each, inside a square of `size` with the margin in it. */
export interface QrDrawing {
  readonly size: number;
  readonly path: string;
}

/** A text as a QR code. Null when it is too long for one. */
export function qrDrawing(text: string): QrDrawing | null {
  const code = encoded(text);
  if (!code) return null;
  const dark = code.data.flatMap((row, y) => row.flatMap((set, x) => (set ? [`M${x} ${y}h1v1h-1z`] : [])));
  return { size: code.size, path: dark.join("") };
}

/** Four modules of margin, as ISO/IEC 18004 asks for. */
function encoded(text: string) {
  try {
    return encode(text, { ecc: "M", border: 4 });
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
