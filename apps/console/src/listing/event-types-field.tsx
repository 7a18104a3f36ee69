import { useState } from "react";
import { useWords } from "../language/language.js";
import { CheckField } from "../parts/fields.js";
import { useEventTypes } from "../sentences/event-types.js";
import { linesOf } from "./lines-of.js";
import { listWords } from "./list-words.js";

const ALL = "*";

/** A choice of event types and families, one on each line of the value; `*` is all of them, now and later. */
export function EventTypesField({
  label,
  fault,
  value,
  onChange,
}: {
  readonly label: string;
  readonly fault: string | null;
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  const words = useWords(listWords);
  const families = useEventTypes();
  const chosen = linesOf(value);
  const [isAll, setAll] = useState(chosen.length === 0 || chosen.includes(ALL));
  const set = (patterns: readonly string[], isOn: boolean) =>
    onChange([...chosen.filter((one) => one !== ALL && !patterns.includes(one)), ...(isOn ? patterns : [])].join("\n"));
  return (
    <fieldset className="checks in-families">
      <legend>{label}</legend>
      <CheckField
        label={words.everyEvent}
        checked={isAll}
        onChange={(isOn) => {
          setAll(isOn);
          onChange(isOn ? ALL : "");
        }}
      />
      {!isAll &&
        families.map(({ pattern, title, types }) => {
          const isWhole = chosen.includes(pattern);
          const of = types.filter(({ type }) => isWhole || chosen.includes(type));
          return (
            <details key={pattern}>
              <summary>
                {title} <span className="quiet">{words.chosenOf(of.length, types.length)}</span>
              </summary>
              <CheckField
                label={words.wholeFamily}
                hint={<code>{pattern}</code>}
                checked={isWhole}
                onChange={(isOn) => {
                  const single = types.map(({ type }) => type);
                  onChange(
                    [...chosen.filter((one) => ![pattern, ...single].includes(one)), ...(isOn ? [pattern] : [])].join(
                      "\n",
                    ),
                  );
                }}
              />
              {!isWhole &&
                types.map(({ type, said }) => (
                  <CheckField
                    key={type}
                    label={said}
                    hint={<code>{type}</code>}
                    checked={chosen.includes(type)}
                    onChange={(isOn) => set([type], isOn)}
                  />
                ))}
            </details>
          );
        })}
      {fault && <p className="fault">{fault}</p>}
    </fieldset>
  );
}
