import { addDecimals } from "@org/core";
import { type FeedContent, type FeedFormat, FeedRefusal, type HoldingData } from "@org/provider-kit";
import { FeedWarnings } from "../feed-warnings.js";
import { latestAsOf, type StatedPortfolio, sumOfHoldings } from "../stated-portfolio.js";
import type { SwiftBlock } from "../swift/field-table.js";
import { readMessages, type SwiftMessage, swiftText } from "../swift/message.js";
import { accountOf } from "../swift/movements.js";
import { otherMessage, type SecuritiesStatement, type StatementKind, statementsOf } from "../swift/pages.js";
import { hasMessage } from "../swift/recognise.js";
import {
  fieldOf,
  momentOf,
  moneyOf,
  placeOfLine,
  refuseField,
  requiredField,
  swiftFields,
  valueOfField,
} from "../swift/values.js";
import { formatHint } from "../unread-formats.js";
import { readHolding } from "./holdings.js";

/**
 * Reads SWIFT statements of holdings (MT535), with the network's blocks around them or as bare text. A safekeeping account, or each of its
 * sub-accounts, becomes a portfolio. The format has no transactions.
 */
export const mt535Format = {
  name: "mt535",
  title: "SWIFT statement of holdings (MT535)",
  recognises: (head) =>
    hasMessage(head, "535") ||
    // Bare text that shows no sign of another message type.
    (/^[^\w:{]{0,16}:16R:(?:GENL|SUBSAFE|FIN)\b/.test(head) &&
      !/^:(?:69[AB]::STAT|16R:(?:CONFDET|CACONF|TRADDET))\b/m.test(head)),
  read: (file) => readSnapshot(swiftText(file)),
} satisfies FeedFormat;

function readSnapshot(text: string): FeedContent {
  const messages = readMessages(text, holdingsType);
  if (messages.length === 0) throw new FeedRefusal("file", "holds no message");
  const warnings = new FeedWarnings();
  const portfolios = new Map<string, StatedPortfolio>();
  const holdings: HoldingData[] = [];
  const { whole, waiting } = statementsOf(messages, statementOfHoldings, warnings);
  const sender = messages.find((message) => message.sender !== null)?.sender;
  for (const statement of whole) {
    warnings.account(statement.account, () => {
      for (const [account, found] of holdingsByAccount(statement, warnings)) {
        if (portfolios.has(account)) {
          throw new FeedRefusal(`line ${statement.line}`, "a second statement of one account");
        }
        portfolios.set(account, portfolioOf(account, statement, found));
        for (const holding of found) holdings.push(holding);
      }
    });
  }
  const kept = waiting.filter((page) => warnings.account(page.account, () => checkPage(page)));
  const refused = warnings.refusedAccounts(portfolios.size + kept.length > 0);
  return {
    as_of: latestAsOf(portfolios.values()),
    portfolios: [...portfolios.values()],
    holdings,
    transactions: null,
    warnings: warnings.list(),
    ...refused,
    ...(kept.length > 0 && { pages: kept.map(({ page }) => page) }),
    ...(sender && { sender }),
  };
}

/** Reports faults of a page now and not when the last page has come; its warnings are reported then. */
function checkPage(page: SecuritiesStatement): void {
  const warnings = new FeedWarnings();
  holdingsByAccount(page, warnings);
  warnings.refusedAccounts(false);
}

const holdingsType: ReadonlySet<string> = new Set(["535"]);

const statementOfHoldings: StatementKind = {
  type: "535",
  momentOf(general) {
    const period = fieldOf(general, "69", "STAT");
    if (period) throw refuseField(period, otherMessage("MT536 (statement of transactions)", "535"));
    for (const field of general.fieldsOf("22F", "CODE")) {
      if (valueOfField(field) === "DELT") {
        throw refuseField(field, "holds only what has changed (DELT); what can be read is complete statements (COMP)");
      }
    }
    const field = requiredField(general, "98", "STAT");
    return { stated: valueOfField(field), ...momentOf(field) };
  },
};

const knownBlocks = new Set(["GENL", "SUBSAFE", "FIN", "ADDINFO"]);

function holdingsByAccount(statement: SecuritiesStatement, warnings: FeedWarnings): Map<string, HoldingData[]> {
  const { account, day } = statement;
  const reporting = statedTotal(statement)?.currency ?? commonCurrency(statement);
  const accounts = new Map<string, HoldingData[]>();
  const add = (portfolio_key: string, positions: readonly SwiftBlock[]) => {
    const found = accounts.get(portfolio_key) ?? [];
    accounts.set(portfolio_key, found);
    if (warnings.isRefused(portfolio_key)) return;
    warnings.account(portfolio_key, () => {
      for (const position of positions) found.push(readHolding(position, { portfolio_key, day, reporting, warnings }));
    });
  };
  for (const block of statement.pages.flatMap(({ blocks }) => blocks)) {
    if (!knownBlocks.has(block.name)) {
      throw new FeedRefusal(
        `line ${block.line}`,
        `:16R:${block.name.slice(0, 20)} is no part of a statement of holdings (MT535); ${formatHint}`,
      );
    }
    if (block.name === "FIN") add(account, [block]);
    if (block.name !== "SUBSAFE") continue;
    const own = fieldOf(block, "97", "SAFE");
    add(
      own ? accountOf(own) : account,
      block.blocks.filter(({ name }) => name === "FIN"),
    );
  }
  // A statement without positions means that the account holds nothing.
  if (accounts.size === 0) accounts.set(account, []);
  for (const key of accounts.keys()) if (warnings.isRefused(key)) accounts.delete(key);
  return accounts;
}

/**
 * Reads `19A::HOLS` of the additional information: the value of all holdings, of several currencies the first. Banks that leave it out state the
 * value of each page (`HOLP`); these are added up.
 */
function statedTotal({ pages }: SecuritiesStatement): { currency: string; value: string } | null {
  const totals = (page: SwiftMessage, qualifier: string) =>
    page.blocks
      .filter(({ name }) => name === "ADDINFO")
      .flatMap((block) => swiftFields(block, "19", qualifier).map(moneyOf));
  const [whole] = pages.flatMap((page) => totals(page, "HOLS"));
  if (whole) return whole;
  const [currency] = pages.slice(0, 1).flatMap((page) => totals(page, "HOLP").map((total) => total.currency));
  const parts = pages.map((page) => totals(page, "HOLP").find((total) => total.currency === currency));
  if (currency === undefined || parts.includes(undefined)) return null;
  return { currency, value: parts.reduce((sum, part) => addDecimals(sum, part?.value ?? "0"), "0") };
}

/** If no total is stated: a currency in which every valued position has a value, so that they can be added up. */
function commonCurrency({ pages }: SecuritiesStatement): string | null {
  const [first, ...others] = pages
    .flatMap(({ blocks }) => blocks.flatMap((block) => [block, ...block.blocks]))
    .filter(({ name }) => name === "FIN")
    .map((position) =>
      swiftFields(position, "19", "HOLD").flatMap((field) => /^N?([A-Z]{3})\d/.exec(valueOfField(field))?.[1] ?? []),
    )
    .filter((currencies) => currencies.length > 0);
  return first?.find((currency) => others.every((currencies) => currencies.includes(currency))) ?? null;
}

/** The stated total covers the whole statement. A sub-account with a portfolio of its own has the sum of its holdings as its balance. */
function portfolioOf(
  account: string,
  statement: SecuritiesStatement,
  holdings: readonly HoldingData[],
): StatedPortfolio {
  const total = account === statement.account ? statedTotal(statement) : null;
  const currency = total?.currency ?? holdings[0]?.currency ?? "XXX";
  return {
    key: account,
    name: `Safekeeping account ${account}`,
    balance: total?.value ?? sumOfHoldings(holdings, currency),
    currency,
    ref_account: account,
    type: "S",
    as_of: statement.instant,
    place: placeOfLine(statement),
  };
}
