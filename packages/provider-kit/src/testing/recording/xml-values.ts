/** XML with every value changed: attributes, texts and CDATA. Comments and declarations go. `name` is that of the attribute, or of the element around a text. */
export function mapXml(xml: string, change: (text: string, name: string) => string): string {
  const open: string[] = [];
  return xml.replace(
    /<!--[\s\S]*?-->|<!\[CDATA\[([\s\S]*?)\]\]>|<[!?][^>]*>|<(\/?)([\w:.-]+)((?:[^<>"']|"[^"]*"|'[^']*')*)>|[^<]+|</g,
    (part, cdata?: string, closing?: string, name?: string, attributes = "") => {
      const around = open.at(-1) ?? "";
      if (cdata !== undefined) return escapeXml(change(cdata, around));
      if (part === "<" || part.startsWith("<!") || part.startsWith("<?")) return "";
      if (name === undefined) return part.trim() === "" ? part : escapeXml(change(unescapeXml(part), around));
      if (closing === "/") {
        open.pop();
        return `</${name}>`;
      }
      const isEmpty = attributes.trimEnd().endsWith("/");
      if (!isEmpty) open.push(name);
      const changed = [...attributes.matchAll(/([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)].map(
        ([, attribute = "", double, single]) =>
          ` ${attribute}="${escapeXml(change(unescapeXml(double ?? single ?? ""), attribute))}"`,
      );
      return `<${name}${changed.join("")}${isEmpty ? "/" : ""}>`;
    },
  );
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function unescapeXml(text: string): string {
  return text.replace(/&(?:#(\d{1,6})|#x([0-9a-f]{1,5})|(\w+));/gi, (whole, decimal, hex, name) => {
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
    return entities[name] ?? whole;
  });
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
