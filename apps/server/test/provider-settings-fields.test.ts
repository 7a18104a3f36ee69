import { shippedProviders } from "@org/installation";
import { schemaText } from "@org/provider-registry";
import { expect, it } from "vitest";
// biome-ignore-start lint/style/noRestrictedImports: the console is an app, so nothing imports it by a name.
import {
  asKind,
  beginningOf,
  below,
  controlFor,
  nameOfKind,
  pathsIn,
  type Schema,
  withMember,
} from "../../console/src/settings/settings-model.js";
// biome-ignore-end lint/style/noRestrictedImports: the console is an app, so nothing imports it by a name.
import { loadConfiguredProviders } from "../src/providers/load-providers.js";

const client = {
  token_url: "https://login.bank.example/token",
  client_id: "wealth-connect",
  client_secret: "set",
  scope: "custody",
  revoke_url: "https://login.bank.example/revoke",
  client_authentication: "post",
};
const bank = { name: "Bank", country: "che", base_url: "https://api.bank.example" };
const samples: Readonly<Record<string, readonly object[]>> = {
  alpaca: [{}, { base_urls: { live: "https://api.example", paper: "https://paper.example" } }],
  "ibkr-flex": [{}, { base_url: "https://flex.example" }],
  kraken: [{}, { base_urls: { live: "https://api.example" } }],
  openwealth: [
    { banks: [] },
    {
      banks: [
        { id: "one", ...bank, auth: { type: "client_credentials", ...client }, customer_ids: ["1", "2 b"] },
        {
          id: "two",
          ...bank,
          auth: {
            type: "authorization_code",
            ...client,
            authorize_url: "https://login.bank.example",
            issuer: "https://i",
          },
          tls: { cert: "-----BEGIN\nCERTIFICATE", key: "set", ca: "pem" },
          headers: { "X-Target-ID": "set", "Permission-ID": "typed" },
        },
        {
          id: "three",
          ...bank,
          version: "1.2",
          auth: { type: "certificate" },
          tls: { cert: "pem", key: "set" },
          consent_header: "Permission-ID",
          identifiers: { bic: "ALPNCHZZ", lei: "549300EXAMPLE0000000", domain: "bank.example" },
          date_type: "bookingDate",
        },
      ],
    },
  ],
  plaid: [
    { client_id: "client", secret: "set", countries: ["US"] },
    {
      client_id: "client",
      secret: "set",
      environment: "sandbox",
      base_url: "https://plaid.example",
      countries: ["US", "CA"],
      products: ["investments"],
      client_name: "Larkspur",
      notifications_url: "https://wealth.example/providers/plaid/notifications?tenant=t",
    },
  ],
  saxo: [
    { clients: { sim: { client_id: "key", client_secret: "set" } } },
    {
      clients: {
        live: {
          client_id: "key",
          client_secret: "set",
          authorize_url: "https://login.example/authorize",
          token_url: "https://login.example/token",
        },
      },
      base_urls: { live: "https://api.example/openapi" },
    },
  ],
  snaptrade: [
    { client_id: "LARKSPUR", consumer_key: "set" },
    { client_id: "LARKSPUR", consumer_key: "set", key_type: "personal", base_url: "https://snaptrade.example/api/v1" },
  ],
  trading212: [{}, { base_urls: { live: "https://live.example", demo: "https://demo.example" } }],
};

it("[C-14.980] every shipped provider's settings have fields, none of them JSON, and what is typed into them is the same JSON", async () => {
  for (const definition of await loadConfiguredProviders(Object.keys(shippedProviders), ".")) {
    const schema = schemaText(definition) as Schema;
    const given = samples[definition.name];
    expect(given, `samples of ${definition.name}`).toBeDefined();
    for (const sample of given ?? []) {
      const typed = type(schema, sample, schema);
      expect(typed).toEqual(sample);
      expect(type(schema, typed, schema), "read again").toEqual(sample);
    }
  }
});

it("[C-14.980] what has no field is JSON in its place alone, and what the schema does not know stays", () => {
  const schema = {
    type: "object",
    properties: {
      pair: { type: "array", prefixItems: [{}, {}] },
      size: { type: "integer" },
      next: { $ref: "#" },
      either: { anyOf: [{ type: "string" }, { type: "number" }] },
      on: { type: "boolean" },
    },
  };
  const value = { pair: [1, 2], size: "many", next: { size: 2 }, either: 3, on: true, more: { a: 1 } };
  const control = controlFor(schema, value, schema);
  if (control.kind !== "group") throw new Error("a group is expected");
  const kinds = control.members.map(({ name, schema: its }) => [
    name,
    controlFor(its, value[name as keyof typeof value], schema).kind,
  ]);
  expect(Object.fromEntries(kinds)).toEqual({
    ...{ pair: "json", size: "json", next: "group", either: "kinds", on: "check", more: "json" },
  });
  expect(withMember(value, "size", undefined)).toEqual({ ...value, size: undefined });
  expect(pathsIn(schema, { next: { size: 2 } }, "settings", schema)).toContain("settings.next.size");
});

/** Types a value into the fields, from nothing on, as a person does. */
function type(schema: Schema, value: unknown, root: Schema, path = "settings"): unknown {
  const begun = beginningOf(schema, root);
  const control = controlFor(schema, value, root);
  switch (control.kind) {
    case "group": {
      const known = new Map(control.members.map((member) => [member.name, member.schema]));
      return Object.entries(value as object).reduce<unknown>(
        (made, [name, each]) => withMember(made, name, type(known.get(name) ?? {}, each, root, below(path, name))),
        begun,
      );
    }
    case "list":
      return (value as unknown[]).map((each, index) => type(control.element, each, root, below(path, index)));
    case "named":
      return Object.fromEntries(
        Object.entries(value as object).map(([name, each]) => [
          name,
          type(control.element, each, root, below(path, name)),
        ]),
      );
    case "kinds": {
      const kind = control.kinds[control.chosen] as Schema;
      // Another kind first, then the right one: what both have stays, and what tells them apart does not.
      const others = control.kinds.filter((each) => each !== kind);
      const changed = asKind(
        kind,
        others.reduce((made, each) => asKind(each, made, root), value),
        root,
      );
      expect(nameOfKind(kind, root)).not.toBe("");
      expect(controlFor(schema, changed, root)).toMatchObject({ kind: "kinds", chosen: control.chosen });
      return type(kind, value, root, path);
    }
    case "json":
      throw new Error(`${path} has no field`);
    default:
      return value;
  }
}
