import type { IncomingMessage } from "node:http";
import { type Audit, auditEvent } from "../audit.js";
import type { OAuthError } from "../oauth-error.js";
import type { TokenRequest } from "./token-context.js";

/** Starts the record of a request: when it came, from where, in which trace. */
export interface RequestRecorder {
  begin(req: IncomingMessage): TokenRequest & {
    /** Records a refusal by its code. */
    refused(error: OAuthError, clientId: string | undefined): void;
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
      const address = clientAddress(req);
      const record: TokenRequest["record"] = (facts) =>
        audit(auditEvent({ ...facts, at, address, trace_id: traceId(req) }));
      return {
        at,
        address,
        record,
        refused: (error, clientId) =>
          record({ action: "grant.refused", client_id: nameOf(clientId), detail: error.code }),
      };
    },
  };
}

/** A client id that may be written down: secrets and tokens do turn up in the wrong field. */
function nameOf(clientId: string | undefined): string | null {
  return clientId === undefined || /^wc[rs]_/.test(clientId) ? null : clientId.slice(0, 200);
}
