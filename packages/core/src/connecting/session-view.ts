import type { Vault } from "../ports/vault.js";
import type { SessionView } from "../schemas/session.js";
import { isOpen, statusAt } from "./session-moves.js";
import type { ListedSession } from "./session-store.js";

/** The context in which the secret of a session's link is sealed. */
export const linkContext = (sessionId: string) => ({ purpose: "session-link", row: sessionId });

/** Builds a session as its creator sees it. An open session past its expiry shows as expired even before the clean-up has changed it. */
export function createSessionViewer(deps: { vault: Vault; publicUrl: string; clock: () => Date }) {
  return async function view(record: ListedSession): Promise<SessionView> {
    const status = statusAt(record, deps.clock());
    const open = isOpen(status);
    const expired = !open && isOpen(record.status);
    return {
      session_id: record.session_id,
      status,
      updated_at: (expired ? record.expires_at : record.updated_at).toISOString(),
      widget_url:
        open && record.sealed_link
          ? widgetUrl(deps.publicUrl, await deps.vault.open(record.sealed_link, linkContext(record.session_id)))
          : null,
      connection_id: record.connection_id,
      connector_id: record.connector_id,
      client_ref: record.client_ref,
      expires_at: record.expires_at.toISOString(),
      error_code: expired ? "SessionExpired" : record.error_code,
      ...(status === "Waiting:Challenge" && record.challenge && { challenge_kind: record.challenge.kind }),
    };
  };
}

/** `PUBLIC_URL/connect/<secret>` */
export function widgetUrl(publicUrl: string, secret: string): string {
  return `${publicUrl}/connect/${secret}`;
}
