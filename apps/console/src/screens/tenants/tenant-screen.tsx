import { useState } from "react";
import { useAnswer } from "../../api/answers.js";
import { usePerson } from "../../api/session.js";
import { useWords } from "../../language/language.js";
import { ConfirmChange } from "../../listing/form-dialog.js";
import { listWords } from "../../listing/list-words.js";
import { useAddress } from "../../parts/address.js";
import { Badge } from "../../parts/badge.js";
import { Button } from "../../parts/button.js";
import { Copyable } from "../../parts/copyable.js";
import { Facts } from "../../parts/facts.js";
import { Link } from "../../parts/link.js";
import { Loading } from "../../parts/loading.js";
import { Moment } from "../../parts/moment.js";
import { Problem } from "../../parts/problem.js";
import { Screen } from "../../parts/screen.js";
import { Tabs } from "../../parts/tabs.js";
import { showToast } from "../../parts/toast.js";
import { applicationWords } from "../applications/words.js";
import { peopleWords } from "../people/words.js";
import { Limits } from "./limits.js";
import { Profile } from "./profile.js";
import { profileWords } from "./profile-words.js";
import { TenantDeletion } from "./tenant-deletion.js";
import { tenantWords } from "./words.js";

/** One tenant: whether it is active, its limits, and links to what belongs to it. */
export default function TenantScreen() {
  const words = useWords(tenantWords);
  const profiles = useWords(profileWords);
  const general = useWords(listWords);
  const applications = useWords(applicationWords);
  const people = useWords(peopleWords);
  const { may } = usePerson();
  const { params, go } = useAddress();
  const [dialog, setDialog] = useState<"switch" | "delete" | null>(null);
  const tenant_id = params.tenantId ?? "";
  const { data, error, refetch } = useAnswer("/operator/v1/tenants/show", { tenant_id });
  const above = <Link to="/tenants">{words.back}</Link>;
  if (!data)
    return (
      <Screen title={words.title} above={above}>
        {error ? (
          <Problem problem={error} known={{ NOT_FOUND: words.gone }} onRetry={() => void refetch()} />
        ) : (
          <Loading />
        )}
      </Screen>
    );
  const { tenant } = data;
  const { name, enabled } = tenant;
  const onClose = () => setDialog(null);
  const ways = [
    ["/connections", words.connections],
    ["/letters", words.letters],
    ["/applications", words.applications],
    ["/people", words.people],
    ["/grants", words.grants],
    ["/audit", words.audit],
  ] as const;

  return (
    <Screen
      title={name}
      above={above}
      actions={
        may("administer") && (
          <>
            <Button look={enabled ? "usual" : "first"} onClick={() => setDialog("switch")}>
              {enabled ? general.disable : general.enable}
            </Button>
            <Button look="ends" onClick={() => setDialog("delete")}>
              {words.delete}
            </Button>
          </>
        )
      }
    >
      <Tabs
        label={name}
        tabs={[
          {
            id: "overview",
            label: words.overview,
            content: () => (
              <>
                <Facts
                  facts={[
                    [
                      general.state,
                      <Badge key="state" tone={enabled ? "good" : "warn"}>
                        {enabled ? general.enabled : general.disabled}
                      </Badge>,
                    ],
                    [words.id, <Copyable key="id" label={words.id} text={tenant_id} />],
                    [general.created, <Moment key="created" at={tenant.created_at} look="both" />],
                  ]}
                />
                <h2>{words.see}</h2>
                <ul className="ways">
                  {ways.map(([to, label]) => (
                    <li key={to}>
                      <Link to={to} search={{ tenant: tenant_id }}>
                        {label}
                      </Link>
                    </li>
                  ))}
                </ul>
                {may("administer") && (
                  <div className="actions">
                    <Button onClick={() => go("/people", { tenant: tenant_id, begin: "invite" })}>
                      {people.invite}
                    </Button>
                    <Button onClick={() => go("/applications", { tenant: tenant_id, begin: "application" })}>
                      {applications.create}
                    </Button>
                  </div>
                )}
              </>
            ),
          },
          {
            id: "profile",
            label: profiles.title,
            content: () => (
              <Profile key={tenant_id} tenantId={tenant_id} profile={tenant.profile} version={tenant.version} />
            ),
          },
          { id: "limits", label: words.limits, content: () => <Limits tenantId={tenant_id} /> },
        ]}
      />
      {dialog === "switch" && (
        <ConfirmChange
          title={enabled ? words.disableTitle : general.enable}
          action={enabled ? general.disable : general.enable}
          look={enabled ? "ends" : "first"}
          path={enabled ? "/operator/v1/tenants/disable" : "/operator/v1/tenants/enable"}
          body={{ tenant_id }}
          changes={["/operator/v1/applications/", "/operator/v1/grants/"]}
          onClose={onClose}
          effects={[enabled ? words.disableText : words.enableText]}
        />
      )}
      {dialog === "delete" && (
        <ConfirmChange
          title={words.deleteTitle}
          action={words.delete}
          typed={name}
          path="/operator/v1/tenants/delete"
          body={{ tenant_id, confirm: true }}
          changes={["/operator/v1/"]}
          onDone={() => {
            showToast(words.deleted);
            go("/tenants");
          }}
          onClose={onClose}
          effects={[words.deleteText]}
        >
          <TenantDeletion tenantId={tenant_id} />
        </ConfirmChange>
      )}
    </Screen>
  );
}
