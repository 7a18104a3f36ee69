import { useWords } from "../../language/language.js";
import { Screen } from "../../parts/screen.js";
import { Tabs } from "../../parts/tabs.js";
import { FeedKeys } from "../feed-keys/feed-keys.js";
import { MappingList } from "../mappings/mapping-list.js";
import { SourceList } from "./source-list.js";
import { sourceWords } from "./words.js";

/** The configuration for custodians' files: where they come from, how they are read, and the keys that open them. */
export default function SourcesScreen() {
  const words = useWords(sourceWords);
  return (
    <Screen title={words.title} lead={words.lead}>
      <Tabs
        label={words.title}
        tabs={[
          { id: "sources", label: words.sources, content: () => <SourceList /> },
          { id: "mappings", label: words.mappings, content: () => <MappingList /> },
          { id: "keys", label: words.keys, content: () => <FeedKeys /> },
        ]}
      />
    </Screen>
  );
}
