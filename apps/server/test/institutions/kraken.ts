import { createHash, createHmac, randomBytes } from "node:crypto";
import {
  type Institution,
  type InstitutionRequest,
  type Reply,
  startInstitution,
} from "../../../../packages/provider-kit/test/stand-in/institution.js";
import { minus, negative, places, plus, times } from "./decimals.js";

/** `secret` is base64, as Kraken shows it. */
export interface KrakenKey {
  readonly key: string;
  readonly secret: string;
}

/** An entry of the ledger; amounts have the decimals of their asset. */
export interface KrakenEntry {
  readonly refid: string;
  readonly time: number;
  readonly type: string;
  readonly subtype: string;
  readonly aclass: string;
  readonly asset: string;
  readonly amount: string;
  readonly fee: string;
  readonly balance: string;
}

export interface KrakenAccount {
  /** Its public id, such as `AA88 N84G WOAK NMOI`. */
  readonly iban: string;
  readonly balances: ReadonlyMap<string, string>;
  /** The oldest first. */
  readonly ledger: ReadonlyMap<string, KrakenEntry>;
  /** `permits` names the private calls that the key may make; all of them if left out. */
  makeKey(permits?: readonly string[]): KrakenKey;
  /** One entry; entries of one event have its `refid`. A fee comes off beside the amount. Returns the entry's id. */
  post(type: string, asset: string, amount: string, more?: { fee?: string; subtype?: string; refid?: string }): string;
  /** Two entries of one trade; the fee is in the quote asset. */
  trade(side: "buy" | "sell", pair: string, volume: string, price: string, fee: string): void;
}

/** A stand-in for Kraken's Spot REST API. Refusals have the status 200 and their words in `error`. */
export interface Kraken {
  /** As in the documents: without `/0`. */
  readonly base_url: string;
  readonly institution: Institution;
  readonly violations: readonly string[];
  /** An asset by its id, such as `XXBT` with the other name `XBT`. */
  list(asset: string, altname: string, decimals: number): void;
  /** A market, with its last price. */
  pair(name: string, base: string, quote: string, price: string): void;
  open(): KrakenAccount;
  revoke(key: KrakenKey): void;
  /** From now on every call has this error, until null. */
  refuse(error: string | null): void;
  close(): Promise<void>;
}

/** Of the tier "Starter": the counter may reach 15 and falls by a third each second. */
const MAX_COUNTER = 15;
const DECAY = 0.33;
const PAGE = 50;

interface Holder {
  readonly secret: string;
  readonly account: Account;
  readonly permits: readonly string[] | null;
  nonce: bigint;
  counter: number;
  counted_at: number;
}

class Account implements KrakenAccount {
  readonly iban = `AA${randomBytes(9)
    .toString("hex")
    .toUpperCase()
    .replace(/(.{4})(?!$)/g, "$1 ")}`;
  readonly balances = new Map<string, string>();
  readonly ledger = new Map<string, KrakenEntry>();
  readonly trades = new Map<string, Readonly<Record<string, unknown>>>();

  constructor(
    private readonly market: {
      readonly clock: () => Date;
      readonly decimals: (asset: string) => number;
      readonly pairs: ReadonlyMap<string, { readonly base: string; readonly quote: string }>;
      readonly keep: (account: Account, permits: readonly string[] | null) => KrakenKey;
    },
  ) {}

  makeKey(permits?: readonly string[]) {
    return this.market.keep(this, permits ?? null);
  }

  post(type: string, asset: string, amount: string, { fee = "0", subtype = "", refid = idOf("Q") } = {}) {
    const digits = this.market.decimals(asset);
    const balance = minus(plus(this.balances.get(asset) ?? "0", amount), fee);
    this.balances.set(asset, balance);
    const id = idOf("L");
    this.ledger.set(id, {
      refid,
      time: this.market.clock().getTime() / 1000,
      type,
      subtype,
      aclass: "currency",
      asset,
      amount: places(amount, digits),
      fee: places(fee, digits),
      balance: places(balance, digits),
    });
    return id;
  }

  trade(side: "buy" | "sell", pair: string, volume: string, price: string, fee: string) {
    const { base = "", quote = "" } = this.market.pairs.get(pair) ?? {};
    const refid = idOf("T");
    const cost = times(volume, price);
    this.post("trade", base, side === "buy" ? volume : negative(volume), { refid });
    this.post("trade", quote, side === "buy" ? negative(cost) : cost, { refid, fee });
    const time = this.market.clock().getTime() / 1000;
    this.trades.set(refid, {
      ordertxid: idOf("O"),
      pair,
      time,
      type: side,
      ordertype: "limit",
      price: places(price, 5),
      cost: places(cost, 5),
      fee: places(fee, 5),
      vol: places(volume, 8),
      margin: "0.00000",
      leverage: "0",
      misc: "",
    });
  }
}

export async function startKraken({ clock }: { readonly clock: () => Date }): Promise<Kraken> {
  const holders = new Map<string, Holder>();
  const assets = new Map<string, { readonly altname: string; readonly decimals: number }>();
  const pairs = new Map<string, { readonly base: string; readonly quote: string; readonly price: string }>();
  const violations: string[] = [];
  let refusal: string | null = null;

  const keep = (account: Account, permits: readonly string[] | null) => {
    const made = { key: randomBytes(42).toString("base64"), secret: randomBytes(64).toString("base64") };
    const counted_at = clock().getTime();
    holders.set(made.key, { secret: made.secret, account, permits, nonce: 0n, counter: 0, counted_at });
    return made;
  };
  const market = { clock, decimals: (asset: string) => assets.get(asset)?.decimals ?? 10, pairs, keep };

  function answer(request: InstitutionRequest): Reply {
    if (refusal) return error(refusal);
    const [, version, scope, call = ""] = request.path.split("/");
    if (version === "0" && scope === "public") return known(publicData(call, request.query));
    if (version !== "0" || scope !== "private" || request.method !== "POST") return error("EGeneral:Unknown method");
    const form = new URLSearchParams(request.body);
    const holder = holders.get(String(request.headers["api-key"] ?? ""));
    if (!holder) return error("EAPI:Invalid key");
    const refused = unsigned(holder, request, form) ?? overLimit(holder, call);
    if (refused) return error(refused);
    if (call === "GetApiKeyInfo") return json({ error: [], result: keyInfo(holder) });
    if (holder.permits && !holder.permits.includes(call)) return error("EGeneral:Permission denied");
    return known(privateData(holder.account, call, form));
  }

  /** It needs no permission. Of all permissions there are only those to which the private calls here belong. */
  function keyInfo({ account, permits, nonce }: Holder): object {
    const needed = { "query-funds": "BalanceEx", "query-ledger": "Ledgers", "query-closed-trades": "TradesHistory" };
    const permissions = Object.entries(needed).filter(([, call]) => permits === null || permits.includes(call));
    return {
      apiKeyName: "wealth",
      nonce: String(nonce),
      nonceWindow: 0,
      permissions: permissions.map(([name]) => name),
      iban: account.iban,
      validUntil: "0",
      queryFrom: "0",
      queryTo: "0",
      ipAllowlist: [],
      lastUsed: null,
    };
  }

  /** "HMAC-SHA512 of (URI path + SHA256(nonce + POST data)) and base64 decoded secret API key" */
  function unsigned(holder: Holder, { path, body, headers }: InstitutionRequest, form: URLSearchParams): string | null {
    const nonce = form.get("nonce") ?? "";
    const hash = createHash("sha256")
      .update(nonce + body)
      .digest();
    const mac = createHmac("sha512", Buffer.from(holder.secret, "base64")).update(path).update(hash).digest("base64");
    if (mac !== headers["api-sign"]) return "EAPI:Invalid signature";
    if (!/^\d{1,20}$/.test(nonce) || BigInt(nonce) <= holder.nonce) return "EAPI:Invalid nonce";
    holder.nonce = BigInt(nonce);
    if (!headers["user-agent"]) violations.push("no User-Agent");
    return null;
  }

  /** "Ledger/trade history calls increase the counter by 2. All other API calls increase this counter by 1." */
  function overLimit(holder: Holder, call: string): string | null {
    const at = clock().getTime();
    holder.counter = Math.max(0, holder.counter - ((at - holder.counted_at) / 1000) * DECAY);
    holder.counted_at = at;
    holder.counter += ["Ledgers", "QueryLedgers", "TradesHistory"].includes(call) ? 2 : 1;
    return holder.counter > MAX_COUNTER ? "EAPI:Rate limit exceeded" : null;
  }

  function privateData(account: Account, call: string, form: URLSearchParams): object | null {
    const balances = [...account.balances].map(
      ([asset, balance]) => [asset, places(balance, market.decimals(asset))] as const,
    );
    if (call === "Balance") return Object.fromEntries(balances);
    if (call === "BalanceEx")
      return Object.fromEntries(
        balances.map(([asset, balance]) => [asset, { balance, hold_trade: places("0", market.decimals(asset)) }]),
      );
    if (call === "Ledgers") {
      const [asset, type] = [form.get("asset") ?? "all", form.get("type") ?? "all"];
      const isWanted = (entry: KrakenEntry) =>
        (asset === "all" || asset.split(",").includes(entry.asset)) && (type === "all" || entry.type === type);
      const { rows, count } = page(
        [...account.ledger].filter(([, entry]) => isWanted(entry)),
        form,
      );
      return { ledger: rows, ...(form.get("without_count") !== "true" && { count }) };
    }
    if (call === "TradesHistory") {
      const { rows, count } = page([...account.trades] as [string, { time: number }][], form);
      return { trades: rows, count };
    }
    return null;
  }

  /** Fifty, the newest first, from `ofs`; `start` is exclusive and `end` inclusive, each a time or an id. */
  function page<T extends { readonly time: number }>(all: readonly (readonly [string, T])[], form: URLSearchParams) {
    const timeOf = (name: string) => {
      const given = form.get(name);
      return given === null ? null : (all.find(([id]) => id === given)?.[1].time ?? Number(given));
    };
    const [start, end] = [timeOf("start"), timeOf("end")];
    const found = all
      .filter(([, { time }]) => (start === null || time > start) && (end === null || time <= end))
      .toReversed();
    const ofs = Number(form.get("ofs") ?? 0);
    return { rows: Object.fromEntries(found.slice(ofs, ofs + PAGE)), count: found.length };
  }

  function publicData(call: string, query: URLSearchParams): object | null {
    const at = clock();
    if (call === "Time") return { unixtime: Math.floor(at.getTime() / 1000), rfc1123: at.toUTCString() };
    if (call === "Assets")
      return Object.fromEntries(
        [...assets].map(([id, { altname, decimals }]) => [
          id,
          { aclass: "currency", altname, decimals, display_decimals: Math.min(5, decimals), status: "enabled" },
        ]),
      );
    const altname = ({ base, quote }: { base: string; quote: string }) =>
      `${assets.get(base)?.altname ?? base}${assets.get(quote)?.altname ?? quote}`;
    if (call === "AssetPairs")
      return Object.fromEntries(
        [...pairs].map(([name, { base, quote }]) => [
          name,
          {
            altname: altname({ base, quote }),
            aclass_base: "currency",
            base,
            aclass_quote: "currency",
            quote,
            status: "online",
          },
        ]),
      );
    if (call !== "Ticker") return null;
    const wanted = query.get("pair")?.split(",");
    const priced = [...pairs].filter(
      ([name, its]) => !wanted || wanted.includes(name) || wanted.includes(altname(its)),
    );
    if (wanted && priced.length < wanted.length) return { refused: "EQuery:Unknown asset pair" };
    return Object.fromEntries(
      priced.map(([name, { price }]) => {
        const text = places(price, 5);
        const both = [text, text];
        const offer = [text, "1", "1.000"];
        return [
          name,
          {
            a: offer,
            b: offer,
            c: [text, "0.25000000"],
            v: ["1.0", "2.0"],
            p: both,
            t: [1, 2],
            l: both,
            h: both,
            o: text,
          },
        ];
      }),
    );
  }

  function known(result: object | null): Reply {
    if (result === null) return error("EGeneral:Unknown method");
    return "refused" in result ? error(String(result.refused)) : json({ error: [], result });
  }

  const institution = await startInstitution({ clock, answer });
  return {
    base_url: institution.url,
    institution,
    violations,
    list: (asset, altname, decimals) => void assets.set(asset, { altname, decimals }),
    pair: (name, base, quote, price) => void pairs.set(name, { base, quote, price }),
    open: () => new Account(market),
    revoke: ({ key }) => void holders.delete(key),
    refuse(words) {
      refusal = words;
    },
    close: () => institution.close(),
  };
}

/** Such as `LGBRJU-SQZ4L-5HLS3C`. */
function idOf(first: string): string {
  const letters = first + randomBytes(12).toString("hex").toUpperCase();
  return `${letters.slice(0, 6)}-${letters.slice(6, 11)}-${letters.slice(11, 17)}`;
}

function error(words: string): Reply {
  return json({ error: [words] });
}

function json(body: object): Reply {
  return { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}
