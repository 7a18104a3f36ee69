import type { Path } from "../../api/paths.js";
import { usePerson } from "../../api/session.js";
import { useWords } from "../../language/language.js";
import { ConfirmChange } from "../../listing/form-dialog.js";
import { useAddress } from "../../parts/address.js";
import { showToast } from "../../parts/toast.js";
import { feedsWords } from "./words.js";

/** The open file of a list. It is in the address so that the work queue can link to it. */
export function useOpenFile() {
  const { search, setSearch } = useAddress();
  const { may } = usePerson();
  return {
    openId: may("work") ? (search.file ?? null) : null,
    close: () => setSearch({ file: "" }),
  };
}

/** Asks for confirmation before a file is dropped. */
export function DropFile<P extends Path>({
  name,
  onDropped,
  ...rest
}: Pick<Parameters<typeof ConfirmChange<P>>[0], "path" | "body" | "onClose"> & {
  readonly name: string;
  readonly onDropped: () => void;
}) {
  const words = useWords(feedsWords);
  return (
    <ConfirmChange
      {...rest}
      {...{ title: words.dropTitle, action: words.drop, typed: name }}
      onDone={() => {
        showToast(words.dropped);
        onDropped();
      }}
      effects={[words.dropText]}
    />
  );
}
