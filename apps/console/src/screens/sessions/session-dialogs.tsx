import { useState } from "react";
import type { AnswerOf } from "../../api/paths.js";
import { useWords } from "../../language/language.js";
import { ConfirmChange } from "../../listing/form-dialog.js";
import { LinkOnce, type Made } from "../connections/session-dialog.js";
import type { Session } from "./session-parts.js";
import { sessionWords } from "./words.js";

/** Ends a session, so that its link works no more. */
export function EndSession({
  session: { session_id },
  tenantId,
  onClose,
}: {
  readonly session: Session;
  /** For operators. */
  readonly tenantId: string | null;
  readonly onClose: () => void;
}) {
  const words = useWords(sessionWords);
  const question = { title: words.endTitle, action: words.end, onClose, effects: [words.endText] as const };
  return tenantId === null ? (
    <ConfirmChange {...question} path="/connect/v2/sessions/end-session" body={{ session_id }} />
  ) : (
    <ConfirmChange {...question} path="/operator/v1/sessions/end" body={{ tenant_id: tenantId, session_id }} />
  );
}

/** Replaces an open session, whose link was lost, and shows the new link once. */
export function RenewLink({
  session: { session_id },
  tenantId,
  onClose,
}: {
  readonly session: Session;
  /** For operators. */
  readonly tenantId: string | null;
  readonly onClose: () => void;
}) {
  const words = useWords(sessionWords);
  const [link, setLink] = useState<Made | null>(null);
  if (link !== null) return <LinkOnce link={link} onClose={onClose} />;
  const question = {
    title: words.renewTitle,
    action: words.again,
    look: "first" as const,
    changes: ["/clients/v1/"],
    onClose,
    onDone: ({ session, widget_url }: AnswerOf<"/connect/v2/sessions/renew-link">) =>
      setLink({ url: widget_url, ends: session.expires_at, id: session.session_id, tenantId }),
    effects: [words.renewText] as const,
  };
  return tenantId === null ? (
    <ConfirmChange {...question} path="/connect/v2/sessions/renew-link" body={{ session_id }} />
  ) : (
    <ConfirmChange {...question} path="/operator/v1/sessions/renew-link" body={{ tenant_id: tenantId, session_id }} />
  );
}
