import { useCallback, useState } from "react";
import { useWords } from "../../language/language.js";
import { Button } from "../../parts/button.js";
import { DropZone } from "../../parts/drop-zone.js";
import { TextField } from "../../parts/fields.js";
import { base64Of } from "../../parts/file-field.js";
import { useSize } from "../../parts/size.js";
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
