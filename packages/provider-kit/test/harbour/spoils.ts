// biome-ignore-all lint/suspicious/noTemplateCurlyInString: texts of a program.

/** One mistake of a provider: what it is, and the lines of harbour.ts that make it. */
export interface Spoil {
  readonly name: string;
  readonly edits: readonly (readonly [from: string, to: string])[];
}

const spoil = (name: string, ...edits: Spoil["edits"]): Spoil => ({ name, edits });

/** The mistakes that authors of providers make, by kind. Nothing here was chosen for being found. */
export const spoils: readonly Spoil[] = [
  // Amounts
  spoil("a balance goes through a float", ["balance: value,", "balance: String(Number(value)),"]),
  spoil("units go through a float", [
    "amount: isShort ? negateDecimal(position.units) : position.units,",
    "amount: String(Number(position.units) * (isShort ? -1 : 1)),",
  ]),
  spoil(
    "answers are read with floats",
    ['read: "json_exact",', 'read: "json",'],
    ["value: z.string() })),", "value: z.coerce.string() })),"],
    ["units: z.string(),", "units: z.coerce.string(),"],
    ["price: z.string(),\n    value: z.string(),", "price: z.coerce.string(),\n    value: z.coerce.string(),"],
    [
      "units: z.string().nullable(),\n    price: z.string().nullable(),\n    amount: z.string(),\n    fee: z.string(),",
      "units: z.coerce.string().nullable(),\n    price: z.coerce.string().nullable(),\n    amount: z.coerce.string(),\n    fee: z.coerce.string(),",
    ],
  ),
  spoil("cash is rounded to two places", [
    "balance: isOut ? negateDecimal(net) : net,",
    "balance: Number(isOut ? negateDecimal(net) : net).toFixed(2),",
  ]),
  spoil("pence are shown as pounds", ['multiplyDecimals(amount, "0.01")', "amount"]),
  spoil("pence are divided by a thousand", ['multiplyDecimals(amount, "0.01")', 'multiplyDecimals(amount, "0.001")']),
  spoil("pence are divided by a float", ['multiplyDecimals(amount, "0.01")', "String(Number(amount) / 100)"]),
  spoil("the price stays in pence", [
    "price: money(position.currency, position.price).amount,",
    "price: position.price,",
  ]),
  spoil("a purchase brings money", ['new Set(["BUY", "FEE", "WITHDRAWAL"])', 'new Set(["FEE", "WITHDRAWAL"])']),
  spoil("a withdrawal brings money", ['new Set(["BUY", "FEE", "WITHDRAWAL"])', 'new Set(["BUY", "FEE"])']),
  spoil("units that are sold are positive", [
    'row.type === "SELL" ? negateDecimal(row.units) : row.units',
    "row.units",
  ]),
  spoil("a short position is long", ['position.side === "SHORT"', "false"]),
  spoil("the fee of a sale is added", [
    "addDecimals(row.amount, negateDecimal(row.fee))",
    "addDecimals(row.amount, row.fee)",
  ]),
  spoil("fees are negative", ["fees: row.fee,", "fees: negateDecimal(row.fee),"]),
  spoil("an unknown amount is zero", [
    "price: z.string().nullable(),",
    'price: z.string().nullish().transform((text) => text ?? "0"),',
  ]),
  spoil("price and value are exchanged", [
    "money(position.currency, position.value)",
    "money(position.currency, position.price)",
  ]),
  // Pages
  spoil("only the first page is read", ["if (!next) return rows;", "return rows;"]),
  spoil("the last page is lost", [
    "rows.push(...items);\n            if (!next) return rows;",
    "if (!next && cursor) return rows;\n            rows.push(...items);\n            if (!next) return rows;",
  ]),
  spoil(
    "a page is taken twice",
    ["rows.push(...items);", "rows.push(...items, ...(cursor ? items : []));"],
    [
      'unique(await pages("/positions", query, positions), ({ isin }) => isin)',
      'await pages("/positions", query, positions)',
    ],
  ),
  spoil("repeated rows of pages that moved stay", [
    'unique(await pages("/positions", query, positions), ({ isin }) => isin)',
    'await pages("/positions", query, positions)',
  ]),
  spoil("a page is cut to its first row", ["rows.push(...items);", "rows.push(...items.slice(0, 1));"]),
  spoil(
    "the cursor is ignored",
    ["{ ...query, ...(cursor && { cursor }) }", "query"],
    ["if (next === cursor) break;", "if (next === cursor) return rows;"],
  ),
  spoil("pages are read for ever", ["count < MAX_PAGES", "true"], ["if (next === cursor) break;", ""]),
  spoil(
    "reading stops in silence after some pages",
    ["const MAX_PAGES = 500;", "const MAX_PAGES = 2;"],
    ["throw new Ended({ failed: { message: `the pages of ${path} do not end` } });", "return rows;"],
  ),
  spoil("a page that fails ends the list", [
    "const { status, body } = await get(path, { ...query, ...(cursor && { cursor }) });",
    "const { status, body } = await get(path, { ...query, ...(cursor && { cursor }) }).catch((error) => {\n              if (cursor) return { status: 200, body: { items: [], next: null } };\n              throw error;\n            });",
  ]),
  // Failures
  spoil("positions that fail are none", [
    'await pages("/positions", query, positions)',
    'await pages("/positions", query, positions).catch(() => [])',
  ]),
  spoil("movements that fail are none", [
    'await pages("/activities", { ...query, from, ...told }, activities)',
    'await pages("/activities", { ...query, from, ...told }, activities).catch(() => [])',
  ]),
  spoil(
    "a status of 500 is an empty list",
    ["expect: [200, 202, 401, 403, 429],", "expect: [200, 202, 401, 403, 429, 500],"],
    [
      "return answer;\n        };",
      "if (answer.status === 500) return { ...answer, body: { accounts: [], items: [] } };\n          return answer;\n        };",
    ],
  ),
  spoil("a row that is odd is skipped", [
    "items: z.array(item)",
    "items: z.array(z.unknown()).transform((all) => all.flatMap((one) => item.safeParse(one).data ?? []) as z.output<Item>[])",
  ]),
  spoil("an odd row ends the list", [
    "items: z.array(item)",
    "items: z.array(z.unknown()).transform((all) => {\n      const bad = all.findIndex((one) => !item.safeParse(one).success);\n      return all.slice(0, bad < 0 ? all.length : bad).map((one) => item.parse(one));\n    })",
  ]),
  spoil("a failure is thrown as what it is in the program", [
    'return { failed: { message: error instanceof z.ZodError ? "an answer is not as described" : "unknown" } };',
    "throw new TypeError(String(error));",
  ]),
  spoil("a connection that is reset is a refusal", [
    "if (error instanceof HttpFailure) throw error;",
    'if (error instanceof HttpFailure) return { refused: "rejected" };',
  ]),
  spoil("a page of HTML is an empty account", [
    "if (error instanceof HttpFailure) throw error;",
    'if (error instanceof HttpFailure && error.code === "not_json")\n            return { snapshot: { as_of: clock(), portfolios: [], holdings: [], transactions: [] }, consent_expires_at: null };\n          if (error instanceof HttpFailure) throw error;',
  ]),
  // Statuses
  spoil("429 is a failure", [
    "throw new Ended({ throttled: { retry_after: answer.retry_after_seconds ?? 60 } })",
    'throw new Ended({ failed: { message: "429" } })',
  ]),
  spoil("Retry-After is ignored", ["retry_after: answer.retry_after_seconds ?? 60", "retry_after: 1"]),
  spoil("a throttled login is a wrong password", [
    'if (status === 429) return { kind: "throttled", retry_after: retry_after_seconds ?? 60 };',
    'if (status === 429) return { kind: "rejected" };',
  ]),
  spoil("a report in preparation is an empty list", [
    "throw new Ended({ pending: { retry_after: 20, state: { job: job.parse(body).job } } })",
    "return rows",
  ]),
  spoil("401 is an outage", [
    'throw new Ended({ refused: "rejected" })',
    'throw new Ended({ failed: { message: "401", outage: true } })',
  ]),
  spoil("a consent that ran out is a wrong password", ['CONSENT_OVER: "consent_expired"', 'CONSENT_OVER: "rejected"']),
  spoil("a wrong PIN is thrown", [
    'if (status === 401) return { kind: "rejected" };',
    'if (status === 401) throw new Error("401");',
  ]),
  spoil("everything of the login is let in", [
    'if (status === 401) return { kind: "rejected" };',
    'if (status === 401) return { kind: "authenticated", user_key: "?", access: { token: "", consent_until: "" } };',
  ]),
  // Customers
  spoil(
    "the token is kept in memory",
    [
      "const { token, consent_until } = access.parse(kept);\n        const from",
      "const { consent_until } = access.parse(kept);\n        const token = last;\n        const from",
    ],
    [
      'const headers = { "x-api-key": api_key };\n\n',
      'const headers = { "x-api-key": api_key };\n    let last = "";\n\n',
    ],
    [
      "const { customer, token, consent_until } = loggedIn.parse(body);",
      "const { customer, token, consent_until } = loggedIn.parse(body);\n      last = token;",
    ],
  ),
  spoil(
    "rows of the instance are shared by its customers",
    ["const holdings: HoldingData[] = [];\n", "holdings.length = 0;\n"],
    [
      'const headers = { "x-api-key": api_key };\n\n',
      'const headers = { "x-api-key": api_key };\n    const holdings: HoldingData[] = [];\n\n',
    ],
  ),
  spoil(
    "accounts are cached for everybody",
    [
      'const held = accounts.parse((await get("/accounts", {})).body).accounts;',
      'cached ??= accounts.parse((await get("/accounts", {})).body).accounts;\n          const held = cached;',
    ],
    [
      'const headers = { "x-api-key": api_key };\n\n',
      'const headers = { "x-api-key": api_key };\n    let cached: z.output<typeof accounts>["accounts"] | undefined;\n\n',
    ],
  ),
  spoil("the customer's key is the one of the installation", ["user_key: customer,", 'user_key: "harbour",']),
  // Secrets
  spoil("the token is in the log", [
    'log.info("accounts were read", { accounts: held.length });',
    'log.info("accounts were read", { accounts: held.length, token });',
  ]),
  spoil("the PIN is in an error in base64", [
    "const { customer, token, consent_until } = loggedIn.parse(body);",
    'if (!loggedIn.safeParse(body).success) throw new HttpFailure("status", `no answer to ${Buffer.from(JSON.stringify(json)).toString("base64")}`, { method: "POST", host: "" });\n      const { customer, token, consent_until } = loggedIn.parse(body);',
  ]),
  spoil("the key is in the log in hexadecimal", [
    'log.info("accounts were read", { accounts: held.length });',
    'log.info("accounts were read", { key: Buffer.from(api_key).toString("hex") });',
  ]),
  spoil("the token is in an address", [
    "query,\n            headers: { ...headers, authorization: `Bearer ${token}` },",
    "query: { ...query, access_token: token },\n            headers: { ...headers, authorization: `Bearer ${token}` },",
  ]),
  spoil("the key of the installation is in the access", [
    "access: { token, consent_until } };",
    "access: { token, consent_until, api_key } };",
  ]),
  spoil("the token is the key of the pace", ['`harbour:${createHash("sha256").update(token).digest("hex")}`', "token"]),
  // Limits, time, calls
  spoil("the pace is ignored", [
    "const late = await pace(",
    "const late = await (async (..._: unknown[]) => null as { retry_after: number } | null)(",
  ]),
  spoil("it sends an order", [
    "const held = accounts.parse",
    'await http.request({ method: "POST", url: `${base_url}/orders`, headers, json: {}, signal, read: "text" }).catch(() => null);\n          const held = accounts.parse',
  ]),
  spoil("a call hangs", [
    "const held = accounts.parse",
    "await new Promise(() => {});\n          const held = accounts.parse",
  ]),
  spoil("the signal is not handed on", [
    'signal,\n            read: "json_exact",',
    'signal: new AbortController().signal,\n            read: "json_exact",',
  ]),
  spoil("since is ignored", ["since ? since.getTime() - OVERLAP_DAYS * DAY_MS :", "false ? 0 :"]),
  // Rows
  spoil("keys are counted", ["key: row.id,", "key: String(transactions.length),"]),
  spoil("keys change from fetch to fetch", [
    "key: position.isin,",
    "key: `${position.isin}-${clock().getTime()}-${Math.random()}`,",
  ]),
  spoil("the day is that of UTC", ['timeZone: "America/New_York"', 'timeZone: "UTC"']),
  spoil("a fee is called a withdrawal", ['FEE: "fee"', 'FEE: "withdrawal"']),
  spoil("a fund is called an equity", ['FUND: "F"', 'FUND: "VI"']),
  spoil("the currency is always pounds", ["currency: row.currency,", 'currency: "GBP",']),
  spoil("a holding is in the currency of its account", [
    "const { amount: balance, currency } = money(position.currency, position.value);",
    'const { amount: balance } = money(position.currency, position.value);\n              const currency = number === "HB-100300" ? "USD" : "GBP";',
  ]),
  spoil("fees are not brought", ["fees: row.fee,", ""]),
  spoil("rows stand in another account", [
    "portfolio_key: number,\n                holding_key: row.isin,",
    "portfolio_key: held[0]?.number ?? number,\n                holding_key: row.isin,",
  ]),
  spoil("the consent never ends", ["consent_expires_at: new Date(consent_until)", "consent_expires_at: null"]),
  spoil("revoking twice is thrown", ["expect: [200, 401] });", "expect: [200] });"]),
  spoil(
    "a callback is taken twice",
    [
      "const enter = async (path: string, json: object, signal: AbortSignal): Promise<LoginStep> => {",
      "const entered = new Map<string, LoginStep>();\n    const enter = async (path: string, json: object, signal: AbortSignal): Promise<LoginStep> => {\n      signal.throwIfAborted();\n      const earlier = entered.get(JSON.stringify(json));\n      if (earlier) return earlier;",
    ],
    [
      'return { kind: "authenticated", user_key: customer, access: { token, consent_until } };',
      'const step = { kind: "authenticated", user_key: customer, access: { token, consent_until } } as const;\n      entered.set(JSON.stringify(json), step);\n      return step;',
    ],
  ),
];
