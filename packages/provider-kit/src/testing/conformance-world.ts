import assert, { AssertionError } from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { faultsOfAnswer } from "../answers.js";
import { isSecretField } from "../credential-field.js";
import type { CheckResult, ProviderDefinition, ProviderServices } from "../definition.js";
import { hostsIn } from "../hosts.js";
import { createHttpClient } from "../http/create-http-client.js";
import type { BankProvider, ConnectorOfProvider, FetchedData, FetchRequest, FetchResult, LoginStep } from "../port.js";
import { secretsIn } from "../secret.js";
import type { FetchedSnapshot } from "../snapshot.js";
import { createLeakWatch } from "./leaks.js";
import { type Customer, logIn, type StepTaken } from "./log-in.js";
import { requestsFor } from "./requests.js";

/**
 * How the stand-in institution behaves: `hangs` accepts requests and never answers, `down` answers 503 to all, `nonsense` answers 200 with an invalid
 * body (and repeats what it was sent, if it can), `throttles` asks for fewer requests, `withdrawn` no longer accepts the access.
 */
export type InstitutionMode = "well" | "hangs" | "down" | "nonsense" | "throttles" | "withdrawn";

/** The institution's side of the suite: a stand-in on this machine. */
export interface StandIn {
  /** The modes that it supports; cases that need another one are skipped. */
  readonly modes: readonly InstitutionMode[];
  set(mode: InstitutionMode): void | Promise<void>;
  /** The number of requests received. */
  asked(): number;
}

/** A provider with everything the suite needs to test it. Created anew for each case. */
export interface ConformanceSetup {
  // biome-ignore lint/suspicious/noExplicitAny: settings are of any shape; each definition checks its own.
  readonly definition: ProviderDefinition<any>;
  /** Valid settings, as `providers set` accepts them. */
  readonly settings: unknown;
  readonly connector: ConnectorOfProvider;
  readonly customer: Customer;
  readonly clock: () => Date;
  /** Replaces the suite's own services: real waiting, the HTTP client over loopback, no rate limit. */
  readonly services?: Partial<Omit<ProviderServices, "log" | "clock">>;
  readonly institution?: StandIn;
  /** The input of somebody whom the institution does not know. */
  readonly stranger?: Readonly<Record<string, string>>;
  readonly wrong_answer?: string;
  /** Amounts as the institution writes them, including one that a float would change. */
  readonly figures?: readonly string[];
  /** Secrets that must not appear in an error or log, besides those that the suite finds itself. */
  readonly secrets?: readonly string[];
  /** A notification that the institution did not send. */
  readonly forged?: { readonly headers: Readonly<Record<string, string>>; readonly body: Uint8Array };
  /** Why the stand-in itself has no answer for what it was asked: a case that fails says it first. */
  faults?(): Iterable<string>;
  close?(): void | Promise<void>;
}

/** A running setup. */
export type World = Awaited<ReturnType<typeof openWorld>>;

/** More fetches than any report or history needs. */
const MAX_PENDING = 50;
const MAX_CHECK_MS = 60_000;
/** For how long a fetch that has begun may wait for a turn at a shared limit. */
const MAX_TURN_MS = 30_000;

export async function openWorld(setup: ConformanceSetup) {
  const { definition, connector, customer, clock } = setup;
  const parsed = definition.settings.safeParse(setup.settings);
  assert.ok(parsed.success, `the settings are refused: ${parsed.error?.message}`);
  const settings: unknown = parsed.data;
  const leaks = createLeakWatch();
  leaks.learn(secretsIn(definition.settings, setup.settings));
  leaks.learn(setup.secrets ?? []);
  const http = createHttpClient({ hosts: definition.hosts?.(settings) ?? hostsIn(settings), clock });
  const given: Omit<ProviderServices, "log"> = {
    http,
    clock,
    random: (bytes) => randomBytes(bytes),
    sleep: (milliseconds, signal) => delay(milliseconds, undefined, { signal }),
    pace: async () => null,
    ...setup.services,
  };
  let waits = 0;
  let isBegun = false;
  const services: ProviderServices = {
    ...given,
    async sleep(milliseconds, signal) {
      await given.sleep(milliseconds, signal);
      // A sleep that is cut short, for example by a time limit, made nobody wait.
      waits += 1;
    },
    pace(key, limits, signal, longestMs) {
      // A fetch that has begun may wait for further turns at a limit that all customers share: otherwise what it has read is lost.
      if (longestMs === undefined || longestMs > (isBegun ? MAX_TURN_MS : 0)) waits += 1;
      isBegun = true;
      return given.pace(key, limits, signal, longestMs);
    },
    log: leaks.log,
  };
  const requests = requestsFor(connector.connector_id, connector.provider_ref);
  /** Another instance, as a second replica would have it. */
  const another = async (): Promise<BankProvider> => ({
    name: definition.name,
    ...(await definition.create({ ...services, settings })),
  });
  const provider = await another();
  const asked = provider.credentialFields?.(connector) ?? [{ name: "username" }, { name: "password" }];
  for (const field of asked) if (isSecretField(field)) leaks.learn(customer.fields[field.name]);

  /** Goes through a login to its end and checks every step against the interface. */
  async function steps(
    through: BankProvider | (() => Promise<BankProvider>) = provider,
  ): Promise<readonly StepTaken[]> {
    const taken = await logIn(through, requests, customer);
    for (const { step, params } of taken) {
      assert.deepEqual(faultsOfAnswer("login", step), []);
      if ("state" in step) leaks.learn(step.state);
      if ("access" in step) leaks.learn(step.access);
      leaks.learn(params);
    }
    return taken;
  }

  /** Goes through a login that must succeed. */
  async function enter(through?: () => Promise<BankProvider>): Promise<Extract<LoginStep, { kind: "authenticated" }>> {
    const step = (await steps(through)).at(-1)?.step;
    if (step?.kind !== "authenticated") throw new AssertionError({ message: `the login ends ${step?.kind}` });
    return step;
  }

  /** Fetches until the institution has prepared its data and a history has come to its end. A fetch that nobody waits for may also have to wait for its turn. */
  async function fetched(access: unknown, more: Partial<FetchRequest> = {}, through = provider): Promise<FetchedData> {
    let request = requests.fetch(access, more);
    let whole: FetchedData | null = null;
    for (let time = 0; time < MAX_PENDING; time += 1) {
      const result: FetchResult = await through.fetch(request);
      assert.deepEqual(faultsOfAnswer("fetch", result), []);
      if (result.snapshot !== undefined) {
        whole = whole === null ? result : joined(whole, result);
        if (result.more === undefined) return whole;
      }
      assert.ok(
        result.snapshot || result.pending || (result.throttled && !request.awaited),
        `the fetch brings no data: ${Object.keys(result)}`,
      );
      await customer.wait?.();
      const goesOn = result.pending ?? (result.snapshot && result.more);
      const pending_state: unknown = goesOn ? JSON.parse(JSON.stringify(goesOn.state)) : request.pending_state;
      request = requests.fetch(result.access ?? request.access, { ...more, pending_state });
    }
    throw new AssertionError({ message: "the fetch is pending for ever" });
  }

  return {
    ...setup,
    settings,
    services,
    requests,
    leaks,
    provider,
    another,
    steps,
    enter,
    fetched,
    /** How often the provider has waited so far: it slept to the end, or was willing to wait for its turn. */
    waits: () => waits,
    /** A fetch begins. */
    begin() {
      isBegun = false;
    },
    check: async (): Promise<CheckResult | undefined> => {
      const signal = AbortSignal.timeout(MAX_CHECK_MS);
      return (await definition.check?.({ settings, http: services.http, clock, signal })) ?? undefined;
    },
    async close() {
      await http.close();
      await setup.close?.();
    },
  };
}

/** An error of a case, after what explains most errors, such as a request that nobody recorded. */
export function explained(error: unknown, faults: Iterable<string>): unknown {
  const said = error instanceof Error ? error.message : String(error);
  const fault = [...faults].find((one) => !said.includes(one));
  return fault === undefined ? error : new AssertionError({ message: `${fault}; then: ${said}` });
}

/** The data of two fetches, of which the second went on with the history of the first. */
export function joined(first: FetchedData, second: FetchedData): FetchedData {
  const [before, after] = [first.snapshot, second.snapshot];
  return {
    ...first,
    ...second,
    snapshot: {
      ...before,
      ...after,
      ...both("corrected", before, after),
      ...both("withdrawn", before, after),
      portfolios: after.portfolios ?? before.portfolios,
      holdings: after.holdings ?? before.holdings,
      transactions:
        after.transactions === null ? before.transactions : [...(before.transactions ?? []), ...after.transactions],
    },
  };
}

function both<List extends "corrected" | "withdrawn">(list: List, before: FetchedSnapshot, after: FetchedSnapshot) {
  const [one, two] = [before[list], after[list]];
  return one === undefined || two === undefined ? {} : { [list]: [...one, ...two] };
}
