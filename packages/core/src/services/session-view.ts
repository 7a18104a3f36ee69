import type { SessionRecord } from "../ports/session-store.js";
import type { Vault } from "../ports/vault.js";
import type { SessionView } from "../schemas/session.js";
import { isOpen, statusAt } from "./session-machine.js";

/** Context under which the secret of a session's link is sealed. */
export const linkContext = (sessionId: string) => ({ purpose: "session-link", row: sessionId });

/** Builds a session as its creator sees it; an open session past its time reads as expired before the clean-up has got to it. */
export function createSessionViewer(deps: { vault: Vault; publicUrl: string; clock: () => Date }) {
  return async function view(record: SessionRecord): Promise<SessionView> {
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
      expires_at: record.expires_at.toISOString(),
      error_code: expired ? "SessionExpired" : record.error_code,
    };
  };
}

/** `PUBLIC_URL/connect/<secret>` */
export function widgetUrl(publicUrl: string, secret: string): string {
  return `${publicUrl}/connect/${secret}`;
}
