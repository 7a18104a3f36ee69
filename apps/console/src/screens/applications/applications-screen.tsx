import { useState } from "react";
import type { BodyOf } from "../../api/paths.js";
import { usePerson } from "../../api/session.js";
import { labelled, useWords } from "../../language/language.js";
import { useBeginning } from "../../listing/beginning.js";
import { type Filter, FilterBar, useFilters } from "../../listing/filter-bar.js";
import { ConfirmChange, FormDialog, type FormValues } from "../../listing/form-dialog.js";
import { linesOf } from "../../listing/lines-of.js";
import { List, type RowOf } from "../../listing/list.js";
import { listWords } from "../../listing/list-words.js";
import { NewButton } from "../../listing/new-button.js";
import { type Scope, type TenantScope, tenantScopes, useScopeWords } from "../../listing/scope-words.js";
import { TenantLink, useTenantNames } from "../../listing/tenant-names.js";
import type { MenuItem } from "../../parts/menu.js";
import { Moment } from "../../parts/moment.js";
import { Screen } from "../../parts/screen.js";
import { NameOfApplication, useApplicationColumns } from "./application-columns.js";
import { ApplicationSecret, type MadeSecret, type SecretChange, SecretDialog, secretActions } from "./secrets.js";
import { applicationWords } from "./words.js";

type Application = RowOf<"/operator/v1/applications/list">;
type Doing = SecretChange | "scopes" | "urls" | "clients" | "dpop" | "bearer" | "disable" | "enable";

/** The operator's value in the owner filter. */
const OPERATOR = "operator";

/** The choice of a limit that is one. */
const LIMITED = "limited";

/** The choice of tokens that are bound to a key. */
const BOUND = "bound";

/** Applications of all tenants and the operator's. */
export default function ApplicationsScreen() {
  const words = useWords(applicationWords);
  const general = useWords(listWords);
  const inWords = useScopeWords();
  const { may } = usePerson();
  const shared = useApplicationColumns();
  const tenants = useTenantNames();
  const [isCreating, setCreating] = useBeginning("application");
  const [doing, setDoing] = useState<{ readonly what: Doing; readonly application: Application } | null>(null);
  const [made, setMade] = useState<MadeSecret | null>(null);
  const filters: readonly Filter[] = [
    { kind: "text", name: "name", label: words.search },
    {
      kind: "choice",
      name: "tenant",
      label: general.tenant,
      options: [{ value: OPERATOR, label: words.operators }, ...tenants.options],
    },
  ];
  const { values, clear } = useFilters(filters);
  const ownerOf = (tenantId: string | null) => tenants.nameOf(tenantId) ?? words.operators;
  const wanted = values.name?.toLowerCase() ?? "";
  const body: BodyOf<"/operator/v1/applications/list"> = values.tenant
    ? { tenant_id: values.tenant === OPERATOR ? null : values.tenant }
    : {};

  return (
    <Screen
      title={words.title}
      lead={words.lead}
      above={<TenantLink tenantId={values.tenant === OPERATOR ? undefined : values.tenant} />}
      actions={<NewButton onClick={() => setCreating(true)}>{words.create}</NewButton>}
    >
      <FilterBar filters={filters} />
      <List
        path="/operator/v1/applications/list"
        body={body}
        caption={words.caption}
        keyOf={({ application_id }) => application_id}
        nameOf={({ name }) => name}
        shows={({ name, client_id }) => `${name} ${client_id}`.toLowerCase().includes(wanted)}
        columns={[
          {
            ...shared.name,
            cell: ({ name, client_id, tenant_id }) => (
              <NameOfApplication {...{ name, client_id }}>
                <span className="narrow quiet">{ownerOf(tenant_id)}</span>
              </NameOfApplication>
            ),
          },
          {
            id: "tenant",
            by: ({ tenant_id }) => ownerOf(tenant_id),
            header: general.tenant,
            isWideOnly: true,
            cell: ({ tenant_id }) => ownerOf(tenant_id),
          },
          shared.state,
          {
            id: "secrets",
            header: words.secrets,
            cell: (row) => row.secrets.length,
            isNumeric: true,
            isWideOnly: true,
          },
          shared.scopes,
          shared.clients,
          {
            id: "created",
            byMost: ({ created_at }) => created_at,
            header: general.created,
            cell: (row) => <Moment at={row.created_at} />,
            isWideOnly: true,
          },
        ]}
        {...(may("administer") && { actionsOf })}
        empty={{ title: words.emptyTitle, text: words.emptyText }}
        clear={clear}
      />
      {isCreating && (
        <FormDialog
          title={words.create}
          lead={words.createLead}
          path="/operator/v1/applications/create"
          action={words.createAction}
          fields={[
            { name: "name", label: general.name, isRequired: true },
            {
              name: "tenant_id",
              label: general.tenant,
              kind: "choice",
              isRequired: true,
              initial: values.tenant ?? tenants.only,
              options: [
                { value: "", label: general.choose },
                ...tenants.options,
                { value: OPERATOR, label: words.operators },
              ],
            },
            {
              name: "scopes",
              label: general.scopes,
              hint: words.scopesHint,
              kind: "checks",
              options: inWords.options([...tenantScopes, "grants:manage"]),
            },
            { name: "redirect_urls", label: words.redirectUrls, hint: words.redirectHint, kind: "lines" },
            {
              name: "client_refs",
              label: words.onlyClients,
              hint: words.onlyClientsHint,
              kind: "clients",
              tenant: tenantOf,
            },
            {
              name: "dpop_bound_access_tokens",
              label: words.accessTokens,
              kind: "choice",
              options: [
                { value: "", label: words.anyTokens },
                { value: BOUND, label: words.boundTokens },
              ],
            },
          ]}
          bodyOf={(form) => ({
            name: form.name ?? "",
            tenant_id: tenantOf(form) ?? null,
            ...(tenantOf(form) && form.scopes && { scopes: linesOf(form.scopes) as Scope[] }),
            ...(form.redirect_urls && { redirect_urls: linesOf(form.redirect_urls) }),
            ...(tenantOf(form) && form.client_refs && { client_refs: linesOf(form.client_refs) }),
            ...(form.dpop_bound_access_tokens === BOUND && { dpop_bound_access_tokens: true }),
          })}
          onDone={(answer) => {
            setCreating(false);
            setMade(answer);
          }}
          onClose={() => setCreating(false)}
        />
      )}
      {made && <ApplicationSecret made={made} onClose={() => setMade(null)} />}
      {doing && (
        <DoingDialog
          {...doing}
          onSecret={(answer) => {
            setDoing(null);
            setMade(answer);
          }}
          onClose={() => setDoing(null)}
        />
      )}
    </Screen>
  );

  function actionsOf(application: Application): readonly MenuItem[] {
    const item = (what: Doing, label: string, more: Partial<MenuItem> = {}): MenuItem => ({
      label,
      onSelect: () => setDoing({ what, application }),
      ...more,
    });
    return [
      ...secretActions(words, application, (what) => setDoing({ what, application })),
      item("urls", words.changeUrls),
      ...(application.tenant_id === null
        ? []
        : [item("clients", words.changeClients), item("scopes", words.addScopes)]),
      application.dpop_bound_access_tokens ? item("bearer", words.allowBearer) : item("dpop", words.requireDpop),
      application.enabled ? item("disable", general.disable, { look: "ends" }) : item("enable", general.enable),
    ];
  }
}

/** The tenant in the form; undefined for the operator's own applications, and while none is chosen. */
function tenantOf({ tenant_id }: FormValues): string | undefined {
  return tenant_id && tenant_id !== OPERATOR ? tenant_id : undefined;
}

function DoingDialog({
  what,
  application: { tenant_id, client_id, name, secrets, redirect_urls, client_refs, scopes: own },
  onSecret,
  onClose,
}: {
  readonly what: Doing;
  readonly application: Application;
  readonly onSecret: (made: MadeSecret) => void;
  readonly onClose: () => void;
}) {
  const words = useWords(applicationWords);
  const general = useWords(listWords);
  const inWords = useScopeWords();
  if (what === "roll" || what === "remove")
    return <SecretDialog {...{ what, client_id, name, secrets, onSecret, onClose }} />;
  if (what === "scopes")
    return (
      <FormDialog
        {...{ title: labelled(words.addScopes, name), lead: words.addScopesText, action: words.addScopes, onClose }}
        path="/operator/v1/applications/add-scopes"
        fields={[
          {
            name: "scopes",
            label: general.scopes,
            kind: "checks",
            isRequired: true,
            options: inWords.options(tenantScopes.filter((scope) => !own.includes(scope))),
          },
        ]}
        bodyOf={(form) => ({ client_id, scopes: linesOf(form.scopes) as TenantScope[] })}
      />
    );
  if (what === "urls")
    return (
      <FormDialog
        {...{ title: labelled(words.redirectUrls, name), action: general.save, onClose }}
        path="/operator/v1/applications/update"
        fields={[
          {
            name: "redirect_urls",
            label: words.redirectUrls,
            hint: words.redirectHint,
            kind: "lines",
            initial: redirect_urls.join("\n"),
          },
        ]}
        bodyOf={(form) => ({ client_id, redirect_urls: linesOf(form.redirect_urls) })}
      />
    );
  if (what === "clients")
    return (
      <FormDialog
        {...{ title: labelled(words.onlyClients, name), lead: words.clientsText, action: general.save, onClose }}
        path="/operator/v1/applications/update"
        fields={[
          {
            name: "limit",
            label: words.clients,
            kind: "choice",
            initial: client_refs === null ? "" : LIMITED,
            options: [
              { value: "", label: words.allClients },
              { value: LIMITED, label: words.someClients },
            ],
          },
          {
            name: "client_refs",
            label: words.onlyClients,
            hint: words.limitHint,
            kind: "clients",
            initial: client_refs?.join("\n") ?? "",
            tenant: () => tenant_id ?? undefined,
          },
        ]}
        bodyOf={(form) => ({ client_id, client_refs: form.limit === LIMITED ? linesOf(form.client_refs) : null })}
      />
    );
  const change = {
    dpop: {
      title: words.requireDpopTitle,
      action: words.requireDpop,
      text: words.requireDpopText,
      look: "ends",
      path: "/operator/v1/applications/update",
      body: { client_id, dpop_bound_access_tokens: true },
    },
    bearer: {
      title: words.allowBearer,
      action: words.allowBearer,
      text: words.allowBearerText,
      look: "first",
      path: "/operator/v1/applications/update",
      body: { client_id, dpop_bound_access_tokens: false },
    },
    disable: {
      title: words.disableTitle,
      action: general.disable,
      text: words.disableText,
      look: "ends",
      path: "/operator/v1/applications/disable",
      body: { client_id },
    },
    enable: {
      title: general.enable,
      action: general.enable,
      text: words.enableText,
      look: "first",
      path: "/operator/v1/applications/enable",
      body: { client_id },
    },
  } as const;
  const { text, ...asked } = change[what];
  return (
    <ConfirmChange {...asked} changes={["/operator/v1/grants/"]} onClose={onClose} effects={[labelled(name, text)]} />
  );
}
