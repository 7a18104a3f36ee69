import { useState } from "react";
import { useAnswer, useChange } from "../api/answers.js";
import { faultOf, isAtFields } from "../api/api-problem.js";
import type { AnswerOf } from "../api/paths.js";
import { useWords } from "../language/language.js";
import { useAddress } from "../parts/address.js";
import { Button } from "../parts/button.js";
import { hideColumns, useHiddenColumns, useListAddress } from "../parts/column-choice.js";
import { Dialog } from "../parts/dialog.js";
import { TextField } from "../parts/fields.js";
import { Menu, type MenuItem } from "../parts/menu.js";
import { Problem } from "../parts/problem.js";
import { listWords } from "./list-words.js";

/** Filters, order and columns of a list, under a name. */
type Named = AnswerOf<"/views/list">["items"][number];
type View = Named["view"];

/** The menu of the views of a list that a person has named. The server keeps them. @param names the parameters that make up a view */
export function SavedViews({ names }: { readonly names: readonly string[] }) {
  const words = useWords(listWords);
  const { search, setSearch } = useAddress();
  const screen = useListAddress();
  const saved = useAnswer("/views/list", { screen }).data?.items ?? [];
  const remove = useChange("/views/remove");
  const [isNaming, setNaming] = useState(false);
  const now: View = {
    search: Object.fromEntries(names.flatMap((name) => (search[name] ? [[name, search[name]]] : []))),
    columns: useHiddenColumns(screen),
  };
  const inEffect = saved.find(({ view }) => isInEffect(view, now));
  const isAny = Object.keys(now.search).length > 0 || Object.values(now.columns).some((ids) => ids.length > 0);
  if (saved.length === 0 && !isAny) return null;
  const choose = ({ search, columns }: View) => {
    hideColumns(columns);
    setSearch({ ...Object.fromEntries(names.map((name) => [name, ""])), ...search }, true);
  };
  const items: readonly MenuItem[] = [
    ...saved.map((each) => ({
      label: each.name,
      isChosen: each === inEffect,
      onSelect: () => choose(each.view),
    })),
    ...(inEffect
      ? [
          {
            label: words.removeView(inEffect.name),
            look: "ends" as const,
            onSelect: () => remove.mutate({ screen, name: inEffect.name }),
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
      <Problem problem={remove.error} />
      {isNaming && <NameView {...{ screen, saved }} view={now} onClose={() => setNaming(false)} />}
    </>
  );
}

function NameView({
  screen,
  saved,
  view,
  onClose,
}: {
  readonly screen: string;
  readonly saved: readonly Named[];
  readonly view: View;
  readonly onClose: () => void;
}) {
  const words = useWords(listWords);
  const [name, setName] = useState("");
  const [isTried, setTried] = useState(false);
  const save = useChange("/views/save", { onDone: onClose });
  const given = name.trim();
  return (
    <Dialog title={words.saveView} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (given !== "" && !save.isPending) save.mutate({ screen, name: given, view });
        }}
      >
        <TextField
          label={words.viewName}
          hint={saved.some((view) => view.name === given) ? words.replacesView : words.viewKept}
          fault={isTried && given === "" ? words.required : faultOf(save.error, "name")}
          maxLength={60}
          value={name}
          onChange={setName}
        />
        <Problem
          problem={isAtFields(save.error, ["name"]) ? null : save.error}
          known={{ RATE_LIMITED: words.noRoomForView }}
        />
        <div className="actions">
          <Button type="submit" look="first" isBusy={save.isPending}>
            {words.save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Tables that a view does not name, and those that were not shown yet, do not count. */
function isInEffect(view: View, now: View): boolean {
  const names = Object.keys(view.search);
  return (
    names.length === Object.keys(now.search).length &&
    names.every((name) => view.search[name] === now.search[name]) &&
    Object.entries(now.columns).every(([table, ids]) => {
      const wanted = view.columns[table];
      return !wanted || (wanted.length === ids.length && wanted.every((id) => ids.includes(id)));
    })
  );
}
