import type { BankProvider, FetchRequest, LoginStep, SnapshotData } from "@org/provider-kit";
import { failed } from "../cli-error.js";
import type { Shell } from "../shell.js";
import type { LiveCustomer } from "./customer.js";
import { rowLists } from "./findings.js";
import type { OpenProvider } from "./open-provider.js";

/** The result of reading everything that one fetch begins. */
export interface ReadToEnd {
  readonly rows: SnapshotData;
  readonly fetches: number;
  /** How often the institution wanted fewer requests, or prepared its answer, and for how many seconds that was waited for. */
  readonly throttled: number;
  readonly pending: number;
  readonly waited_seconds: number;
}

/** More steps than any login has. */
const MAX_STEPS = 30;
const LOOK_SECONDS = 3;

/**
 * Takes a customer through a login.
 * @param run.keep gets what is to be revoked if the login comes to nothing
 * @throws CliError if it does not let them in
 */
export async function logInLive(
  { provider, connector }: OpenProvider,
  customer: LiveCustomer,
  { shell, signal, keep }: { shell: Shell; signal: AbortSignal; keep: (access: unknown) => void },
): Promise<Extract<LoginStep, { kind: "authenticated" }> & { readonly steps: readonly string[] }> {
  const steps: string[] = [];
  const asked = async () => ({
    ...connector,
    ...(await customer.callback(provider.resume !== undefined)),
    language: "en" as const,
    signal,
  });
  const fields = provider.credentialFields?.(connector) ?? [{ name: "username" }, { name: "password" }];
  const typed = await customer.fill(fields, true);
  const saveAccess = async (access: unknown) => keep(stored(access));
  let request = await asked();
  let step: LoginStep = await provider.login({ ...request, fields: typed, existing_access: null, saveAccess });
  while (steps.push(step.kind) < MAX_STEPS) {
    const { callback_state } = request;
    request = await asked();
    switch (step.kind) {
      case "authenticated":
        return { ...step, steps };
      case "redirect":
        step = await needed(
          provider,
          "resume",
        )({
          ...request,
          state: stored(step.state),
          params: await customer.visit(step.url, callback_state),
        });
        break;
      case "ask":
        step = await needed(
          provider,
          "answer",
        )({
          ...request,
          state: stored(step.state),
          answer: "",
          fields: await customer.fill(step.fields, false),
        });
        break;
      case "challenge":
        step = await answered(step);
        break;
      case "rejected":
        throw failed("login: the institution refuses these credentials");
      case "throttled":
        throw failed(`login: the institution wants fewer requests, for ${step.retry_after} s`);
      case "failed":
        throw failed(`login: it cannot go on (${step.error_code})`);
    }
  }
  throw failed(`login: it has more than ${MAX_STEPS} steps`);

  /** A person types the answer, or approves elsewhere and says so; a bank that tells by itself is then looked at. */
  async function answered({ challenge, state }: Extract<LoginStep, { kind: "challenge" }>): Promise<LoginStep> {
    const answer = await customer.answer(challenge);
    if (answer !== "" || provider.look === undefined)
      return needed(provider, "answer")({ ...request, state: stored(state), answer, fields: {} });
    for (;;) {
      const seen = await provider.look({ ...connector, signal, state: stored(state) });
      if (seen.kind !== "waiting") return seen;
      signal.throwIfAborted();
      await shell.sleep(LOOK_SECONDS * 1_000);
    }
  }
}

/**
 * Reads until the history has come to its end, as a server does that somebody waits for.
 * @param run.keep gets each new access, at once: the former one may work no more
 * @throws CliError if it cannot
 */
export async function readToEnd(
  { provider, connector }: OpenProvider,
  asked: { access: unknown; refresh: boolean; since: Date | null },
  run: {
    readonly signal: AbortSignal;
    readonly wait: (seconds: number) => Promise<void>;
    readonly keep: (access: unknown) => void;
    readonly call: string;
  },
): Promise<ReadToEnd> {
  const { signal, wait, call } = run;
  let access = stored(asked.access);
  const keep = async (renewed: unknown) => {
    access = stored(renewed);
    run.keep(access);
  };
  let request: FetchRequest = {
    ...connector,
    ...asked,
    access,
    awaited: true,
    pending_state: null,
    saveAccess: keep,
    signal,
  };
  let rows: SnapshotData | null = null;
  const counts = { fetches: 0, throttled: 0, pending: 0, waited_seconds: 0 };
  for (;;) {
    const result = await provider.fetch(request);
    counts.fetches += 1;
    if (result.access !== undefined) await keep(result.access);
    if (result.refused) throw failed(`${call}: the institution refuses the access (${result.refused})`);
    if (result.failed) throw failed(`${call}: ${result.failed.message}`);
    const more = result.snapshot === undefined ? undefined : result.more;
    if (result.snapshot) {
      rows = rows === null ? result.snapshot : joined(rows, result.snapshot);
      if (!more) return { ...counts, rows };
    }
    const goesOn = result.pending ?? more ?? null;
    const seconds = (goesOn ?? result.throttled)?.retry_after ?? 0;
    if (result.throttled) counts.throttled += 1;
    if (result.pending) counts.pending += 1;
    counts.waited_seconds += seconds;
    await wait(seconds);
    const pending_state = goesOn === null ? request.pending_state : stored(goesOn.state);
    request = { ...request, access, pending_state };
  }
}

function joined(before: SnapshotData, after: SnapshotData): SnapshotData {
  const rows = rowLists.map((list) => {
    const [one, two] = [before[list] as readonly unknown[] | null, after[list] as readonly unknown[] | null];
    return [list, two === null ? one : list === "transactions" ? [...(one ?? []), ...two] : two];
  });
  return { ...after, as_of: before.as_of, ...Object.fromEntries(rows) };
}

/** What a server stores passes through JSON. */
function stored(value: unknown): unknown {
  return value === undefined ? null : JSON.parse(JSON.stringify(value));
}

function needed<Call extends "answer" | "resume">(provider: BankProvider, call: Call): NonNullable<BankProvider[Call]> {
  const method = provider[call];
  if (method === undefined) throw failed(`the provider has no ${call}, and a step that needs it`);
  return method.bind(provider) as NonNullable<BankProvider[Call]>;
}
