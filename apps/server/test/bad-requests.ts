import { toolCall } from "./mcp-clients.js";

const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;

/** Bodies that are not a JSON object, or not one that a real client sends. */
export const noJsonObjects: readonly (readonly [string, string | Uint8Array])[] = [
  ["nothing", ""],
  ["a list", "[]"],
  ["null", "null"],
  ["text", '"text"'],
  ["broken JSON", '{"a":'],
  ["two values", "{} {}"],
  ["bytes that are no UTF-8", Uint8Array.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
  ["an object nested 5,000 deep", deep(5_000)],
  ["an object nested 100,000 deep", deep(100_000)],
  ["200,000 values", `{"a":[${"1,".repeat(200_000)}1]}`],
  [
    "2,000 different names",
    JSON.stringify(Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`n${at}`, 1]))),
  ],
  ["2 MiB", `{"a":"${"x".repeat(2 * 1024 * 1024)}"}`],
];

const request = (method: unknown, params?: unknown) => ({
  jsonrpc: "2.0",
  id: 1,
  method,
  ...(params !== undefined && { params }),
});

/** JSON objects that are no JSON-RPC request of ours. */
export const badRpcRequests: readonly (readonly [string, unknown])[] = [
  ["arguments that are a list", toolCall("svc-credentials", [])],
  ["arguments that are text", toolCall("svc-credentials", "page")],
  ["arguments that are a number", toolCall("svc-credentials", 1)],
  ["no tool", request("tools/call", {})],
  ["a tool that is a number", request("tools/call", { name: 1 })],
  ["an unknown tool", toolCall("svc-nothing", {})],
  ["a tool named __proto__", toolCall("__proto__", {})],
  ["params that are text", request("tools/call", "svc-credentials")],
  ["an unknown method", request("tools/burn")],
  ["a method that is a list", request(["tools/list"])],
  ["another JSON-RPC", { jsonrpc: "1.0", id: 1, method: "tools/list" }],
  ["an id that is an object", { jsonrpc: "2.0", id: {}, method: "tools/list" }],
  ["initialize without params", request("initialize")],
  ["initialize with a version that is a list", request("initialize", { protocolVersion: [] })],
  [
    "initialize with 2,000 icons of nothing",
    request("initialize", {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "a", version: "1", icons: Array.from({ length: 2_000 }, () => ({})) },
    }),
  ],
  ["12,000 values for a tool", toolCall("svc-investments", { currency: Array.from({ length: 12_000 }, () => 1) })],
];

const NEW_BANK = '{"id":"esp:new-bank","name":"New bank","country":"esp"}';

/** Catalogue files whose second line is bad. */
export const badCatalogues: readonly string[] = [
  "{",
  "[]",
  '{"id":"nocolon","name":"x","country":"esp"}',
  '{"id":"esp:x","name":"a\\u0000","country":"esp"}',
  '{"id":"esp:x","name":"x","country":"nowhere"}',
  '{"id":"esp:x","name":"x","country":"esp","available":"yes"}',
  '{"__proto__":1,"id":"esp:x","name":"x","country":"esp"}',
].map((line) => `${NEW_BANK}\n${line}\n`);

/** Query strings of a custodian file that are wrong in one field. */
export function badFileQueries(letterId: string): readonly (readonly [field: string, query: string])[] {
  return [
    ["name", `letter_id=${letterId}`],
    ["name", `letter_id=${letterId}&name=`],
    ["name", `letter_id=${letterId}&name=${"x".repeat(256)}`],
    ["name", `letter_id=${letterId}&name=a%00b`],
    ["name", `letter_id=${letterId}&name=a&name=b`],
    ["connection_id", "name=a"],
    ["connection_id", `connection_id=${letterId}&letter_id=${letterId}&name=a`],
    ["surprise", `letter_id=${letterId}&name=a&surprise=1`],
  ];
}

/** Forms for `/token` that carry good credentials of a client and are wrong elsewhere, with the OAuth error of the refusal. */
export const badTokenForms: readonly (readonly [what: string, form: string, error: string])[] = [
  ["no grant type", "scope=letters:read", "invalid_request"],
  ["an unknown grant type", "grant_type=password", "unsupported_grant_type"],
  ["a grant type with NUL", "grant_type=client_credentials%00", "invalid_request"],
  ["a grant type twice", "grant_type=client_credentials&grant_type=client_credentials", "invalid_request"],
  ["a scope that does not exist", "grant_type=client_credentials&scope=everything", "invalid_scope"],
  ["the operators' scope", "grant_type=client_credentials&scope=operator", "invalid_scope"],
  ["a resource elsewhere", "grant_type=client_credentials&resource=https://elsewhere.example", "invalid_target"],
  ["a resource that is none", "grant_type=client_credentials&resource=%00", "invalid_target"],
  ["no refresh token", "grant_type=refresh_token", "invalid_request"],
  ["a refresh token that is none", "grant_type=refresh_token&refresh_token=wcr_nothing", "invalid_grant"],
  [
    "a refresh token of 3,000 characters",
    `grant_type=refresh_token&refresh_token=${"x".repeat(3_000)}`,
    "invalid_request",
  ],
];

/** What a bank customer may type by mistake or in malice, with the status of the page that answers. */
export const badLogins: readonly (readonly [what: string, typed: Readonly<Record<string, string>>, status: number])[] =
  [
    ["nothing", {}, 400],
    ["no password", { username: "somebody" }, 400],
    ["spaces for a user name", { username: "   ", password: "x" }, 400],
    ["a user name with NUL", { username: "a\0b", password: "x" }, 400],
    ["a password of 501 characters", { username: "somebody", password: "x".repeat(501) }, 400],
    ["a password of 100,000 characters", { username: "somebody", password: "x".repeat(100_000) }, 413],
  ];
