import type { Connection } from "./mcp-connection.js";

/** What a tool answered: the JSON of its text. */
export interface Result {
  readonly tool: string;
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  readonly answer: any;
}

/** What a model does next. */
export type Move = { readonly say: string } | { readonly call: string; readonly with: object };

/** A scripted model: it sees what a model would see, and returns its next move. */
export type Model = (seen: {
  readonly question: string;
  readonly tools: readonly string[];
  readonly results: readonly Result[];
}) => Move;

/** Makes a call over MCP and returns it with its result. */
export async function called(connection: Connection, { call, with: args }: { call: string; with: object }) {
  const { isError = false, content } = await connection.call(call, args);
  const text = content.map((part) => part.text ?? "").join("");
  return { isError, content, text, result: { tool: call, answer: JSON.parse(text) } };
}

/** Deletes the first connection if asked to and able to; otherwise adds up balances and looks for a login that is due. */
export const adviser: Model = ({ question, tools, results }) => {
  const [listed, second, third] = results.map(({ answer }) => answer);
  if (!listed) return { call: "svc-credentials", with: {} };
  const [{ credentials_token, bank }] = listed.items;
  if (/delete/i.test(question)) {
    if (!tools.includes("svc-delete-credentials")) return { say: `I cannot delete ${bank}.` };
    if (!second) return { call: "svc-delete-credentials", with: { credentials_token, confirm: true } };
    return { say: second.message ?? `I left ${bank} alone.` };
  }
  if (!second) return { call: "svc-portfolios", with: { page_size: 1 } };
  if (!third) return { call: "svc-needs-relogin", with: { credentials_token } };
  const totals = second.totals.map(
    (total: { currency: string; balance: string }) => `${total.balance} ${total.currency}`,
  );
  return { say: `${totals.join(", ")}; ${bank} needs a login: ${third.needs_relogin}` };
};
