// What our readers make of the custodian files in a folder, as JSON lines for a comparison by file and account with whatever else
// reads them; interim reports (MT942, camt.052) too. First `npm run build -- --filter=@org/bank-providers...`, then `node scripts/read-feeds.mjs FOLDER…`. Sums are exact
// and without trailing zeros. A file that is not taken is {"file", "refused"}, a page that waits for others {"file", "statement", "page"}.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { refuse, root } from "./step.mjs";

const folders = process.argv.slice(2).map((folder) => resolve(folder));
if (folders.length === 0) refuse("Which folder? node scripts/read-feeds.mjs FOLDER…");
const built = (name) => {
  const path = join(root, "packages", name, "dist/index.js");
  if (!existsSync(path)) refuse("Not built yet: npm run build -- --filter=@org/bank-providers...");
  return import(pathToFileURL(path).href);
};
const { readFeed } = await built("bank-providers");
const { addDecimals } = await built("core");

for (const folder of folders) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".tsv") && !entry.name.endsWith(".md"))
    .map((entry) => join(entry.parentPath, entry.name));
  for (const path of files.sort()) {
    for (const line of linesOf(readFileSync(path)))
      console.log(JSON.stringify({ file: relative(folder, path), ...line }));
  }
}

function linesOf(bytes) {
  try {
    const { format, snapshot, warnings, pages = [] } = readFeed(bytes, { interim: true });
    const of = (rows, account) => rows.filter(({ portfolio_key }) => portfolio_key === account);
    const waiting = pages.map(({ statement, number, is_last }) => ({ format, statement, page: number, is_last }));
    const accounts = snapshot.portfolios.map(
      ({ key, ref_account, balance, currency, type, as_of, holdings_unknown }) => {
        const holdings = of(snapshot.holdings, key);
        const transactions = of(snapshot.transactions, key);
        return {
          format,
          account: ref_account,
          key,
          type,
          as_of,
          currency,
          balance: balance && plain(balance),
          holdings: holdings_unknown ? null : holdings.length,
          units: sums(holdings, "amount"),
          values: sums(holdings, "balance"),
          transactions: transactions.length,
          cash: sums(transactions, "balance"),
          warnings: warnings.map(({ place, message }) => `${place}: ${message}`),
        };
      },
    );
    return [...accounts, ...waiting];
  } catch (error) {
    if (error?.name !== "FeedRefusal") throw error;
    return [{ refused: error.message }];
  }
}

/** The sum of one figure of rows by currency, currencies in order. */
function sums(rows, figure) {
  const total = {};
  for (const row of rows) {
    if (row[figure] !== null) total[row.currency] = addDecimals(total[row.currency] ?? "0", row[figure]);
  }
  return Object.fromEntries(
    Object.entries(total)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([currency, sum]) => [currency, plain(sum)]),
  );
}

function plain(decimal) {
  return decimal.includes(".") ? decimal.replace(/\.?0+$/, "") : decimal;
}
