import { encode } from "uqr";

/** A text as a QR code, with the margin of four modules that ISO/IEC 18004 requires; nothing if the text is too long. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const code = encoded(text);
  if (code === null) return null;
  const dark = code.data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])));
  return (
    <svg
      className="qr"
      viewBox={`0 0 ${code.size} ${code.size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={code.size} height={code.size} fill="#ffffff" />
      <path d={dark.join("")} fill="#000000" />
    </svg>
  );
}

function encoded(text: string) {
  try {
    return encode(text, { ecc: "M", border: 4 });
  } catch {
    return null;
  }
}
