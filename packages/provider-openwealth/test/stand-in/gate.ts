import type { InstitutionRequest, Reply } from "../../../provider-kit/test/stand-in/institution.js";
import type { Admission, AuthorizationServer } from "./authorization.js";
import type { problem } from "./problem.js";

/** What a call to the services lacked. */
export interface CallViolation {
  readonly path: string;
  readonly rule:
    | "no correlation id"
    | "a correlation id was sent twice"
    | "a required header is missing"
    | "no User-Agent";
}

/** This many calls per period; the rest are refused with 429 and `Retry-After` in seconds, or as a date. */
export interface CallLimit {
  readonly calls: number;
  readonly per_ms: number;
  readonly as_date?: boolean;
}

export interface GateOptions {
  readonly authorization: AuthorizationServer;
  /** Headers that every call must have, with these values; null: any. */
  readonly required_headers: Readonly<Record<string, string | null>>;
  /** How the version at hand writes a problem. */
  readonly problem: typeof problem;
  /** Decides instead of the access token, after it if one was sent. */
  readonly consent?: (request: InstitutionRequest) => Admission | Reply;
}

/** What all versions of the services want of a call before they answer it: headers, a limit, a token or a consent. */
export class Gate {
  readonly violations: CallViolation[] = [];
  /** The number of calls refused because there were too many. */
  throttled = 0;
  /** Expires all access tokens after this many further calls. */
  callsUntilExpiry: number | null = null;
  readonly #options: GateOptions;
  readonly #correlations = new Set<string>();
  #limit: CallLimit | null = null;
  #recent: number[] = [];

  constructor(options: GateOptions) {
    this.#options = options;
  }

  throttle(limit: CallLimit | null): void {
    this.#limit = limit;
    this.#recent = [];
  }

  /** What `serve` answers to an admitted call, or a refusal. Both have the correlation id of the call. */
  answer(path: string, request: InstitutionRequest, serve: (admission: Admission) => Reply): Reply {
    const { problem } = this.#options;
    const correlation = request.headers["x-correlation-id"];
    const violate = (rule: CallViolation["rule"]) => this.violations.push({ path, rule });
    if (typeof correlation !== "string" || correlation === "" || correlation.length > 64) {
      violate("no correlation id");
      return problem(400, "INVALID_PAYLOAD", "X-Correlation-ID is missing or too long.");
    }
    if (this.#correlations.has(correlation)) violate("a correlation id was sent twice");
    this.#correlations.add(correlation);
    if (!request.headers["user-agent"]) violate("no User-Agent");
    const admitted = this.#refusalOf(request, violate) ?? this.#admit(request);
    const reply = "customers" in admitted ? serve(admitted) : admitted;
    return { ...reply, headers: { ...reply.headers, "x-correlation-id": correlation } };
  }

  #refusalOf(request: InstitutionRequest, violate: (rule: CallViolation["rule"]) => void): Reply | null {
    const { problem, required_headers: required } = this.#options;
    for (const [name, value] of Object.entries(required)) {
      const sent = request.headers[name.toLowerCase()];
      if (value === null ? sent : sent === value) continue;
      violate("a required header is missing");
      return problem(400, "INVALID_PAYLOAD", `${name} is missing.`);
    }
    const wait = this.#secondsToWait(request.at.getTime());
    if (wait === 0) return null;
    this.throttled += 1;
    const until = new Date(request.at.getTime() + wait * 1_000).toUTCString();
    return problem(429, "SERVICE_UNAVAILABLE", "Too many requests.", {
      "retry-after": this.#limit?.as_date ? until : String(wait),
    });
  }

  #admit(request: InstitutionRequest): Admission | Reply {
    const { authorization, problem, consent } = this.#options;
    if (this.callsUntilExpiry !== null && this.callsUntilExpiry-- === 0) {
      this.callsUntilExpiry = null;
      authorization.expireAccess();
    }
    const admission = authorization.admit(request.headers.authorization, request.at);
    if (admission === "expired") return problem(401, "EXPIRED_TOKEN", "The token is no longer valid.");
    const isLeftOut = consent && request.headers.authorization === undefined;
    if (typeof admission === "string" && !isLeftOut) {
      return problem(401, "INVALID_TOKEN", "Something is wrong with this token.");
    }
    return consent?.(request) ?? (admission as Admission);
  }

  #secondsToWait(at: number): number {
    if (!this.#limit) return 0;
    const { calls, per_ms: stretch } = this.#limit;
    this.#recent = this.#recent.filter((earlier) => at - earlier < stretch);
    const [oldest = at] = this.#recent;
    if (this.#recent.length >= calls) return Math.max(1, Math.ceil((oldest + stretch - at) / 1_000));
    this.#recent.push(at);
    return 0;
  }
}
