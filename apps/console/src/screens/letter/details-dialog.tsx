import { useState } from "react";
import { useChange } from "../../api/answers.js";
import { faultOf } from "../../api/api-problem.js";
import { languageNames, languages, useWords } from "../../language/language.js";
import { Button } from "../../parts/button.js";
import { Dialog } from "../../parts/dialog.js";
import { Facts } from "../../parts/facts.js";
import { SelectField, TextField } from "../../parts/fields.js";
import { LetterConflictNotice, useEditedLetter } from "./letter-conflict-notice.js";
import type { Letter } from "./letter-history.js";
import { letterWords } from "./words.js";

/** Asks for the client's details of a generated letter. */
export function DetailsDialog({
  letter,
  onDone,
  onClose,
}: {
  readonly letter: Letter;
  readonly onDone: () => void;
  readonly onClose: () => void;
}) {
  const words = useWords(letterWords);
  const [before] = useState(letter.details);
  const [name, setName] = useState(before?.full_name ?? "");
  const [address, setAddress] = useState(before?.address.join("\n") ?? "");
  const [accounts, setAccounts] = useState(before?.accounts?.join("\n") ?? "");
  const [birthDate, setBirthDate] = useState(before?.birth_date ?? "");
  const [taxId, setTaxId] = useState(before?.tax_id ?? "");
  const [email, setEmail] = useState(before?.email ?? "");
  const [language, setLanguage] = useState(before?.language ?? "en");
  const seen = useEditedLetter(letter);
  const change = useChange("/operator/v1/letters/details", { onDone });
  const named = [
    [words.fullName, "full_name"],
    [words.address, "address"],
    [words.accounts, "accounts"],
    [words.birthDate, "birth_date"],
    [words.taxId, "tax_id"],
    [words.email, "email"],
    [words.language, "language"],
  ] as const;
  const now = letter.details;
  const others = named.filter(([, field]) => textIn(now?.[field]) !== textIn(before?.[field]));
  const fault = (field: string) => faultOf(change.error, `details.${field}`);
  return (
    <Dialog title={words.details} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (change.isPending) return;
          const optional = { birth_date: birthDate, tax_id: taxId.trim(), email: email.trim() };
          const given = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== ""));
          const details = {
            full_name: name.trim(),
            address: linesIn(address),
            accounts: linesIn(accounts),
            language,
            ...given,
          };
          change.mutate({ letter_id: letter.id, version: seen.version, details });
        }}
      >
        <p className="quiet">{words.detailsText}</p>
        <TextField label={words.fullName} value={name} required fault={fault("full_name")} onChange={setName} />
        <TextField
          label={words.address}
          hint={words.linewise}
          rows={4}
          value={address}
          required
          fault={fault("address")}
          onChange={setAddress}
        />
        <TextField
          label={words.accounts}
          hint={words.accountsHint}
          rows={2}
          value={accounts}
          fault={fault("accounts")}
          onChange={setAccounts}
        />
        <TextField
          label={words.birthDate}
          type="date"
          value={birthDate}
          fault={fault("birth_date")}
          onChange={setBirthDate}
        />
        <TextField label={words.taxId} value={taxId} fault={fault("tax_id")} onChange={setTaxId} />
        <TextField
          label={words.email}
          hint={words.emailHint}
          type="email"
          value={email}
          fault={fault("email")}
          onChange={setEmail}
        />
        <SelectField
          label={words.language}
          value={language}
          options={languages.map((value) => ({ value, label: languageNames[value] }))}
          onChange={setLanguage}
        />
        {others.length > 0 && (
          <>
            <p>{words.thereNow}</p>
            <Facts facts={others.map(([label, field]) => [label, textIn(now?.[field]) || "–"])} />
          </>
        )}
        <LetterConflictNotice seen={seen} change={change} />
        <div className="actions">
          <Button type="submit" look="first" isBusy={change.isPending}>
            {words.keep}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function textIn(value: string | readonly string[] | null | undefined): string {
  return typeof value === "string" ? value : (value ?? []).join(", ");
}

function linesIn(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
