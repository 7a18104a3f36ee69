import { type FormEvent, type ReactNode, useState } from "react";
import { usePerson } from "../../api/session.js";
import { useWords } from "../../language/language.js";
import { usePeople } from "../../listing/people.js";
import { Button } from "../../parts/button.js";
import { Dialog } from "../../parts/dialog.js";
import { SelectField, TextField } from "../../parts/fields.js";
import { partWords } from "../../parts/part-words.js";
import { workWords } from "./words.js";
import type { MarkStep } from "./work-run.js";

interface Asked {
  readonly count: number;
  readonly onMake: (step: MarkStep) => void;
  readonly onClose: () => void;
}

/** The people who may get lines: those of the same installation or tenant whose role allows work. */
export function useWorkers() {
  const { may } = usePerson();
  const people = usePeople({}, may("work"));
  const isReader = (role: string) => role === "operator:read" || role === "read";
  return people.filter(({ role }) => !isReader(role));
}

/** Asks who looks after the lines from now on. */
export function HandOver({ count, onMake, onClose }: Asked) {
  const { marks } = useWords(workWords);
  const me = usePerson();
  const [to, setTo] = useState("");
  const people = useWorkers();
  return (
    <Form
      title={marks.handOver}
      action={marks.handOver}
      onClose={onClose}
      onDo={() => onMake({ what: "handOver", personId: to || null })}
    >
      <p>{marks.handOverLead(count)}</p>
      <SelectField
        label={marks.to}
        value={to}
        options={[
          { value: "", label: marks.letGo },
          ...people.map(({ person_id, name, email }) => ({
            value: person_id as string,
            label: person_id === me.person_id ? `${name || email} (${marks.me})` : name || email,
          })),
        ]}
        onChange={setTo}
      />
    </Form>
  );
}

const untilDays = { tomorrow: 1, days: 3, week: 7 } as const;

/** Asks until when the lines are put aside, and why. */
export function Snooze({ count, onMake, onClose }: Asked) {
  const { marks } = useWords(workWords);
  const [until, setUntil] = useState<keyof typeof marks.untils>("tomorrow");
  const [day, setDay] = useState("");
  const [reason, setReason] = useState("");
  const at = until === "day" ? new Date(`${day}T08:00`) : morningIn(untilDays[until]);
  return (
    <Form
      title={marks.snooze}
      action={marks.snooze}
      onClose={onClose}
      onDo={() => onMake({ what: "snooze", until: at.toISOString(), reason: reason.trim() })}
    >
      <p>{marks.snoozeLead(count)}</p>
      <SelectField
        label={marks.until}
        value={until}
        options={(["tomorrow", "days", "week", "day"] as const).map((value) => ({ value, label: marks.untils[value] }))}
        onChange={setUntil}
      />
      {until === "day" && (
        <TextField
          label={marks.day}
          type="date"
          required
          min={dayOf(morningIn(1))}
          max={dayOf(morningIn(365))}
          value={day}
          onChange={setDay}
        />
      )}
      <TextField
        label={marks.reason}
        hint={marks.reasonHint}
        required
        maxLength={500}
        value={reason}
        onChange={setReason}
      />
    </Form>
  );
}

function Form({
  title,
  action,
  onDo,
  onClose,
  children,
}: {
  readonly title: string;
  readonly action: string;
  readonly onDo: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const words = useWords(partWords);
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          onDo();
        }}
      >
        {children}
        <div className="actions">
          <Button type="submit" look="first">
            {action}
          </Button>
          <Button onClick={onClose}>{words.cancel}</Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Eight in the morning, so many days from now. */
function morningIn(days: number): Date {
  const at = new Date();
  at.setDate(at.getDate() + days);
  at.setHours(8, 0, 0, 0);
  return at;
}

function dayOf(at: Date): string {
  const digits = (value: number) => String(value).padStart(2, "0");
  return `${at.getFullYear()}-${digits(at.getMonth() + 1)}-${digits(at.getDate())}`;
}
