import { type KeyboardEvent, type ReactNode, useId, useRef } from "react";
import { useAddress } from "./address.js";

/** Parts of a screen of which one is visible. The choice is in the address (`?tab=`), so that links can lead to it. */
export function Tabs({
  label,
  tabs,
  name = "tab",
}: {
  /** What the tabs are about, for screen readers. */
  readonly label: string;
  readonly tabs: readonly { readonly id: string; readonly label: ReactNode; readonly content: () => ReactNode }[];
  /** The name of the query parameter. */
  readonly name?: string;
}) {
  const { search, setSearch } = useAddress();
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const current = tabs.find((tab) => tab.id === search[name]) ?? tabs[0];
  if (!current) return null;
  const show = (tab: string) => setSearch({ [name]: tab === tabs[0]?.id ? "" : tab });
  function move(event: KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined || !current) return;
    event.preventDefault();
    const next = tabs[(tabs.indexOf(current) + step + tabs.length) % tabs.length];
    if (!next) return;
    show(next.id);
    list.current?.querySelector<HTMLElement>(`[data-tab="${CSS.escape(next.id)}"]`)?.focus();
  }
  return (
    <>
      <div className="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={move}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${id}-${tab.id}`}
            data-tab={tab.id}
            aria-selected={tab === current}
            aria-controls={tab === current ? `${id}-panel` : undefined}
            tabIndex={tab === current ? 0 : -1}
            onClick={() => show(tab.id)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${current.id}`} className="tab-panel">
        {current.content()}
      </div>
    </>
  );
}
