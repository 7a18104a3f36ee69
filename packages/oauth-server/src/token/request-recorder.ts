import type { IncomingMessage } from "node:http";
import type { Exchange } from "@org/http";
import { type Audit, auditEvent } from "../audit.js";
import { claimedClientId } from "../clients/client-credentials.js";
import type { Form } from "../http/read-form.js";
import type { OAuthError } from "../oauth-error.js";
import type { TokenRequest } from "./token-context.js";

/** Starts the audit record of a request: its time, address and trace. */
export interface RequestRecorder {
  begin(exchange: Exchange): TokenRequest & {
    /** Records a refusal by its code. The form is undefined when it could not be read. */
    refused(error: OAuthError, form: Form | undefined): void;
  };
}

/** Dependencies of the recorder. */
export interface RecorderOptions {
  readonly audit: Audit;
  readonly clock: () => Date;
}

/** A recorder that writes to the audit trail, and tells the access log which application a request was for. */
export function createRequestRecorder({ audit, clock }: RecorderOptions): RequestRecorder {
  return {
    begin(exchange) {
      const at = clock();
      const { address, traceId: trace_id, request } = exchange;
      const write: TokenRequest["record"] = (facts) => audit(auditEvent({ at, address, trace_id, ...facts }));
      return {
        at,
        address,
        proof: sentProof(request),
        record(facts) {
          const { application_id = null, tenant_id = null } = facts;
          if (application_id !== null) exchange.principal = { application_id, tenant_id };
          write(facts);
        },
        refused: (error, form) => {
          const claimed = claimedClientId(request.headers.authorization, form)?.slice(0, MAX_NAME_LENGTH);
          const client_id = claimed ?? error.about?.client_id ?? null;
          write({ action: "grant.refused", ...error.about, client_id, detail: error.detail ?? error.code });
        },
      };
    },
  };
}

/** An empty header is a proof too, and not a valid one: a client that means to send a proof must not get a bearer token instead. */
function sentProof({ headers: { dpop } }: IncomingMessage): string | undefined {
  return dpop === undefined ? undefined : String(dpop);
}

const MAX_NAME_LENGTH = 200;
