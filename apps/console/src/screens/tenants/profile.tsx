import "../../listing/listing.css";
import { useState } from "react";
import { useChange } from "../../api/answers.js";
import { faultOf } from "../../api/api-problem.js";
import type { AnswerOf, BodyOf } from "../../api/paths.js";
import { usePerson } from "../../api/session.js";
import { useWords } from "../../language/language.js";
import { ConflictNotice } from "../../listing/conflict-notice.js";
import { useTypedText } from "../../listing/edited-version.js";
import { linesOf } from "../../listing/lines-of.js";
import { listWords } from "../../listing/list-words.js";
import { Button } from "../../parts/button.js";
import { Facts } from "../../parts/facts.js";
import { CheckField, TextField } from "../../parts/fields.js";
import { base64Of, FileField } from "../../parts/file-field.js";
import { showToast } from "../../parts/toast.js";
import { profileWords } from "./profile-words.js";

type Stated = AnswerOf<"/operator/v1/tenants/show">["tenant"]["profile"];
type Change = BodyOf<"/operator/v1/tenants/update">;

const texts = ["display_name", "legal_name", "postal_address", "privacy_url", "support_contact"] as const;
type Texts = Readonly<Record<(typeof texts)[number], string>>;

/** How a tenant appears to bank customers and custodians. */
export function Profile({
  tenantId,
  profile,
  version,
}: {
  readonly tenantId: string;
  readonly profile: Stated;
  readonly version: number;
}) {
  const words = useWords(profileWords);
  const general = useWords(listWords);
  const { may } = usePerson();
  const now = textsOf(profile);
  const { typed: values, type: setValues, ...seen } = useTypedText(version, now);
  const [logo, setLogo] = useState<File | null>(null);
  const [isLogoGone, setLogoGone] = useState(false);
  const change = useChange("/operator/v1/tenants/update", {
    onDone({ tenant }) {
      const kept = textsOf(tenant.profile);
      setValues(kept);
      setLogo(null);
      setLogoGone(false);
      seen.keep(tenant.version, kept);
      showToast(words.kept);
    },
  });
  const shown = profile.logo && <img className="logo" src={`/logos/${profile.logo.sha256}`} alt={words.logo} />;
  if (!may("administer"))
    return <Facts facts={[...texts.map((name) => [words.fields[name], now[name]] as const), [words.logo, shown]]} />;
  async function save(): Promise<void> {
    const { set, reset } = changeOf(values);
    const picture = logo ? await base64Of(logo) : null;
    const hasNoLogo = picture === null && isLogoGone;
    change.mutate({
      tenant_id: tenantId,
      set: { ...set, ...(picture !== null && { logo: picture }) },
      reset: [...reset, ...(hasNoLogo ? (["logo"] as const) : [])],
      version: seen.version,
    });
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!change.isPending) void save();
      }}
    >
      <p className="lead">{words.lead}</p>
      {texts.map((name) => (
        <TextField
          key={name}
          label={words.fields[name]}
          hint={words.hints[name]}
          value={values[name]}
          autoComplete="off"
          fault={faultOf(change.error, `set.${name}`)}
          {...(name === "postal_address" && { rows: 4 })}
          onChange={(value) => setValues((before) => ({ ...before, [name]: value }))}
        />
      ))}
      {shown}
      <FileField
        key={seen.version}
        label={words.logo}
        accept="image/png,image/jpeg,image/webp"
        fault={faultOf(change.error, "set.logo")}
        onChange={setLogo}
      />
      {profile.logo && <CheckField label={words.noLogo} checked={isLogoGone} onChange={setLogoGone} />}
      <ConflictNotice
        seen={seen}
        change={change}
        now={texts.flatMap((name) =>
          now[name] === seen.there[name] ? [] : [[words.fields[name], now[name] || general.nothingThere] as const],
        )}
      />
      <div className="actions">
        <Button type="submit" look="first" isBusy={change.isPending}>
          {general.save}
        </Button>
      </div>
    </form>
  );
}

function textsOf(profile: Stated): Texts {
  const { postal_address, ...rest } = profile;
  return {
    display_name: rest.display_name ?? "",
    legal_name: rest.legal_name ?? "",
    postal_address: (postal_address ?? []).join("\n"),
    privacy_url: rest.privacy_url ?? "",
    support_contact: rest.support_contact ?? "",
  };
}

/** The values to set, and the names to reset because their field was emptied. */
function changeOf(values: Texts): {
  readonly set: NonNullable<Change["set"]>;
  readonly reset: (typeof texts)[number][];
} {
  const set = Object.fromEntries(
    texts.flatMap((name) => {
      const lines = linesOf(values[name]);
      return lines.length === 0 ? [] : [[name, name === "postal_address" ? lines : values[name].trim()]];
    }),
  );
  return { set, reset: texts.filter((name) => !(name in set)) };
}
