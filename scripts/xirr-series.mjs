// Makes packages/wealth/test/cases/xirr.json: random series of cash, and what LibreOffice Calc says of each with XIRR. Tests hold the money-weighted
// return against them. Needs `soffice` (Debian: libreoffice-calc-nogui); not run by CI.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const count = 30;
const target = fileURLToPath(new URL("../packages/wealth/test/cases/xirr.json", import.meta.url));

const folder = mkdtempSync(join(tmpdir(), "xirr-"));
try {
  const series = Array.from({ length: count }, (_, index) => randomSeries(index));
  const sheet = join(folder, "xirr.fods");
  writeFileSync(sheet, spreadsheet(series));
  // The eighth option: numbers with all their digits instead of those that are shown.
  const filter = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,false";
  const profile = `-env:UserInstallation=file://${join(folder, "profile")}`;
  execFileSync("soffice", [profile, "--headless", "--convert-to", filter, "--outdir", folder, sheet]);
  const application = execFileSync("soffice", [profile, "--version"], { encoding: "utf8" }).trim();
  const results = readFileSync(join(folder, "xirr.csv"), "utf8").trim().split("\n");
  const rows = series.map((cash, index) => ({ cash, xirr: Number(results[index * 2]?.split(",")[0]) }));
  const unsolved = rows.filter(({ xirr }) => !Number.isFinite(xirr));
  if (unsolved.length > 0) throw new Error(`${unsolved.length} series have no XIRR: run again`);
  writeFileSync(target, `${JSON.stringify({ application, series: rows })}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Days with cash: what the owner pays is negative, the last is what is there in the end. */
function randomSeries(index) {
  const days = index % 5 === 0 ? between(20, 364) : between(365, 1500);
  const begin = Date.UTC(2021, between(0, 11), between(1, 28));
  const day = (after) => new Date(begin + after * 86_400_000).toISOString().slice(0, 10);
  const moments = Array.from({ length: between(0, 8) }, () => between(1, days - 1)).toSorted(
    (one, other) => one - other,
  );
  const rate = Math.random() * 0.9 - 0.3;
  const grown = (amount, after) => amount * (1 + rate) ** ((days - after) / 365);
  const opening = between(100, 900_000) / 100;
  let value = grown(opening, 0);
  const flows = moments.map((after) => {
    // Money out is little enough to leave something there.
    const amount = Math.random() < 0.6 ? between(100, 500_000) / 100 : -Math.round(value * 20) / 100;
    value += grown(amount, after);
    return [day(after), (-amount).toFixed(2)];
  });
  const noise = 1 + (Math.random() - 0.5) / 10;
  return [[day(0), (-opening).toFixed(2)], ...flows, [day(days), (Math.max(1, value) * noise).toFixed(2)]];
}

function between(least, most) {
  return least + Math.floor(Math.random() * (most - least + 1));
}

/** Two rows a series: the result and the amounts, and below them the dates. */
function spreadsheet(series) {
  const rows = series.map((cash, index) => {
    const [top, last] = [index * 2 + 1, String.fromCharCode(65 + cash.length)];
    const formula = `of:=XIRR([.B${top}:.${last}${top}];[.B${top + 1}:.${last}${top + 1}])`;
    const amounts = cash.map(([, amount]) => `<table:table-cell office:value-type="float" office:value="${amount}"/>`);
    const dates = cash.map(([day]) => `<table:table-cell office:value-type="date" office:date-value="${day}"/>`);
    return `<table:table-row><table:table-cell table:formula="${formula}"/>${amounts.join("")}</table:table-row>
<table:table-row><table:table-cell/>${dates.join("")}</table:table-row>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:of="urn:oasis:names:tc:opendocument:xmlns:of:1.2"
 office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.spreadsheet">
<office:body><office:spreadsheet><table:table table:name="xirr">
${rows.join("\n")}
</table:table></office:spreadsheet></office:body></office:document>
`;
}
