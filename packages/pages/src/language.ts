/** The languages of the product's pages. */
export const pageLanguages = ["en", "de", "fr", "es"] as const;

/** BCP 47 tag of a language of {@link pageLanguages}. */
export type PageLanguage = (typeof pageLanguages)[number];

/** Returns the first language that the pages have; a region counts for nothing. Null when there is none. */
export function firstLanguage(tags: readonly string[]): PageLanguage | null {
  for (const tag of tags) {
    const [primary] = tag.toLowerCase().split("-", 1);
    const known = pageLanguages.find((language) => language === primary);
    if (known !== undefined) return known;
  }
  return null;
}

/** Returns the language that an `Accept-Language` header prefers (RFC 9110, 12.5.4); English when the pages have none of its. */
export function acceptedLanguage(header = ""): PageLanguage {
  const ranges = header.split(",").map((range) => {
    const [tag = "", ...parameters] = range.split(";").map((part) => part.trim());
    const quality = parameters.find((parameter) => /^q=/i.test(parameter))?.slice(2);
    return { tag: tag === "*" ? "en" : tag, quality: quality === undefined ? 1 : Number(quality) };
  });
  const accepted = ranges.filter(({ quality }) => quality > 0).sort((a, b) => b.quality - a.quality);
  return firstLanguage(accepted.map(({ tag }) => tag)) ?? "en";
}
