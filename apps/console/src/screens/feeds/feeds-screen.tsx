import { useWords } from "../../language/language.js";
import { Screen } from "../../parts/screen.js";
import { Tabs } from "../../parts/tabs.js";
import { FeedAccounts } from "./feed-accounts.js";
import { HeldFiles } from "./held-files.js";
import { SendFile } from "./send-file.js";
import { TakenFiles } from "./taken-files.js";
import { WaitingPages } from "./waiting-pages.js";
import { feedsWords } from "./words.js";

/** Custodians' files: what waits and why, what was taken, and a file that somebody brings. */
export default function FeedsScreen() {
  const words = useWords(feedsWords);
  return (
    <Screen title={words.title} lead={words.lead}>
      <Tabs
        label={words.title}
        tabs={[
          { id: "held", label: words.held, content: () => <HeldFiles /> },
          { id: "waiting", label: words.waiting, content: () => <WaitingPages /> },
          { id: "taken", label: words.taken, content: () => <TakenFiles /> },
          { id: "send", label: words.send, content: () => <SendFile /> },
          { id: "accounts", label: words.accounts, content: () => <FeedAccounts /> },
        ]}
      />
    </Screen>
  );
}
