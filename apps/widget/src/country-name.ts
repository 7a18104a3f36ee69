import { alpha3Of } from "@org/connector-filter/countries";
import type { SessionLanguage } from "@org/core";

/** Name of a country in a language, from its lower-case alpha-3 code; the code itself in capitals where there is no name. */
export function countryName(alpha3: string, language: SessionLanguage): string {
  const alpha2 = alpha2Codes().get(alpha3);
  return alpha2 === undefined ? alpha3.toUpperCase() : (namesIn(language).of(alpha2) ?? alpha3.toUpperCase());
}

const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
let codes: ReadonlyMap<string, string> | undefined;

/** `Intl` knows alpha-2 codes only, so the table of `@org/connector-filter` is read backwards. */
function alpha2Codes(): ReadonlyMap<string, string> {
  codes ??= new Map(
    letters.flatMap((first) =>
      letters.flatMap((second) => {
        const alpha3 = alpha3Of(first + second);
        return alpha3 === null ? [] : [[alpha3, first + second] as const];
      }),
    ),
  );
  return codes;
}

const names = new Map<SessionLanguage, Intl.DisplayNames>();

function namesIn(language: SessionLanguage): Intl.DisplayNames {
  let known = names.get(language);
  if (!known) {
    known = new Intl.DisplayNames(language, { type: "region" });
    names.set(language, known);
  }
  return known;
}
