import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { faultsOfAnswer } from "../../answers.js";
import { isSecretField } from "../../credential-field.js";
import type { ProviderDefinition, ProviderServices } from "../../definition.js";
import { hostsIn } from "../../hosts.js";
import { createHttpClient } from "../../http/create-http-client.js";
import { createPace } from "../../pace.js";
import type { BankProvider, FetchedData, FetchRequest, FetchResult, LoginStep } from "../../port.js";
import { secretsIn } from "../../secret.js";
import { joined } from "../conformance-world.js";
import { createLeakWatch } from "../leaks.js";
import { type Customer, logIn } from "../log-in.js";
import { requestsFor } from "../requests.js";
import { noFaults } from "./expected-rows.js";
import type { Recording } from "./recording.js";
import { createReplay, type Replay } from "./replay.js";
import { createVirtualTime } from "./virtual-time.js";

/** A provider and a recording to test it with. */
export interface RecordingSetup {
  // biome-ignore lint/suspicious/noExplicitAny: settings are of any shape; each definition checks its own.
  readonly definition: ProviderDefinition<any>;
  readonly recording: Recording;
  /** Settings instead of those of the recording. */
  readonly settings?: unknown;
  /** The random bytes that a provider gets; left out: the same each time. */
  readonly random?: ProviderServices["random"];
  /** How long a call may take before it is taken to hang, in milliseconds of this machine: requests and sleeps take none. Default 20,000. */
  readonly bound_ms?: number;
}

/** The provider at the institution of one or more recordings. */
export type RecordingWorld = Awaited<ReturnType<typeof openRecording>>;

const BOUND_MS = 20_000;
/** More fetches than any report needs. */
export const MAX_PENDING = 200;
const calls = ["login", "answer", "resume", "look", "fetch", "revoke", "notify"] as const;

/** The customer of a recording, for {@link logIn}. */
export function customerOf({ customer }: Pick<Recording, "customer">): Customer {
  const { fields, challenge, ask, params } = customer;
  return {
    fields,
    ...(challenge !== undefined && { challenge: () => challenge }),
    ...(ask && { ask: () => ask }),
    ...(params && { redirect: async () => params }),
  };
}

export async function openRecording(setup: RecordingSetup, recordings: readonly Recording[] = [setup.recording]) {
  const { definition, recording, bound_ms = BOUND_MS } = setup;
  const parsed = definition.settings.safeParse(setup.settings ?? recording.settings);
  assert.ok(parsed.success, `the settings of the recording are refused: ${parsed.error?.message}`);
  const settings: unknown = parsed.data;
  const time = createVirtualTime(new Date(recording.recorded_at));
  const replay = createReplay(recordings, time.clock);
  const leaks = createLeakWatch();
  const secrets = secretsIn(definition.settings, setup.settings ?? recording.settings);
  leaks.learn(secrets);
  const client = createHttpClient({
    hosts: definition.hosts?.(settings) ?? hostsIn(settings),
    clock: time.clock,
    send: replay.send,
  });
  let logged = 0;
  const paced = createPace(time);
  const log =
    (level: "info" | "warn"): ProviderServices["log"]["info"] =>
    (message, facts) => {
      logged += 1;
      leaks.log[level](message, facts);
    };
  const services: ProviderServices = {
    http: { request: (request) => time.during(client.request(request)) },
    clock: time.clock,
    random: setup.random ?? sameBytes(),
    sleep: time.sleep,
    pace(key, limits, signal, longestMs) {
      leaks.look("the key of pace", key);
      return paced(key, limits, signal, longestMs);
    },
    log: { info: log("info"), warn: log("warn") },
  };
  const requests = requestsFor(recording.connector.connector_id, recording.connector.provider_ref);

  /** An instance whose calls have a name in messages and end in time. */
  async function instance(): Promise<BankProvider> {
    const made = { name: definition.name, ...(await definition.create({ ...services, settings })) };
    const bounded = calls.flatMap((name) => {
      const call = made[name] as ((request: unknown) => Promise<unknown>) | undefined;
      return call === undefined ? [] : [[name, (request: unknown) => within(name, () => call(request))] as const];
    });
    return { ...made, ...Object.fromEntries(bounded) };
  }

  async function within(name: string, call: () => Promise<unknown>): Promise<unknown> {
    replay.options.call = name;
    const over = new AbortController();
    const late = delay(bound_ms, null, over).catch(() => null);
    const end = await Promise.race([leaks.watch(async () => call()), late]);
    over.abort();
    assert.ok(end !== null, `${name} neither answers nor ends within ${bound_ms} ms`);
    if ("error" in end) throw end.error;
    const { failed } = (end.answer ?? {}) as { failed?: { message?: string } };
    if (failed?.message !== undefined) leaks.look("the message of a failed fetch", failed.message);
    return end.answer;
  }

  const provider = await instance();
  const fields = provider.credentialFields?.(recording.connector) ?? [{ name: "username" }, { name: "password" }];
  const secretFields = fields.filter(isSecretField).map(({ name }) => name);
  for (const one of recordings) leaks.learn(secretFields.map((name) => one.customer.fields[name]));

  return {
    setup,
    recording,
    settings,
    services,
    requests,
    replay,
    time,
    leaks,
    provider,
    instance,
    installationSecrets: secrets,
    /** Secrets of the installation, and of the customers. */
    secrets: [
      ...secrets,
      ...recordings.flatMap((one) => secretFields.flatMap((name) => one.customer.fields[name] ?? [])),
    ],
    logged: () => logged,

    /** The last step of a login. */
    async login(as: Recording = recording, through: BankProvider = provider): Promise<LoginStep> {
      replay.begin();
      const steps = await logIn(through, requests, customerOf(as));
      for (const { step } of steps) {
        noFaults(faultsOfAnswer("login", step), "login");
        if ("access" in step) leaks.learn(step.access);
      }
      const last = steps.at(-1)?.step;
      assert.ok(last);
      return last;
    },

    async enter(as: Recording = recording, through: BankProvider = provider) {
      const step = await this.login(as, through);
      assert.ok(step.kind === "authenticated", `the login of the recording ends ${step.kind}${whyRefused(replay)}`);
      return step;
    },

    /** Fetches until there are data and a history has come to its end, in the provider's time. */
    async fetched(
      access: unknown,
      more: Partial<FetchRequest> = {},
      through: BankProvider = provider,
    ): Promise<FetchedData> {
      let request = requests.fetch(access, more);
      let whole: FetchedData | null = null;
      for (let round = 0; round < MAX_PENDING; round += 1) {
        const result: FetchResult = await through.fetch(request);
        noFaults(faultsOfAnswer("fetch", result), "fetch");
        if (result.snapshot !== undefined) {
          whole = whole === null ? result : joined(whole, result);
          if (result.more === undefined) return whole;
        }
        const { throttled, failed, refused } = result;
        const goesOn = result.pending ?? (result.snapshot && result.more);
        const wait = goesOn ?? throttled;
        assert.ok(
          wait,
          `the fetch of the recording ends ${failed ? `failed: ${failed.message}` : `refused: ${refused}`}${whyRefused(replay)}`,
        );
        time.advance(wait.retry_after * 1_000);
        const pending_state = goesOn ? JSON.parse(JSON.stringify(goesOn.state)) : request.pending_state;
        request = requests.fetch(result.access ?? request.access, { ...more, pending_state });
      }
      throw new Error("the fetch is pending for ever");
    },

    close: () => client.close(),
  };
}

/** Headers of the last request, if nothing else keeps it from the data that were recorded. */
function whyRefused({ asked }: Replay): string {
  const { name, unlike } = asked.at(-1) ?? { name: "", unlike: [] };
  return unlike.length === 0
    ? ""
    : `: ${name} is answered by the recorded refusal, since the exchange with data has other headers (${unlike.join(", ")})`;
}

/** Bytes that differ from each other, the same in every world. */
export function sameBytes(seed = 0): ProviderServices["random"] {
  let drawn = seed;
  return (bytes) => {
    drawn += bytes;
    return Uint8Array.from({ length: bytes }, (_, index) => ((drawn + index) * 97) % 256);
  };
}
