import { Outlet, useLocation, useMatches } from "@tanstack/react-router";
import { Activity, lazy, Suspense, useEffect, useMemo } from "react";
import { access } from "../api/access.js";
import { followChanges } from "../api/changes.js";
import { proofPrompt } from "../api/proving.js";
import { PersonContext, useSession } from "../api/session.js";
import { useWords } from "../language/language.js";
import { Loading } from "../parts/loading.js";
import { Toast } from "../parts/toast.js";
import { VisibleScreens } from "../parts/visible-screens.js";
import { ProveDialog } from "../sign-in/prove-dialog.js";
import { recovered } from "../sign-in/recovered.js";
import { SignInScreen } from "../sign-in/sign-in-screen.js";
import { UndoNotice } from "../undo/undo-notice.js";
import { Boundary } from "./boundary.js";
import { visiblePaths } from "./navigation.js";
import { OfflineBanner } from "./offline-banner.js";
import { PlainPage } from "./plain-page.js";
import { Shell } from "./shell.js";
import { shellWords } from "./shell-words.js";
import { useStored } from "./stored.js";

const AfterRecovery = lazy(() => import("../sign-in/after-recovery.js"));

const openPaths = ["/join", "/signed-out", "/authorize"];

/**
 * The whole page. A user without a session sees the sign-in page at any address. When a session ends, the screen and everything typed are hidden,
 * and return after signing in.
 */
export function Console() {
  const { pathname } = useLocation();
  // The router's address changes before the previous screen is replaced.
  const drawn = useMatches({ select: (matches) => matches.at(-1)?.pathname });
  const session = useSession();
  const standing = useStored(access);
  const question = useStored(proofPrompt);
  const hasRecovered = useStored(recovered);
  const person = session.data?.person ?? null;
  const visible = useMemo(() => (person ? visiblePaths(person) : new Set<string>()), [person]);
  const isOpen = openPaths.includes(pathname);
  const isHeld = person !== null && standing === "held";
  const isIn = isHeld && !isOpen;
  useEffect(() => (isIn ? followChanges() : undefined), [isIn]);

  if (isOpen)
    return (
      <PlainPage>
        <OfflineBanner />
        <Boundary>
          <Suspense fallback={<Loading />}>
            <Outlet />
          </Suspense>
        </Boundary>
        <div className="at-foot">
          <Toast />
        </div>
      </PlainPage>
    );
  if (session.data === undefined) return <Starting isUnavailable={session.isError} />;
  return (
    <>
      {lastPerson(person) && (
        <Activity mode={isHeld ? "visible" : "hidden"}>
          <PersonContext value={lastPerson(person)}>
            <VisibleScreens value={visible}>
              <Shell tenantName={session.data.tenant_name}>
                <Boundary key={drawn}>
                  <Suspense fallback={<Loading lines={6} />}>
                    <Outlet />
                  </Suspense>
                </Boundary>
              </Shell>
            </VisibleScreens>
          </PersonContext>
        </Activity>
      )}
      {!isHeld && (
        <PlainPage>
          <OfflineBanner />
          <SignInScreen methods={session.data.methods} hasEnded={standing === "ended"} />
        </PlainPage>
      )}
      {isHeld && hasRecovered && (
        <Suspense>
          <AfterRecovery />
        </Suspense>
      )}
      {isHeld && question && <ProveDialog settle={question.settle} methods={session.data.methods} />}
      <div className="at-foot">
        <Toast />
        {isHeld && <UndoNotice />}
      </div>
    </>
  );
}

let last: NonNullable<ReturnType<typeof useSession>["data"]>["person"] = null;

/** The current person, also while they have to sign in again; for another person the page is reloaded. */
function lastPerson(person: typeof last): typeof last {
  last = person ?? last;
  return last;
}

/** Shown until the session is known. */
function Starting({ isUnavailable }: { readonly isUnavailable: boolean }) {
  const words = useWords(shellWords);
  return (
    <PlainPage>
      {isUnavailable ? (
        <>
          <h1>{words.awayTitle}</h1>
          <p role="status">{words.awayText}</p>
        </>
      ) : (
        <Loading />
      )}
    </PlainPage>
  );
}
