import { useState } from "react";
import { useAnswer } from "../../api/answers.js";
import type { AnswerOf } from "../../api/paths.js";
import { usePerson } from "../../api/session.js";
import { labelled, useWords } from "../../language/language.js";
import { useBeginning } from "../../listing/beginning.js";
import { type Filter, FilterBar, useFilters } from "../../listing/filter-bar.js";
import { ConfirmChange, FormDialog } from "../../listing/form-dialog.js";
import { List, type RowOf } from "../../listing/list.js";
import { listWords } from "../../listing/list-words.js";
import { NewButton } from "../../listing/new-button.js";
import { ShownOnce } from "../../listing/shown-once.js";
import { TenantLink, useTenantNames } from "../../listing/tenant-names.js";
import { Badge } from "../../parts/badge.js";
import type { MenuItem } from "../../parts/menu.js";
import { Moment } from "../../parts/moment.js";
import { Screen } from "../../parts/screen.js";
import { shellWords } from "../../shell/shell-words.js";
import { peopleWords } from "./words.js";

type Person = RowOf<"/operator/v1/people/list">;
type Role = Person["role"];
type Invited = AnswerOf<"/operator/v1/people/invite">;
type Doing = { readonly what: "reinvite" | "change" | "end"; readonly person: Person };

const tones = { invited: "neutral", active: "good", ended: "neutral" } as const;
const rolesOf = (tenantId: string | null): readonly Role[] =>
  tenantId === null ? ["operator", "operator:read"] : ["admin", "member", "read"];

/** Who may sign in. Operators choose the tenant; a tenant's people see their own. */
export default function PeopleScreen() {
  const words = useWords(peopleWords);
  const { roles: roleNames } = useWords(shellWords);
  const general = useWords(listWords);
  const { audience, may, person_id: self, tenant_id: own } = usePerson();
  const tenants = useTenantNames();
  const [isInviting, setInviting] = useBeginning("invite");
  const [doing, setDoing] = useState<Doing | null>(null);
  const [invited, setInvited] = useState<Invited | null>(null);
  const isOperator = audience === "operator";
  const filters: readonly Filter[] = [
    ...(isOperator
      ? [
          {
            kind: "choice" as const,
            name: "tenant",
            label: words.whose,
            options: tenants.options,
            none: words.operators,
          },
        ]
      : []),
    {
      kind: "choice",
      name: "ended",
      label: general.state,
      none: words.states.active,
      options: [{ value: "yes", label: words.withRemoved }],
    },
  ];
  const { values } = useFilters(filters);
  const tenant_id = isOperator ? (values.tenant ?? null) : own;
  const ended = values.ended === "yes";
  const shared = {
    caption: words.caption,
    keyOf: ({ person_id }: Person) => person_id,
    nameOf: ({ name, email }: Person) => name || email,
    empty: { title: words.emptyTitle, text: words.emptyText },
    columns: [
      {
        id: "name",
        by: ({ name, email }: Person) => name || email,
        header: general.name,
        cell: ({ name, email, person_id, state }: Person) => (
          <>
            {name || email} {person_id === self && <span className="quiet">({words.you})</span>}
            <span className="narrow quiet">{words.states[state]}</span>
          </>
        ),
      },
      {
        id: "email",
        by: ({ email }: Person) => email,
        header: words.email,
        cell: ({ email }: Person) => email,
        isWideOnly: true,
      },
      {
        id: "role",
        by: ({ role }: Person) => roleNames[role],
        header: words.role,
        cell: ({ role }: Person) => roleNames[role],
      },
      {
        id: "state",
        by: ({ state }: Person) => words.states[state],
        header: general.state,
        isWideOnly: true,
        cell: ({ state }: Person) => <Badge tone={tones[state]}>{words.states[state]}</Badge>,
      },
      {
        id: "seen",
        byMost: ({ seen_at }: Person) => seen_at,
        header: words.seen,
        cell: ({ seen_at }: Person) => <Moment at={seen_at} />,
        isWideOnly: true,
      },
      {
        id: "until",
        byMost: ({ invited_until }: Person) => invited_until,
        header: words.invitedUntil,
        cell: ({ invited_until }: Person) => <Moment at={invited_until} />,
        isWideOnly: true,
      },
    ],
    ...(may("administer") && { actionsOf }),
  };

  return (
    <Screen
      title={words.title}
      lead={isOperator ? words.leadOperator : words.leadTenant}
      above={isOperator && <TenantLink tenantId={values.tenant} />}
      actions={<NewButton onClick={() => setInviting(true)}>{words.invite}</NewButton>}
    >
      <FilterBar filters={filters} />
      {isOperator ? (
        <List {...shared} path="/operator/v1/people/list" body={{ tenant_id, ended }} />
      ) : (
        <List {...shared} path="/people/list" body={{ ended }} />
      )}
      {isInviting && (
        <Inviting
          tenantId={tenant_id}
          isOperator={isOperator}
          onInvited={(answer) => {
            setInviting(false);
            setInvited(answer);
          }}
          onClose={() => setInviting(false)}
        />
      )}
      {invited && (
        <ShownOnce
          title={words.linkTitle(invited.person.email)}
          texts={[{ label: words.link, text: invited.link }]}
          qr={{ label: words.linkQr, text: invited.link }}
          onClose={() => setInvited(null)}
        >
          <p>{words.linkText}</p>
          <p>
            {labelled(words.invitedUntil, "")}
            <Moment at={invited.expires_at} look="both" />
          </p>
        </ShownOnce>
      )}
      {doing && (
        <DoingDialog
          doing={doing}
          tenantId={tenant_id}
          isOperator={isOperator}
          onInvited={(answer) => {
            setDoing(null);
            setInvited(answer);
          }}
          onClose={() => setDoing(null)}
        />
      )}
    </Screen>
  );

  function actionsOf(person: Person): readonly MenuItem[] {
    if (person.state === "ended") return [];
    const act = (what: Doing["what"]) => () => setDoing({ what, person });
    return [
      { label: words.change, onSelect: act("change") },
      ...(person.signs_in_with === "passkey" ? [{ label: words.reinvite, onSelect: act("reinvite") }] : []),
      {
        label: words.end,
        look: "ends" as const,
        onSelect: act("end"),
        reason: person.person_id === self ? words.notYourself : null,
      },
    ];
  }
}

interface Whose {
  readonly tenantId: string | null;
  readonly isOperator: boolean;
  readonly onInvited: (answer: Invited) => void;
  readonly onClose: () => void;
}

function Inviting({ tenantId, isOperator, onInvited, onClose }: Whose) {
  const words = useWords(peopleWords);
  const { roles: roleNames } = useWords(shellWords);
  const general = useWords(listWords);
  const roles = rolesOf(tenantId);
  const others = useAnswer(
    "/operator/v1/people/list",
    { tenant_id: tenantId, ended: false },
    { enabled: isOperator && tenantId !== null },
  );
  if (others.isLoading) return null;
  const isFirst = others.data?.items.length === 0;
  const form = {
    title: words.invite,
    lead: words.linkText,
    action: words.inviteAction,
    onClose,
    onDone: onInvited,
    fields: [
      { name: "email", label: words.email, isRequired: true, taken: words.alreadyHere },
      { name: "name", label: general.name },
      {
        name: "role",
        label: words.role,
        kind: "choice" as const,
        // The most usual one; the first of a tenant's people invites the others.
        initial: tenantId === null ? "operator" : isFirst ? "admin" : "member",
        options: roles.map((value) => ({ value, label: labelled(roleNames[value], words.roleHints[value]) })),
      },
    ],
  };
  const bodyOf = ({ email = "", name, role }: Readonly<Record<string, string>>) => ({
    email: email.trim(),
    ...(name && { name }),
    role: role as Role,
  });
  return isOperator ? (
    <FormDialog
      {...form}
      path="/operator/v1/people/invite"
      bodyOf={(values) => ({ tenant_id: tenantId, ...bodyOf(values) })}
    />
  ) : (
    <FormDialog {...form} path="/people/invite" bodyOf={bodyOf} />
  );
}

function DoingDialog({
  doing: { what, person },
  tenantId,
  isOperator,
  onInvited,
  onClose,
}: Whose & { readonly doing: Doing }) {
  const words = useWords(peopleWords);
  const { roles: roleNames } = useWords(shellWords);
  const general = useWords(listWords);
  const { person_id, name, email } = person;
  const whose = { tenant_id: tenantId, person_id };
  if (what === "reinvite") {
    const question = { title: labelled(words.reinvite, name || email), action: words.reinvite, look: "first" as const };
    const rest = { ...question, onClose, onDone: onInvited, effects: [words.reinviteText] as const };
    return isOperator ? (
      <ConfirmChange {...rest} path="/operator/v1/people/reinvite" body={whose} />
    ) : (
      <ConfirmChange {...rest} path="/people/reinvite" body={{ person_id }} />
    );
  }
  if (what === "end") {
    const rest = { title: words.endTitle, action: words.end, typed: email, onClose, effects: [words.endText] as const };
    return isOperator ? (
      <ConfirmChange {...rest} path="/operator/v1/people/end" body={whose} />
    ) : (
      <ConfirmChange {...rest} path="/people/end" body={{ person_id }} />
    );
  }
  const form = {
    title: labelled(words.change, name || email),
    action: general.save,
    onClose,
    fields: [
      { name: "name", label: general.name, initial: name },
      {
        name: "role",
        label: words.role,
        kind: "choice" as const,
        initial: person.role,
        options: rolesOf(tenantId).map((value) => ({
          value,
          label: labelled(roleNames[value], words.roleHints[value]),
        })),
      },
    ],
  };
  const changed = (values: Readonly<Record<string, string>>) => ({
    ...(values.name && values.name !== name && { name: values.name }),
    ...(values.role !== person.role && { role: values.role as Role }),
  });
  return isOperator ? (
    <FormDialog {...form} path="/operator/v1/people/change" bodyOf={(values) => ({ ...whose, ...changed(values) })} />
  ) : (
    <FormDialog {...form} path="/people/change" bodyOf={(values) => ({ person_id, ...changed(values) })} />
  );
}
