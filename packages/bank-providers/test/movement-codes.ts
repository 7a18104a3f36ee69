import type { TransactionData } from "@org/provider-kit";
import { readFeed } from "../src/feeds.js";

/** A code of a movement as its format writes it, and the kind that it was read as. */
export interface MovementCode {
  readonly format: "OFX" | "MT940, MT942, MT950" | "camt.052, camt.053, camt.054";
  readonly code: string;
  readonly kind: TransactionData["kind"];
}

/** The codes of a file's movements, found where the movements say that they stand; none for other formats. */
export function movementCodes(file: Uint8Array): readonly MovementCode[] {
  const { format, snapshot } = readFeed(file, { interim: true });
  const text = Buffer.from(file).toString("latin1");
  const codeAt = codes[format];
  if (!codeAt) return [];
  const lines = text.split(/\r\n|\r|\n/);
  return (snapshot.transactions ?? []).map(({ place = "", kind }) => {
    const [, line, column] = /^line (\d+)(?:, column (\d+))?/.exec(place) ?? [];
    const rest = [lines[Number(line) - 1]?.slice(Number(column ?? 1) - 1), ...lines.slice(Number(line))].join("\n");
    return { ...codeAt(rest), kind };
  });
}

type CodeAt = (rest: string) => Omit<MovementCode, "kind">;

const ofx: CodeAt = (rest) => {
  const row = /^<(\w+)/.exec(rest)?.[1] ?? "";
  const value = (name: string) => new RegExp(`<${name}>\\s*([^<\\s]*)`, "i").exec(rest)?.[1]?.toUpperCase() ?? "";
  const code =
    row === "STMTTRN"
      ? `STMTTRN ${value("TRNTYPE")}`
      : /INCOME|REINVEST/.test(row)
        ? `${row} ${value("INCOMETYPE")}`
        : row;
  return { format: "OFX", code };
};
const mt94x: CodeAt = (rest) => ({
  format: "MT940, MT942, MT950",
  code:
    /^:61:\d{6}(?:\d{4})?\s?(?:E[DC]|R?[DC])[A-Z]?\s?\d[\d,]*[A-Z]([A-Z0-9]{3})/
      .exec(rest)?.[1]
      ?.replace(/^\d{3}$/, "digits") ?? "none",
});
const camt: CodeAt = (rest) => {
  const entry = /^[\s\S]*?<\/(?:\w+:)?Ntry>/.exec(rest)?.[0] ?? "";
  const coded = /<(?:\w+:)?BkTxCd>([\s\S]*?)<\/(?:\w+:)?BkTxCd>/.exec(entry)?.[1] ?? "";
  const [domain, family, subFamily] = ["Domn>\\s*<(?:\\w+:)?Cd", "Fmly>\\s*<(?:\\w+:)?Cd", "SubFmlyCd"].map(
    (name) => new RegExp(`<(?:\\w+:)?${name}>([^<]*)`).exec(coded)?.[1],
  );
  const path = [domain, family, subFamily].filter((part) => part).join(" ");
  return { format: "camt.052, camt.053, camt.054", code: path || (coded.includes("Prtry") ? "only Prtry" : "none") };
};

const codes: Readonly<Record<string, CodeAt>> = {
  ofx,
  mt940: mt94x,
  mt942: mt94x,
  mt950: mt94x,
  "camt.052": camt,
  "camt.053": camt,
  "camt.054": camt,
};
