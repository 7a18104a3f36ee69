import { useLocation } from "@tanstack/react-router";
import { useState } from "react";
import { usePerson } from "../api/session.js";
import { useWords } from "../language/language.js";
import { useAddress } from "../parts/address.js";
import { Button } from "../parts/button.js";
import { Dialog } from "../parts/dialog.js";
import { TextField } from "../parts/fields.js";
import { Menu, type MenuItem } from "../parts/menu.js";
import { createKept, useStored } from "../shell/stored.js";
import { listWords } from "./list-words.js";

/** Filters and order of a list, under a name. */
interface View {
  readonly name: string;
  readonly search: Readonly<Record<string, string>>;
}

const MAX_VIEWS = 20;
const MAX_LISTS = 200;

/** By person and screen. */
const views = createKept("wealth-connect-console-views", (value): value is readonly View[] => Array.isArray(value));

/** The menu of the views of a list that a person has named. They are kept in this browser. @param names the parameters that make up a view */
export function SavedViews({ names }: { readonly names: readonly string[] }) {
  const words = useWords(listWords);
  const { person_id } = usePerson();
  const { search, setSearch } = useAddress();
  const screen = useLocation({ select: ({ pathname }) => pathname });
  const list = `${person_id} ${screen}`;
  const saved = useStored(views)[list] ?? [];
  const [isNaming, setNaming] = useState(false);
  const now = Object.fromEntries(names.flatMap((name) => (search[name] ? [[name, search[name]]] : [])));
  const inEffect = saved.find((view) => isSame(view.search, now));
  const isAny = Object.keys(now).length > 0;
  if (saved.length === 0 && !isAny) return null;
  const keep = (next: readonly View[]) => {
    const { [list]: _, ...others } = views.get();
    views.set(Object.fromEntries([...Object.entries(others), [list, next] as const].slice(-MAX_LISTS)));
  };
  const items: readonly MenuItem[] = [
    ...saved.map((view) => ({
      label: view.name,
      isChosen: view === inEffect,
      onSelect: () => setSearch({ ...Object.fromEntries(names.map((name) => [name, ""])), ...view.search }, true),
    })),
    ...(inEffect
      ? [
          {
            label: words.removeView(inEffect.name),
            look: "ends" as const,
            onSelect: () => keep(saved.filter((view) => view !== inEffect)),
          },
        ]
      : [
          {
            label: words.saveView,
            reason: isAny ? null : words.nothingToSave,
            onSelect: () => setNaming(true),
          },
        ]),
  ];
  return (
    <>
      <Menu label={inEffect?.name ?? words.views} items={items} />
      {isNaming && (
        <NameView
          taken={saved}
          onSave={(name) => {
            keep([...saved.filter((view) => view.name !== name), { name, search: now }].slice(-MAX_VIEWS));
            setNaming(false);
          }}
          onClose={() => setNaming(false)}
        />
      )}
    </>
  );
}

function NameView({
  taken,
  onSave,
  onClose,
}: {
  readonly taken: readonly View[];
  readonly onSave: (name: string) => void;
  readonly onClose: () => void;
}) {
  const words = useWords(listWords);
  const [name, setName] = useState("");
  const [isTried, setTried] = useState(false);
  const given = name.trim();
  return (
    <Dialog title={words.saveView} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (given !== "") onSave(given);
        }}
      >
        <TextField
          label={words.viewName}
          hint={taken.some((view) => view.name === given) ? words.replacesView : words.viewKept}
          fault={isTried && given === "" ? words.required : null}
          maxLength={60}
          value={name}
          onChange={setName}
        />
        <div className="actions">
          <Button type="submit" look="first">
            {words.save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function isSame(one: View["search"], other: View["search"]): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}
