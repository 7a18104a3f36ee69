import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from "react";
import { useAnswer } from "../api/answers.js";
import type { AnswerOf } from "../api/paths.js";
import { usePerson } from "../api/session.js";
import { labelled, useWords } from "../language/language.js";
import { Button } from "../parts/button.js";
import { TextField } from "../parts/fields.js";
import { clientWords } from "./client-words.js";
import { linesOf } from "./lines-of.js";
import { listWords } from "./list-words.js";

/** The most suggestions shown, and the most chosen clients whose names are looked up. */
const PROPOSED = 20;
const NAMED = 500;

type Found = AnswerOf<"/clients/v1/list"> | undefined;

interface Whose {
  readonly label: string;
  readonly fault?: string | null;
  readonly value: string;
  /** The tenant, for operators; empty or left out while none is chosen. */
  readonly tenantId?: string | undefined;
  readonly onChange: (value: string) => void;
}

/**
 * A field for a client's reference. Suggests the clients whose name or reference contains the input, and says whose the reference is, or that it makes
 * a new client.
 */
export function ClientField({
  label,
  fault,
  value,
  hint,
  tenantId,
  onChange,
}: Whose & {
  /** Null: none, in a filter, which makes no client. */
  readonly hint?: string | null;
}) {
  const words = useWords(clientWords);
  const isOperator = usePerson().audience === "operator";
  const id = useId();
  const found = useClients(tenantId, value.trim(), PROPOSED);
  const said = hint === null ? null : (whoIs(found, value.trim(), words) ?? hint);
  return (
    <>
      <TextField
        {...{ label, value, onChange }}
        hint={said === undefined ? (isOperator ? words.operatorHint : words.hint) : said}
        fault={fault ?? null}
        list={id}
        autoComplete="off"
        spellCheck={false}
      />
      <Suggestions id={id} found={found} />
    </>
  );
}

const WHILE_TYPING_MS = 300;

/**
 * A filter by client: suggests those whose name or reference contains the input, and says whose the chosen reference is. What is typed filters once
 * it is a whole reference, or all of the name of the only client found.
 */
export function ClientFilter({ label, value, onChange }: Whose) {
  const words = useWords(clientWords);
  const id = useId();
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const found = useClients(undefined, text.trim(), PROPOSED);
  const meant = clientMeant(found, text.trim());
  useEffect(() => {
    if (meant === undefined || meant.client_ref === value) return;
    const timer = setTimeout(() => onChange(meant.client_ref), WHILE_TYPING_MS);
    return () => clearTimeout(timer);
  }, [meant?.client_ref, value, onChange]);
  return (
    <>
      <TextField
        {...{ label, value: text }}
        type="search"
        hint={text.trim() === "" ? null : hint()}
        list={id}
        autoComplete="off"
        spellCheck={false}
        onChange={setText}
      />
      <Suggestions id={id} found={found} />
    </>
  );

  function hint(): string | null {
    if (found?.total === 0) return words.noSuch;
    return meant ? (meant.name ?? null) : words.chooseOne;
  }
}

/** The client with this reference, else the only one found, if it has this name; a reference of nobody for an empty text. */
function clientMeant(
  found: Found,
  text: string,
): { readonly client_ref: string; readonly name?: string | null } | undefined {
  if (text === "") return { client_ref: "" };
  const clients = found?.items ?? [];
  const only = found?.total === 1 && clients[0]?.name?.toLowerCase() === text.toLowerCase() ? clients[0] : undefined;
  return clients.find(({ client_ref }) => client_ref === text) ?? only;
}

function Suggestions({ id, found }: { readonly id: string; readonly found: Found }) {
  return (
    <datalist id={id}>
      {(found?.items ?? []).map(({ client_ref, name }) => (
        <option key={client_ref} value={client_ref}>
          {name}
        </option>
      ))}
    </datalist>
  );
}

/** A field for several clients, a reference on each line of the value: those that were added, and last what is being typed. */
export function ClientsField({ label, fault, value, hint, tenantId, onChange }: Whose & { readonly hint?: ReactNode }) {
  const words = useWords(clientWords);
  const general = useWords(listWords);
  const [typed, setTyped] = useState("");
  const lines = linesOf(value);
  const added = typed.trim() !== "" && lines.at(-1) === typed.trim() ? lines.slice(0, -1) : lines;
  const known = useClients(added.length > 0 ? tenantId : undefined, "", NAMED, added.length > 0);
  const set = (chosen: readonly string[], text: string) => {
    setTyped(text);
    onChange([...new Set([...chosen, ...linesOf(text)])].join("\n"));
  };
  function addOnEnter(event: KeyboardEvent): void {
    if (event.key !== "Enter" || typed.trim() === "") return;
    event.preventDefault();
    set(lines, "");
  }
  return (
    <fieldset className="clients-chosen">
      <legend>{label}</legend>
      {hint && <p className="hint">{hint}</p>}
      {added.length > 0 && (
        <ul>
          {added.map((ref) => (
            <li key={ref}>
              <span>
                {ref} <span className="quiet">{whoIs(known, ref, words)}</span>
              </span>
              <Button
                look="plain"
                aria-label={labelled(general.remove, ref)}
                onClick={() =>
                  set(
                    added.filter((one) => one !== ref),
                    typed,
                  )
                }
              >
                {general.remove}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: Enter in the field adds the client instead of sending the form. */}
      <div className="adding" onKeyDown={addOnEnter}>
        <ClientField
          label={words.client}
          fault={fault ?? null}
          value={typed}
          tenantId={tenantId}
          onChange={(text) => set(added, text)}
        />
        <Button reason={typed.trim() === "" ? words.typeFirst : null} onClick={() => set(lines, "")}>
          {words.add}
        </Button>
      </div>
    </fieldset>
  );
}

/** Clients by a part of name or reference: of the person's own tenant or, for operators, of the one that they have chosen. */
function useClients(tenantId: string | undefined, name: string, page_size: number, isWanted = true): Found {
  const isOperator = usePerson().audience === "operator";
  const query = { ...(name !== "" && { name }), page_size };
  const isShort = name.length <= 200;
  const own = useAnswer("/clients/v1/list", query, {
    keepsPrevious: true,
    enabled: isWanted && !isOperator && isShort,
  });
  const ofTenant = useAnswer(
    "/operator/v1/clients/list",
    { ...query, tenant_id: tenantId ?? "" },
    { keepsPrevious: true, enabled: isWanted && isOperator && !!tenantId && isShort },
  );
  const { data, isPlaceholderData } = isOperator ? ofTenant : own;
  // What was found for another text says nothing about this one.
  return data && isPlaceholderData ? { ...data, total: Number.POSITIVE_INFINITY } : data;
}

/** The name of the client with this reference, or that there is none; undefined where neither is known. */
function whoIs(found: Found, ref: string, words: typeof clientWords.en): string | undefined {
  if (ref === "" || !found) return undefined;
  const client = found.items.find(({ client_ref }) => client_ref === ref);
  if (client) return client.name ?? words.isKnown;
  return found.total <= found.items.length ? words.isNew : undefined;
}
