import { useLocation } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense, useEffect, useId, useRef, useState } from "react";
import { usePerson } from "../api/session.js";
import { useWords } from "../language/language.js";
import { Button } from "../parts/button.js";
import { Dialog } from "../parts/dialog.js";
import { Icon } from "../parts/icon.js";
import { Link } from "../parts/link.js";
import { AppearanceMenu } from "./appearance-menu.js";
import { LanguageSwitch } from "./language-switch.js";
import { Mark } from "./mark.js";
import { isCurrentScreen, navigationOf } from "./navigation.js";
import { OfflineBanner } from "./offline-banner.js";
import { shellWords } from "./shell-words.js";
import { FIND_KEY, Shortcuts } from "./shortcuts.js";
import { SignOut } from "./sign-out.js";

const loadPalette = () => import("../palette/palette.js");
const Palette = lazy(loadPalette);

/** The shell around every screen: this person's navigation, at the side or in a drawer, and their name. */
export function Shell({ tenantName, children }: { readonly tenantName: string | null; readonly children: ReactNode }) {
  const words = useWords(shellWords);
  const { pathname } = useLocation();
  const [hasDrawer, setDrawer] = useState(false);
  const [isSearching, setSearching] = useState(false);
  const search = { onClick: () => setSearching(true), onPointerEnter: loadPalette, onFocus: loadPalette };
  useEffect(() => setDrawer(false), [pathname]);
  return (
    <div className="shell">
      <a className="skip" href="#main">
        {words.skip}
      </a>
      <header className="bar">
        <Button look="plain" icon="menu" isIconOnly aria-haspopup="dialog" onClick={() => setDrawer(true)}>
          {words.menu}
        </Button>
        <Mark />
        <Button look="plain" icon="search" isIconOnly className="find" aria-haspopup="dialog" {...search}>
          {words.find}
        </Button>
      </header>
      <aside className="sidebar">
        <Mark />
        <Button icon="search" className="find" aria-haspopup="dialog" aria-keyshortcuts="Control+K Meta+K" {...search}>
          {words.find}
          <kbd>{FIND_KEY}</kbd>
        </Button>
        <SideContent tenantName={tenantName} />
      </aside>
      {hasDrawer && (
        <Dialog title={words.menu} look="side" onClose={() => setDrawer(false)}>
          <SideContent tenantName={tenantName} />
        </Dialog>
      )}
      <main id="main" tabIndex={-1}>
        <OfflineBanner />
        {children}
      </main>
      <Shortcuts onFind={() => setSearching(true)} onMayFind={loadPalette} />
      {isSearching && (
        <Suspense>
          <Palette onClose={() => setSearching(false)} />
        </Suspense>
      )}
    </div>
  );
}

function SideContent({ tenantName }: { readonly tenantName: string | null }) {
  const words = useWords(shellWords);
  const { name, email, role } = usePerson();
  return (
    <>
      <Navigation />
      <footer className="whoami">
        <div className="who">
          <p>
            <b>{name || email}</b>
            <small>
              {words.roles[role]}
              {tenantName && `, ${tenantName}`}
            </small>
          </p>
          <AppearanceMenu />
        </div>
        <div>
          <LanguageSwitch />
          <SignOut />
        </div>
      </footer>
    </>
  );
}

/** The person's screens by group. The last group, their own, stays in view when the others scroll. */
function Navigation() {
  const words = useWords(shellWords);
  const groups = navigationOf(usePerson());
  const { pathname } = useLocation();
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    if (pathname) nav.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }, [pathname]);
  return (
    <nav ref={nav} aria-label={words.navigation}>
      <div className="groups">
        {groups.slice(0, -1).map((found) => (
          <NavigationGroup key={found.group} {...found} />
        ))}
      </div>
      {groups.slice(-1).map((found) => (
        <NavigationGroup key={found.group} {...found} />
      ))}
    </nav>
  );
}

function NavigationGroup({ group, screens }: ReturnType<typeof navigationOf>[number]) {
  const words = useWords(shellWords);
  const { pathname } = useLocation();
  const id = useId();
  // No headings, because they would precede the screen's own.
  return (
    <div>
      <p id={id}>{words.groups[group]}</p>
      <ul aria-labelledby={id}>
        {screens.map((screen) => (
          <li key={screen.path}>
            <Link to={screen.path} aria-current={isCurrentScreen(pathname, screen.path) ? "page" : undefined}>
              <Icon name={screen.icon} />
              <ScreenTitle title={screen.title} />
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

function ScreenTitle({ title }: { readonly title: Parameters<typeof useWords<string>>[0] }) {
  return <span>{useWords(title)}</span>;
}
