import { useWords } from "../../language/language.js";
import { ConfirmChange } from "../../listing/form-dialog.js";
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
  const question = { title: words.endTitle, action: words.end, onClose, children: <p>{words.endText}</p> };
  return tenantId === null ? (
    <ConfirmChange {...question} path="/connect/v2/sessions/end-session" body={{ session_id }} />
  ) : (
    <ConfirmChange {...question} path="/operator/v1/sessions/end" body={{ tenant_id: tenantId, session_id }} />
  );
}
