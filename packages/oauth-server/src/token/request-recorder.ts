import type { IncomingMessage } from "node:http";
import { type Audit, auditEvent } from "../audit.js";
import { ipAddressOf } from "../clients/address-prefix.js";
import { claimedClientId } from "../clients/client-credentials.js";
import type { Form } from "../http/read-form.js";
import type { OAuthError } from "../oauth-error.js";
import type { TokenRequest } from "./token-context.js";

/** Starts the record of a request: when it came, from where, in which trace. */
export interface RequestRecorder {
  begin(req: IncomingMessage): TokenRequest & {
    /** Records a refusal by its code. The form is missing when it could not be read. */
    refused(error: OAuthError, form: Form | undefined): void;
  };
}

/** What is taken from outside to record requests. */
export interface RecorderOptions {
  readonly audit: Audit;
  readonly clock: () => Date;
  readonly clientAddress: (req: IncomingMessage) => string;
  readonly traceId: (req: IncomingMessage) => string | null;
}

/** A recorder that reports to the audit trail. */
export function createRequestRecorder({ audit, clock, clientAddress, traceId }: RecorderOptions): RequestRecorder {
  return {
    begin(req) {
      const at = clock();
      // It may come from a header that anybody can write.
      const address = ipAddressOf(clientAddress(req)) ?? "";
      const record: TokenRequest["record"] = (facts) =>
        audit(auditEvent({ ...facts, at, address: address || null, trace_id: traceId(req) }));
      return {
        at,
        address,
        record,
        refused: (error, form) => {
          const claimed = claimedClientId(req.headers.authorization, form)?.slice(0, MAX_NAME_LENGTH);
          const client_id = claimed ?? error.about?.client_id ?? null;
          record({ action: "grant.refused", ...error.about, client_id, detail: error.code });
        },
      };
    },
  };
}

const MAX_NAME_LENGTH = 200;
