import { useAnswer } from "../api/answers.js";
import { usePerson } from "../api/session.js";
import { useLanguage, useWords } from "../language/language.js";
import { MoveEffects } from "../parts/move-effects.js";
import { deletionWords } from "./deletion-words.js";

interface Target {
  readonly connection_id?: string;
  readonly letter_id?: string;
  readonly client_ref?: string;
}

/** What a deletion takes away and whom it tells, as the server counts it now. Operators delete connections only. */
export function DeletionEffects({ of }: { readonly of: Target }) {
  const words = useWords(deletionWords);
  const number = new Intl.NumberFormat(useLanguage());
  const isOperator = usePerson().audience === "operator";
  const ofAny = useAnswer(
    "/operator/v1/connections/preview-deletion",
    { connection_id: of.connection_id ?? "" },
    { enabled: isOperator },
  );
  const own = useAnswer("/clients/v1/preview-deletion", of, { enabled: !isOperator });
  const { data, error } = isOperator ? ofAny : own;
  if (!data) return <p role="status">{error ? words.notCounted : words.counting}</p>;
  const { connections, letters, sessions, portfolios, holdings, transactions } = data;
  const lines = [
    connections > 0 && words.connections(connections),
    connections > 0 && words.rows(number.format(portfolios), number.format(holdings), number.format(transactions)),
    sessions > 0 && words.sessions(sessions),
    letters > 0 && words.letters(letters),
    !data.is_whole && words.isMore,
  ].filter((line) => line !== false);
  return <MoveEffects effects={data.effects} first={lines} />;
}
