import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import type { ApiProblem } from "../api/api-problem.js";
import { useWords } from "../language/language.js";
import { JsonField, jsonText, objectIn } from "../listing/json-field.js";
import { listWords } from "../listing/list-words.js";
import { Button } from "../parts/button.js";
import { NOT_READ, SettingsForm } from "./settings-form.js";
import { pathsIn, type Schema } from "./settings-model.js";
import { settingsWords } from "./settings-words.js";

type Settings = Readonly<Record<string, unknown>>;

/** Settings that are edited as fields or as JSON. Both edit the same text, so nothing is lost between them. */
export interface SettingsEditing {
  readonly frame: RefObject<HTMLDivElement | null>;
  readonly schema: Schema | null;
  readonly path: string;
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly isForm: boolean;
  readonly setJson: (isJson: boolean) => void;
  /** What was typed; null if it is no JSON object. */
  readonly settings: Settings | null;
  readonly faultAt: (path: string) => string | null;
  /** Whether every fault of the refusal stands at a field that is there. */
  readonly isSaid: boolean;
  /** Whether something was to be sent although a part of it would have been left out. */
  readonly isIncomplete: boolean;
  /** Sends what was typed; leads to the field instead whose text would be left out. */
  readonly send: (change: () => void) => void;
}

/**
 * @param schema null if there is none: then there is the text only
 * @param path of the settings in the paths of the server's faults; empty if they are the whole request
 */
export function useSettingsEditing({
  schema,
  path,
  text,
  setText,
  refused,
}: Pick<SettingsEditing, "schema" | "path" | "text" | "setText"> & {
  readonly refused: ApiProblem | null;
}): SettingsEditing {
  const [isJson, setJson] = useState(schema === null);
  const [isIncomplete, setIncomplete] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  const isForm = !isJson && schema !== null && (text === "" || objectIn(text) !== null);
  const settings = text === "" && isForm ? {} : objectIn(text);
  const paths = isForm ? pathsIn(schema, settings, path, schema) : [];
  useEffect(() => {
    if (refused) frame.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus();
  }, [refused]);
  return {
    ...{ frame, schema, path, text, setText, isForm, setJson, settings, isIncomplete },
    isSaid:
      refused !== null && refused.details.length > 0 && refused.details.every(({ field }) => paths.includes(field)),
    faultAt(at) {
      const fault = refused?.details.find(({ field }) => field === at);
      return fault ? fault.message || fault.kind : null;
    },
    send(change) {
      const left = frame.current?.querySelector<HTMLElement>(`.${NOT_READ}`);
      setIncomplete(left != null);
      if (left) return left.focus();
      change();
    },
  };
}

/** The fields or the text, and the switch between them. */
export function SettingsEditor({
  editing: { frame, schema, path, text, setText, isForm, setJson, settings, faultAt, isIncomplete },
  of,
  json,
  value = settings ?? {},
  onChange = (made) => setText(jsonText(made)),
  version,
  children,
}: {
  readonly editing: SettingsEditing;
  readonly of: Parameters<typeof SettingsForm>[0]["of"];
  readonly json: { readonly label: string; readonly hint?: string; readonly rows: number };
  /** The part of the settings that has fields here; all of them by default. */
  readonly value?: Settings;
  readonly onChange?: (made: unknown) => void;
  /** With another one the fields begin anew. */
  readonly version?: number;
  /** Fields of one's own, above the others. */
  readonly children?: ReactNode;
}) {
  const words = useWords(settingsWords);
  const { notJson } = useWords(listWords);
  const reason = text !== "" && settings === null ? notJson : null;
  return (
    <div className="settings" ref={frame}>
      {isForm && schema ? (
        <>
          {children}
          <SettingsForm key={version} {...{ of, schema, value, path, faultAt, isIncomplete, onChange }} />
        </>
      ) : (
        <JsonField {...json} text={text} onChange={setText} />
      )}
      {schema && (
        <p>
          <Button look="plain" reason={isForm ? null : reason} onClick={() => setJson(isForm)}>
            {isForm ? words.asJson : words.asFields}
          </Button>
        </p>
      )}
    </div>
  );
}
