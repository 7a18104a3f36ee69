import { randomBytes } from "node:crypto";
import { type Challenge, type CredentialField, isSecretField, localizedText } from "@org/provider-kit";
import { z } from "zod";
import { failed, wrongUsage } from "../cli-error.js";
import { readJsonFile } from "../input.js";
import type { Shell } from "../shell.js";
import { printable } from "../table.js";
import { type CallbackListener, callbackUrl, listenForCallback } from "./callback-listener.js";
import { openPrompter } from "./prompter.js";

/** The person whose account is read: answers from a file, or from the terminal. What they said is kept for a recording. */
export interface LiveCustomer {
  readonly said: {
    fields: Readonly<Record<string, string>>;
    challenge?: string;
    ask?: Readonly<Record<string, string>>;
    params?: Readonly<Record<string, string>>;
  };
  readonly choices: string[];
  /** Where an institution sends them back to, and a new state. A provider that never redirects needs no port. */
  callback(redirects: boolean): Promise<{ readonly callback_url: string; readonly callback_state: string }>;
  fill(fields: readonly CredentialField[], isLogin: boolean): Promise<Readonly<Record<string, string>>>;
  /** The answer to a challenge. */
  answer(challenge: Challenge): Promise<string>;
  /** The query with which they come back from the institution's page. */
  visit(url: string, state: string): Promise<Readonly<Record<string, string>>>;
  close(): void;
}

const credentials = z.record(z.string(), z.string().max(10_000));

/** @param options.credentials a JSON file with the fields of the login; - reads standard input */
export async function openCustomer(
  shell: Shell,
  options: { credentials: string | undefined; port: number; signal: AbortSignal; onInterrupt: () => void },
): Promise<LiveCustomer> {
  const { signal } = options;
  const told = options.credentials === undefined ? null : await readCredentials(shell, options.credentials);
  let prompter: ReturnType<typeof openPrompter> = null;
  let listener: CallbackListener | null = null;
  const said: LiveCustomer["said"] = { fields: {} };
  const choices: string[] = [];

  return {
    said,
    choices,
    async callback(redirects) {
      if (redirects) listener ??= await listenForCallback(options.port);
      return {
        callback_url: listener?.url ?? callbackUrl(options.port),
        callback_state: randomBytes(24).toString("base64url"),
      };
    },
    async fill(fields, isLogin) {
      const filled: Record<string, string> = {};
      for (const field of fields) {
        const value = told?.[field.name] ?? (await asked(field));
        if (value === "" && field.required !== false) throw failed(`${field.name} is empty`);
        if (field.kind === "choice" && !(field.options ?? []).some((option) => option.value === value))
          throw failed(`${field.name} is none of its choices`);
        if (field.kind === "choice") choices.push(field.name);
        filled[field.name] = value;
      }
      if (isLogin) said.fields = filled;
      else said.ask = filled;
      return filled;
    },
    async answer({ kind, message, qr }) {
      if (qr !== undefined) shell.note(`to be shown as a QR code: ${printable(qr)}`);
      const isApproval = kind === "app" || kind === "qr";
      const typed = await question(
        isApproval ? `${message} (Enter when it is done)` : message,
        !isApproval,
        `a challenge (${kind})`,
      );
      if (!isApproval) said.challenge = typed;
      return isApproval ? "" : typed;
    },
    async visit(url, state) {
      if (listener === null) throw failed("nobody listens for the way back");
      shell.note(`Open this address in a browser on this machine, and come back by it:\n${printable(url)}`);
      const params = await listener.next(state, signal);
      said.params = params;
      return params;
    },
    close() {
      prompter?.close();
      listener?.close();
    },
  };

  async function asked(field: CredentialField): Promise<string> {
    const { name, label, hint, options: given = [] } = field;
    const words = [
      localizedText(label, "en") ?? name,
      localizedText(hint, "en"),
      given.map(({ value }) => value).join(" | "),
    ];
    const [title, ...more] = words.filter((text) => text !== undefined && text !== "");
    return (
      await question(more.length === 0 ? `${title}` : `${title} (${more.join("; ")})`, isSecretField(field), name)
    ).trim();
  }

  /** @param what names the question where nobody is asked: its text may have a value of the customer */
  async function question(text: string, isSecret: boolean, what: string): Promise<string> {
    prompter ??= openPrompter(shell, signal, options.onInterrupt);
    if (prompter === null)
      throw wrongUsage(
        told === null
          ? "credentials are asked for at a terminal: elsewhere give a JSON file with --credentials, - for standard input"
          : `--credentials lacks an answer, and nobody is at a terminal to be asked: ${printable(what)}`,
      );
    return prompter.ask(text, isSecret);
  }
}

async function readCredentials(shell: Shell, path: string): Promise<Readonly<Record<string, string>>> {
  const parsed = credentials.safeParse(await readJsonFile(shell, path).catch(withoutText(path)));
  if (parsed.success) return parsed.data;
  throw failed("--credentials must be a JSON object with a text for each field of the login");
}

/** A fault of JSON shows a part of the text, and that is a secret here. */
export function withoutText(path: string) {
  return (error: unknown): never => {
    if (error instanceof Error && error.message.startsWith("cannot read")) throw error;
    throw failed(`${path === "-" ? "standard input" : path} is not JSON`);
  };
}
