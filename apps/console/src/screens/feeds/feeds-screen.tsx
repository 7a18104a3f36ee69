import { useWords } from "../../language/language.js";
import { Screen } from "../../parts/screen.js";
import { Tabs } from "../../parts/tabs.js";
import { FeedAccounts } from "./feed-accounts.js";
import { PendingFiles } from "./pending-files.js";
import { pendingWords } from "./pending-words.js";
import { SendFile } from "./send-file.js";
import { TakenFiles } from "./taken-files.js";
import { feedsWords } from "./words.js";

/** Custodians' files: what is pending and why, what was ingested, and uploading a file. */
export default function FeedsScreen() {
  const words = useWords(feedsWords);
  const terms = useWords(pendingWords);
  return (
    <Screen title={words.title} lead={words.lead}>
      <Tabs
        label={words.title}
        tabs={[
          { id: "pending", label: terms.pending, content: () => <PendingFiles /> },
          { id: "taken", label: words.taken, content: () => <TakenFiles /> },
          { id: "send", label: words.send, content: () => <SendFile /> },
          { id: "accounts", label: words.accounts, content: () => <FeedAccounts /> },
        ]}
      />
    </Screen>
  );
}
