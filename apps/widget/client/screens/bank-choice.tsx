import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { BanksAnswer } from "../../src/widget-state.js";
import { CancelButton, Heading, Problems, useScreen } from "../screen.js";
import { useBanks } from "../use-banks.js";

/** The banks that the session allows: found while the name is typed, one page of the list at a time. */
export function BankChoice() {
  const { messages, session, typed } = useScreen();
  const banks = useBanks(typed);
  const { found, query, search } = banks;
  const input = useRef<HTMLInputElement>(null);
  const hadFocus = typed?.focused === "name";
  useEffect(() => {
    if (hadFocus) input.current?.focus();
  }, [hadFocus]);

  return (
    <>
      <Problems />
      <Heading>{messages.bankTitle}</Heading>
      <search>
        <form className="search" onSubmit={(event) => event.preventDefault()}>
          <div>
            <label htmlFor="name">{messages.bankSearch}</label>
            <input
              ref={input}
              id="name"
              name="name"
              type="search"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              maxLength={100}
              value={query.name}
              onChange={(event) => search({ ...query, name: event.currentTarget.value })}
              onKeyDown={(event) => moveIn(event, null)}
            />
          </div>
          <div>
            <label htmlFor="country">{messages.bankCountry}</label>
            <select
              id="country"
              name="country"
              value={query.country}
              onChange={(event) => search({ ...query, country: event.currentTarget.value })}
            >
              <option value="">{messages.allCountries}</option>
              {found?.countries.map(({ code, name }) => (
                <option key={code} value={code}>
                  {name}
                </option>
              ))}
            </select>
          </div>
        </form>
      </search>
      <p className="count" role="status">
        {found && (found.total === 0 ? messages.noBanks : messages.banksFound(found.total))}
      </p>
      {found && found.total > 0 && (
        <BankList items={banks.items} onChoose={(id) => session.send("bank", { connector_id: id })} />
      )}
      {found && banks.items.length < found.total && (
        <button className="whole more-banks" type="button" onClick={banks.more}>
          {messages.moreBanks}
        </button>
      )}
      <CancelButton />
    </>
  );
}

/** One stop of the Tab key; the arrow keys, Home and End move within. */
function BankList({ items, onChoose }: { items: BanksAnswer["items"]; onChoose: (id: string) => void }) {
  const { messages } = useScreen();
  const [current, setCurrent] = useState<string | null>(null);
  const stop = items.some(({ id }) => id === current) ? current : items[0]?.id;
  return (
    <>
      <p className="spoken" id="list-keys">
        {messages.listKeys}
      </p>
      <ul className="banks" aria-label={messages.bankList} aria-describedby="list-keys">
        {items.map(({ id, name, detail }) => (
          <li key={id}>
            <button
              type="button"
              tabIndex={id === stop ? 0 : -1}
              onClick={() => onChoose(id)}
              onFocus={() => setCurrent(id)}
              onKeyDown={(event) => moveIn(event, event.currentTarget)}
            >
              {name}
              <small>{detail}</small>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Moves the focus within the list, into it from the search field, and out of its top back there. */
function moveIn(event: KeyboardEvent, from: HTMLElement | null): void {
  const buttons = [...document.querySelectorAll<HTMLElement>(".banks button")];
  const at = from === null ? -1 : buttons.indexOf(from);
  const targets: Record<string, HTMLElement | null | undefined> = {
    ArrowDown: buttons[at + 1],
    ArrowUp: at > 0 ? buttons[at - 1] : at === 0 ? document.getElementById("name") : null,
    ...(from && { Home: buttons[0], End: buttons.at(-1) }),
  };
  const target = targets[event.key];
  if (!target) return;
  event.preventDefault();
  target.focus();
}
