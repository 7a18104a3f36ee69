import { usePerson, useSession } from "../../api/session.js";
import { useWords } from "../../language/language.js";
import { Facts } from "../../parts/facts.js";
import { Moment } from "../../parts/moment.js";
import { Screen } from "../../parts/screen.js";
import { shellWords } from "../../shell/shell-words.js";
import { OwnCodes } from "./own-codes.js";
import { OwnPasskeys } from "./own-passkeys.js";
import { OwnSessions } from "./own-sessions.js";
import { accountWords } from "./words.js";

/** The user's sign-in methods and sessions. */
export default function AccountScreen() {
  const words = useWords(accountWords);
  const { roles } = useWords(shellWords);
  const { email, role } = usePerson();
  const session = useSession().data;
  return (
    <Screen title={words.title} lead={words.lead}>
      <Facts
        facts={[
          [words.email, email],
          [words.role, roles[role]],
          [words.tenant, session?.tenant_name],
          [words.ends, session?.ends_at && <Moment at={session.ends_at} look="both" />],
        ]}
      />
      <OwnPasskeys />
      <OwnCodes />
      <OwnSessions />
    </Screen>
  );
}
