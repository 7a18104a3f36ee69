/** A readable name for a browser, such as `Chrome on macOS`. @param device its `User-Agent` header */
export function deviceName(device: string): string {
  const first = (table: readonly (readonly [RegExp, string])[], otherwise: string) =>
    table.find(([pattern]) => pattern.test(device))?.[1] ?? otherwise;
  return `${first(browsers, "A browser")} on ${first(systems, "a computer")}`;
}

const browsers = [
  [/Edg\//, "Edge"],
  [/Firefox\//, "Firefox"],
  [/Chrome\/|Chromium\//, "Chrome"],
  [/Safari\//, "Safari"],
] as const;

const systems = [
  [/iPhone|iPad/, "iOS"],
  [/Android/, "Android"],
  [/Mac OS X/, "macOS"],
  [/Windows/, "Windows"],
  [/Linux/, "Linux"],
] as const;
