import { createHash } from "node:crypto";
import type { Reply } from "../../../../packages/provider-kit/test/stand-in/institution.js";
import {
  Exact,
  exactJson,
  type Json,
  type JsonObject,
} from "../../../../packages/provider-openwealth/test/stand-in/exact-json.js";
import type { SnapTradeAccount, SnapTradeConnection, SnapTradePartner, SnapTradeRow } from "./snaptrade-book.js";
import type { SnapTradeBrokerage, SnapTradeInstrument, SnapTradePosition } from "./snaptrade-brokerage.js";

export const json = (status: number, body: Json, headers: Readonly<Record<string, string>> = {}): Reply => ({
  status,
  headers: { "content-type": "application/json", ...headers },
  body: exactJson(body),
});

/**
 * A refusal in the members that docs/ratelimiting shows, and that the description has for 402, 425, 429, 500 and 503. For 400, 401, 403 and 404
 * it has `default_detail` and `default_code` instead.
 */
export const refusal = (status: number, code: string, detail: string): Reply =>
  json(status, { detail, status_code: status, code });

/** "2024-08-20T21:56:19.123935Z": times have microseconds. */
const time = (at: Date) => at.toISOString().replace("Z", "000Z");
/** "2024-06-28 18:42:46.561408+00:00", as the status of a sync has them. */
const syncTime = (at: Date) => at.toISOString().replace("T", " ").replace("Z", "000+00:00");
const day = (date: string | null) => (date?.length === 10 ? `${date}T00:00:00Z` : date);
const exact = (text: string | null | undefined) => (text == null ? null : new Exact(text));

/** The same id for the same name. */
const idOf = (name: string) =>
  createHash("sha256")
    .update(name)
    .digest("hex")
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5");

const NAMES: Readonly<Record<string, string>> = { USD: "US Dollar", CAD: "Canadian Dollar", EUR: "Euro" };
const currency = (code: string) => ({ id: idOf(code), code, name: NAMES[code] ?? code });

export const brokerageAnswer = (brokerage: SnapTradeBrokerage): JsonObject => ({
  id: brokerage.id,
  slug: brokerage.slug,
  name: brokerage.name,
  display_name: brokerage.name,
  description: `${brokerage.name} is a brokerage of this stand-in.`,
  aws_s3_logo_url: `https://logos.example/${brokerage.slug.toLowerCase()}.png`,
  aws_s3_square_logo_url: null,
  url: brokerage.url,
  enabled: brokerage.enabled,
  maintenance_mode: brokerage.maintenance_mode,
  is_degraded: brokerage.is_degraded,
  allows_trading: brokerage.allows_trading,
  allows_fractional_units: null,
  has_reporting: null,
  is_real_time_connection: true,
  brokerage_type: { id: idOf(brokerage.type), name: brokerage.type },
  exchanges: [],
  open_url: null,
});

export const partnerAnswer = (partner: SnapTradePartner, brokerages: readonly SnapTradeBrokerage[]): JsonObject => ({
  slug: partner.client_id,
  name: "Wealthly",
  logo_url: null,
  allowed_brokerages: brokerages.map(brokerageAnswer),
  can_access_trades: false,
  can_access_holdings: true,
  can_access_account_history: true,
  can_access_reference_data: true,
  can_access_portfolio_management: false,
  can_access_orders: true,
  redirect_uri: partner.redirect_uri,
  pin_required: false,
});

export const connectionAnswer = (connection: SnapTradeConnection): JsonObject => ({
  id: connection.id,
  created_date: time(connection.created),
  brokerage: brokerageAnswer(connection.brokerage),
  name: "Connection-1",
  type: connection.type,
  disabled: connection.disabled !== null,
  disabled_date: connection.disabled && time(connection.disabled),
  meta: {},
  updated_date: time(connection.created),
  is_eligible_for_payout: false,
  data_freshness_mode: connection.user.partner.plan === "realtime" ? "realtime" : "delayed",
});

export function accountAnswer({
  id,
  connection,
  source,
  created,
  holdings,
  syncedTo,
  rows,
}: SnapTradeAccount): JsonObject {
  const dates = rows.map(({ activity }) => activity.trade_date?.slice(0, 10)).filter((date) => date !== undefined);
  return {
    id,
    brokerage_authorization: connection.id,
    name: source.name,
    number: source.number,
    institution_account_id: source.institution_account_id,
    institution_name: connection.brokerage.name,
    created_date: time(created),
    funding_date: null,
    opening_date: null,
    sync_status: {
      transactions: {
        initial_sync_completed: syncedTo !== null,
        last_successful_sync: syncedTo,
        first_transaction_date: dates.toSorted()[0] ?? null,
      },
      holdings: {
        initial_sync_completed: holdings !== null,
        last_successful_sync: holdings && syncTime(holdings.at),
        ...(source.isUnavailable && { holdings_unavailable: true }),
      },
    },
    balance: {
      total: holdings?.total == null ? null : { amount: exact(holdings.total), currency: source.currency },
    },
    status: source.status,
    raw_type: source.raw_type,
    account_category: source.account_category,
    meta: {},
    portfolio_group: null,
    cash_restrictions: [],
    is_paper: source.is_paper,
  };
}

/** One for each currency. */
export const balancesAnswer = ({ holdings }: SnapTradeAccount): JsonObject[] =>
  [...(holdings?.cash ?? [])].map(([code, cash]) => ({
    currency: currency(code),
    cash: exact(cash),
    buying_power: exact(holdings?.buyingPower.has(code) ? holdings.buyingPower.get(code) : cash),
  }));

export const positionsAnswer = ({ holdings, created }: SnapTradeAccount): JsonObject => ({
  results: (holdings?.positions ?? []).map(positionAnswer),
  data_freshness: { as_of: time(holdings?.at ?? created) },
});

const positionAnswer = ({ instrument, ...position }: SnapTradePosition): JsonObject => ({
  instrument: instrumentAnswer(instrument),
  units: position.units,
  price: position.price,
  cost_basis: position.cost_basis,
  currency: position.currency,
  ...(instrument.kind === "mutualfund" && { cash_equivalent: position.cash_equivalent ?? false }),
});

function instrumentAnswer(instrument: SnapTradeInstrument): JsonObject {
  const { kind, id, symbol, raw_symbol, description, currency, exchange, figi, option, future, underlying } =
    instrument;
  if (option)
    return { kind, id, symbol, description, ...option, underlying: underlying && instrumentAnswer(underlying) };
  if (future) return { kind, id, symbol, root_symbol: raw_symbol, ...future, currency, exchange };
  const security = { kind, id, symbol, raw_symbol, description, currency, exchange };
  if (underlying) return { ...security, underlying_instrument: instrumentAnswer(underlying) };
  return { ...security, figi_instrument: figi && { ...figi } };
}

const TYPES: Readonly<Record<string, readonly [code: string, description: string]>> = {
  stock: ["cs", "Common Stock"],
  etf: ["et", "ETF"],
  adr: ["ad", "ADR"],
  cef: ["cef", "Closed End Fund"],
  mutualfund: ["oef", "Open Ended Fund"],
  crypto: ["crypto", "Cryptocurrency"],
};

/** A security in the older form, which activities have. */
function symbolAnswer({
  id,
  kind,
  symbol,
  raw_symbol,
  description,
  currency: code,
  exchange,
  figi,
}: SnapTradeInstrument) {
  const [type, name] = TYPES[kind] ?? ["bnd", "Bond"];
  return {
    id,
    symbol,
    raw_symbol,
    description,
    currency: currency(code ?? "USD"),
    ...(exchange && {
      exchange: {
        id: idOf(exchange),
        code: exchange.slice(1),
        mic_code: exchange,
        name: exchange,
        timezone: "America/New_York",
        start_time: "09:30:00",
        close_time: "16:00:00",
        suffix: null,
      },
    }),
    type: { id: idOf(type), code: type, description: name, is_supported: true },
    figi_code: figi?.figi_code ?? null,
    figi_instrument: figi && { ...figi },
  };
}

function optionAnswer({ id, symbol, option, underlying }: SnapTradeInstrument) {
  return {
    id,
    ticker: symbol,
    option_type: option?.option_type,
    strike_price: exact(option?.strike_price),
    expiration_date: option?.expiration_date,
    is_mini_option: option?.multiplier === "10",
    underlying_symbol: underlying && symbolAnswer(underlying),
  };
}

/** Numbers of activities are numbers of JSON, those of positions text. */
export function activityAnswer({ id, activity }: SnapTradeRow, institution: string): JsonObject {
  const { instrument, quote, settlement_date } = activity;
  return {
    id,
    symbol: instrument && !instrument.option ? symbolAnswer(instrument) : null,
    currency_universal_symbol: quote && symbolAnswer(quote),
    option_symbol: instrument?.option ? optionAnswer(instrument) : null,
    price: exact(activity.price),
    units: exact(activity.units),
    amount: exact(activity.amount),
    currency: activity.currency === null ? null : currency(activity.currency),
    type: activity.type,
    option_type: activity.option_type,
    description: activity.description,
    trade_date: day(activity.trade_date),
    ...(settlement_date !== null && { settlement_date: day(settlement_date) }),
    fee: exact(activity.fee),
    fx_rate: exact(activity.fx_rate),
    institution,
    external_reference_id: activity.external_reference_id,
  };
}
