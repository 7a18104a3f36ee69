import "./palette.css";
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { useAnswer } from "../api/answers.js";
import { useWords } from "../language/language.js";
import { Button } from "../parts/button.js";
import { Dialog } from "../parts/dialog.js";
import { Icon } from "../parts/icon.js";
import { Problem } from "../parts/problem.js";
import { type Entry, type Group, useEntries } from "./entries.js";
import { paletteWords } from "./palette-words.js";

/** The server searches for no less, as `MIN_CHARACTERS` of @org/console-api. */
const MIN_CHARACTERS = 2;
const WHILE_TYPING_MS = 150;

/**
 * Searches everything: what the server finds, what the person may do, and the screens. Arrow keys choose, Enter opens, Escape closes. Typing on
 * cancels the request under way.
 */
export default function Palette({ onClose }: { readonly onClose: () => void }) {
  const words = useWords(paletteWords);
  const [text, setText] = useState("");
  const { found, isSearching, problem, retry } = useFound(text.trim());
  const groups = useEntries(text, found);
  const entries = groups.flatMap((group) => group.entries);
  /** The key of the entry that the person chose with the arrow keys; null = the first. */
  const [chosen, setChosen] = useState<string | null>(null);
  const active = entries.find(({ key }) => key === chosen) ?? entries[0];
  /** Enter was pressed before the answer was there. */
  const [isWanted, setWanted] = useState(false);
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const idOf = ({ key }: Entry) => `${id}-${key}`;

  function open(entry: Entry | undefined): void {
    if (!entry) return;
    onClose();
    entry.open();
  }

  useLayoutEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  }, [active?.key]);
  useEffect(() => {
    if (!isWanted || isSearching) return;
    setWanted(false);
    if (!problem) open(active);
  }, [isWanted, isSearching]);

  function pressed(event: KeyboardEvent): void {
    const at = active ? entries.indexOf(active) : -1;
    const count = entries.length;
    const to = { ArrowDown: at + 1, ArrowUp: at - 1 + count, PageDown: count - 1, PageUp: 0 }[event.key];
    if (event.key === "Enter") {
      if (isSearching && chosen === null) setWanted(true);
      else open(active);
    } else if (to !== undefined && count > 0) setChosen(entries[to % count]?.key ?? null);
    else return;
    event.preventDefault();
  }

  const isEmpty = entries.length === 0 && !isSearching && !problem;
  return (
    <Dialog title={words.title} look="palette" onClose={onClose}>
      <form onSubmit={(event) => event.preventDefault()}>
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          aria-label={words.title}
          aria-autocomplete="list"
          aria-expanded={entries.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={active && idOf(active)}
          placeholder={words.hint}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          enterKeyHint="go"
          maxLength={200}
          value={text}
          onChange={({ target }) => {
            setText(target.value);
            setChosen(null);
            setWanted(false);
          }}
          onKeyDown={pressed}
        />
      </form>
      <p className="spoken" role="status">
        {isSearching ? words.searching : isEmpty ? words.nothing(text.trim()) : words.results(entries.length)}
      </p>
      <Problem problem={problem}>
        <Button onClick={retry}>{words.retry}</Button>
      </Problem>
      {isEmpty && (
        <div className="empty">
          <h3>{words.nothing(text.trim())}</h3>
          <p>{words.nothingText}</p>
        </div>
      )}
      <div ref={list} role="listbox" id={`${id}-list`} aria-label={words.title} aria-busy={isSearching}>
        {groups.map((group) => (
          <Entries key={group.kind} {...{ group, active, idOf }} onOpen={open} />
        ))}
      </div>
      <footer aria-hidden="true">
        <span>
          <kbd>↑</kbd> <kbd>↓</kbd> {words.keys}
        </span>
        <span>
          <kbd>↵</kbd> {words.open}
        </span>
        <span>
          <kbd>Esc</kbd> {words.close}
        </span>
      </footer>
    </Dialog>
  );
}

function Entries({
  group: { kind, entries },
  active,
  idOf,
  onOpen,
}: {
  readonly group: Group;
  readonly active: Entry | undefined;
  readonly idOf: (entry: Entry) => string;
  readonly onOpen: (entry: Entry) => void;
}) {
  const words = useWords(paletteWords);
  const heading = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a listbox has groups, not fieldsets.
    <div role="group" aria-labelledby={heading}>
      <p id={heading} role="presentation">
        {words.kinds[kind]}
      </p>
      {entries.map((entry) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus, and opens the active option with Enter.
        // biome-ignore lint/a11y/useFocusableInteractive: see there.
        <div
          key={entry.key}
          role="option"
          id={idOf(entry)}
          aria-selected={entry.key === active?.key}
          onClick={() => onOpen(entry)}
        >
          <Icon name={entry.icon} />
          <span>
            <b>{entry.name}</b>
            {entry.context && <small> {entry.context}</small>}
          </span>
        </div>
      ))}
    </div>
  );
}

/** What the server finds, once the person stops typing for a moment. What was found before stays until then. */
function useFound(text: string) {
  const [asked, setAsked] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text), WHILE_TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const isAsked = asked.length >= MIN_CHARACTERS;
  const answer = useAnswer("/find", { text: asked }, { enabled: isAsked, keepsPrevious: true });
  const isLongEnough = text.length >= MIN_CHARACTERS;
  return {
    found: isLongEnough && answer.data ? answer.data.items : [],
    isSearching: isLongEnough && (asked !== text || answer.isPlaceholderData || answer.isPending),
    problem: isLongEnough && asked === text ? answer.error : null,
    retry: () => void answer.refetch(),
  };
}
