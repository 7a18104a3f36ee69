import { randomUUID } from "node:crypto";
import type { InstitutionRequest, Reply } from "../../../../packages/provider-kit/test/stand-in/institution.js";
import type { Admission } from "../../../../packages/provider-openwealth/test/stand-in/authorization.js";
import type { problem } from "../../../../packages/provider-openwealth/test/stand-in/problem.js";

type Refused = "missing" | "unknown" | "awaited" | "expired" | "withdrawn";

interface Consent {
  readonly user: string;
  readonly customers: readonly string[];
  readonly expires_at: Date | null;
  state: "awaited" | "given" | "withdrawn";
}

/**
 * The consents of bLink's "Consent as a Service": a permission of one user at one bank, named by the header
 * `Permission-ID` of every call. bLink keeps the bank's tokens.
 */
export class Consents {
  /** How a consent that does not hold is refused, which no document at hand says; a test may change it. */
  readonly refusals: Record<Refused, { readonly status: number; readonly type: string; readonly detail: string }> = {
    missing: { status: 400, type: "INVALID_PAYLOAD", detail: "Permission-ID is missing, or is no UUID." },
    unknown: { status: 401, type: "INVALID_TOKEN", detail: "Something is wrong with this token." },
    awaited: {
      status: 403,
      type: "INSUFFICIENT_PRIVILEGES",
      detail: "Insufficient privileges for the requested operation.",
    },
    expired: { status: 401, type: "EXPIRED_TOKEN", detail: "The token is no longer valid." },
    withdrawn: { status: 401, type: "INVALID_TOKEN", detail: "Something is wrong with this token." },
  };
  readonly #consents = new Map<string, Consent>();
  readonly #problem: typeof problem;

  constructor(writeProblem: typeof problem) {
    this.#problem = writeProblem;
  }

  /**
   * The id of a new permission, which holds once the user has given it. One that the user had before ends: "there can
   * only be one valid Permission at a time" of a user at a bank.
   */
  ask(user: string, customers: readonly string[], expires_at: Date | null = null): string {
    for (const consent of this.#consents.values()) if (consent.user === user) consent.state = "withdrawn";
    const id = randomUUID();
    this.#consents.set(id, { user, customers, expires_at, state: "awaited" });
    return id;
  }

  /** The user agrees on the bank's page. */
  give(id: string): void {
    this.#consent(id).state = "given";
  }

  /** The user withdraws it at the bank. */
  withdraw(id: string): void {
    this.#consent(id).state = "withdrawn";
  }

  admit(request: InstitutionRequest): Admission | Reply {
    const sent = request.headers["permission-id"];
    const isUuid = typeof sent === "string" && /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(sent);
    if (!isUuid) return this.#refuse("missing");
    const consent = this.#consents.get(sent.toLowerCase());
    if (!consent) return this.#refuse("unknown");
    if (consent.state !== "given") return this.#refuse(consent.state);
    if (consent.expires_at && consent.expires_at <= request.at) return this.#refuse("expired");
    return { customers: consent.customers, user: consent.user };
  }

  #refuse(why: Refused): Reply {
    const { status, type, detail } = this.refusals[why];
    return this.#problem(status, type, detail);
  }

  #consent(id: string): Consent {
    const found = this.#consents.get(id);
    if (!found) throw new Error(`There is no permission ${id}`);
    return found;
  }
}
