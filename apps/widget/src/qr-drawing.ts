import { Html, html } from "@org/pages";
import { encode } from "uqr";

/** A text as a QR code, drawn as inline SVG: dark on white in either colour scheme, which scanners need. Null when it is too long for one. */
export function qrDrawing(text: string, label: string): Html | null {
  const code = encoded(text);
  if (!code) return null;
  const dark = code.data.flatMap((row, y) => row.flatMap((set, x) => (set ? [`M${x} ${y}h1v1h-1z`] : [])));
  const size = code.size;
  return html`<svg class="qr" role="img" aria-label="${label}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">
<path fill="#ffffff" d="M0 0h${size}v${size}h-${size}z"/><path fill="#000000" d="${new Html(dark.join(""))}"/></svg>`;
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
