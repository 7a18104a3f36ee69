import { fileCauseOf, stepOfCause } from "@org/core/file-steps";
import { useCallback, useState } from "react";
import { useAnswer } from "../../api/answers.js";
import { usePerson } from "../../api/session.js";
import { useWords } from "../../language/language.js";
import { useAddress } from "../../parts/address.js";
import { Button } from "../../parts/button.js";
import { DropZone } from "../../parts/drop-zone.js";
import { Empty } from "../../parts/empty.js";
import { TextField } from "../../parts/fields.js";
import { base64Of } from "../../parts/file-field.js";
import { Link } from "../../parts/link.js";
import { useSize } from "../../parts/size.js";
import { type Held, shortNameOf } from "../feeds/file-places.js";
import { mappingWords } from "./words.js";

/** The server accepts 900,000 characters of Base64; of a larger file the beginning is used. */
const MAX_BYTES = 600_000;

/** A file of the bank, as sent to the server. */
export interface Sample {
  readonly name: string;
  readonly bytes: number;
  readonly isCut: boolean;
  readonly body: { readonly file: string; readonly file_name: string };
}

/** The file that a mapping is made from and tried on. */
export function useSample() {
  const [sample, setSample] = useState<Sample | null>(null);
  const choose = useCallback(async (file: File | null): Promise<Sample | null> => {
    if (file === null || file.size === 0) {
      setSample(null);
      return null;
    }
    const chosen = await sampleOf(file);
    setSample(chosen);
    return chosen;
  }, []);
  return { sample, choose, setSample };
}

async function sampleOf(file: File): Promise<Sample> {
  const isCut = file.size > MAX_BYTES;
  const part = isCut ? await wholeLines(file) : file;
  const body = { file: await base64Of(part), file_name: file.name };
  return { name: file.name, bytes: part.size, isCut, body };
}

/** The beginning of a file that is too large, up to its last complete line. */
async function wholeLines(file: File): Promise<Blob> {
  const bytes = new Uint8Array(await file.slice(0, MAX_BYTES).arrayBuffer());
  const end = bytes.lastIndexOf(0x0a) + 1;
  return new Blob([end > 0 ? bytes.subarray(0, end) : bytes]);
}

/** No more of the files that wait are offered. */
const MAX_OFFERED = 5;

/** Without a file: what to do, and the newest of those that wait for a mapping. */
export function NoSample() {
  const words = useWords(mappingWords);
  const { may } = usePerson();
  const { search } = useAddress();
  const { data } = useAnswer("/operator/v1/datafeeds/list-pending", { limit: 1_000 }, { enabled: may("work") });
  const waiting = (data?.items ?? []).filter(
    (file): file is Held =>
      // The table is in the file itself, not inside of a container.
      file.state === "held" && file.findings[0]?.part === file.name && waitsForMapping(file.findings[0].cause),
  );
  return (
    <Empty title={words.noFile}>
      <p>{words.fileShown}</p>
      {waiting.length > 0 && (
        <>
          <p>{words.orWaiting}</p>
          <ul>
            {waiting
              .slice(-MAX_OFFERED)
              .reverse()
              .map(({ file_id, name }) => (
                <li key={file_id}>
                  <Link to="/mapping" search={{ ...search, held: file_id }}>
                    {shortNameOf(name)}
                  </Link>
                </li>
              ))}
          </ul>
        </>
      )}
    </Empty>
  );
}

function waitsForMapping(cause: Held["findings"][number]["cause"]): boolean {
  return stepOfCause[fileCauseOf(cause)] === "map_file";
}

/** Asks for the file: dropped, chosen, or pasted as rows. */
export function SampleFile({
  sample,
  onChoose,
}: {
  readonly sample: Sample | null;
  readonly onChoose: (file: File | null) => void;
}) {
  const words = useWords(mappingWords);
  const size = useSize();
  const [pasted, setPasted] = useState("");
  return (
    <>
      <DropZone label={words.file} onChoose={onChoose}>
        <p role="status">
          {sample && `${sample.name}, ${size(sample.bytes)}`}
          {sample?.isCut && ` (${words.cut})`}
        </p>
      </DropZone>
      {sample === null && (
        <details>
          <summary>{words.paste}</summary>
          <TextField
            label={words.pasteHere}
            rows={6}
            className="code"
            spellCheck={false}
            value={pasted}
            onChange={setPasted}
          />
          <Button
            reason={pasted.trim() === "" ? words.fileFirst : null}
            onClick={() => onChoose(new File([`${pasted.trimEnd()}\n`], "table.csv"))}
          >
            {words.usePasted}
          </Button>
        </details>
      )}
    </>
  );
}
