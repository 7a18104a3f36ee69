import { html } from "@org/pages";
import type { PageWords } from "./page-words.js";

export const germanPageWords: PageWords = {
  error: "Fehler: ",
  step: (step) => `Schritt ${step} von 2`,
  nameless: {
    app: "Eine App ohne Namen",
    application: "Eine Anwendung",
    person: "Eine Person",
    organisation: "Ihre Organisation",
    client: "Ein Kunde",
    place: "Unbekannt",
    address: "einer unbekannten Adresse",
    permission: "Ohne Namen",
  },
  account: {
    person: "Wer Sie sind",
    credentials: "Ihre Zugangsdaten",
    signedInAs: "Angemeldet als",
    ofOrganisation: (person, organisation) => html`<b>${person}</b>, ${organisation}`,
    somebodyElse: "Als jemand anders anmelden",
  },
  client: {
    label: "Die App, die anfragt",
    verified: "Name geprüft",
    notVerified: "Name nicht geprüft",
    place: "Wo sie ist",
    returnsTo: "Führt zurück zu",
    anybody: "Diesen Namen kann jeder wählen. Fahren Sie nur fort, wenn Sie den Vorgang gerade selbst gestartet haben.",
    onThisComputer: "Eine App auf diesem Computer",
    opensLinks: (scheme) => html`Eine App, die Links mit ${scheme} öffnet`,
  },
  signIn: {
    title: "Melden Sie sich an",
    lead: "Eine App möchte Ihre Anlagedaten verwenden. Auf der nächsten Seite entscheiden Sie, was sie darf.",
    ownTitle: "Melden Sie sich an, um die Zugriffe zu sehen",
    ownLead:
      "Sehen Sie, welche Apps auf Ihre Anlagen zugreifen, und beenden Sie Zugriffe, die Sie nicht mehr wünschen.",
    clientId: "Client-ID",
    clientIdHint: "Sie haben sie von Ihrem Kundenbetreuer erhalten. Sie beginnt mit wca_.",
    clientSecret: "Client-Geheimnis",
    enterClientId: "Geben Sie die Client-ID ein",
    enterClientSecret: "Geben Sie das Client-Geheimnis ein",
    next: "Weiter",
    cancel: "Abbrechen",
    asPerson: "Als Person anmelden",
    asPersonHint:
      "Mit Ihrem eigenen Passkey oder der Anmeldung Ihrer Firma, wenn Ihre Organisation hier ein Konto für Sie eingerichtet hat.",
    leaveConsole: "Von der Konsole abmelden",
    stored:
      "Die App bekommt diese Zugangsdaten nie zu sehen. Sie werden verschlüsselt gespeichert, und dieser Browser merkt sie sich 30 Tage lang.",
    ownStored: "Ihre Zugangsdaten werden verschlüsselt gespeichert, und dieser Browser merkt sie sich 30 Tage lang.",
    problems: {
      missing: "Geben Sie die Client-ID und das Client-Geheimnis ein.",
      wrong_credentials:
        "Diese Zugangsdaten wurden nicht akzeptiert. Prüfen Sie beide Angaben und geben Sie sie noch einmal ein.",
      operator:
        "Sie sind als Betreiber dieses Servers angemeldet. Betreiber haben keine eigenen Anlagen und können nicht für andere zustimmen. Melden Sie sich ab und als Person der Organisation an, oder geben Sie deren Zugangsdaten ein.",
    },
    tooManyAttempts: (wait) => `Zu viele Versuche. Versuchen Sie es ${wait ?? "später"} noch einmal.`,
  },
  review: {
    title: "Zugriff prüfen",
    lead: "Eine App möchte Ihre Anlagedaten verwenden. Sie entscheiden, was sie darf.",
    useDifferent: "Andere Zugangsdaten verwenden",
    limitedByRole: "Die App hat um mehr gebeten. Ihre Rolle begrenzt, was Sie erlauben können.",
    unknownScopes: "Die App hat auch um Berechtigungen gebeten, die es hier nicht gibt. Sie entfallen.",
    allowed: "Was sie darf",
    deletion: "Löschen",
    deletionHint: "Gelöschte Daten lassen sich nicht wiederherstellen. Erlauben Sie das nur, wenn die App es braucht.",
    whose: "Wessen Daten sie verwenden darf",
    allClients: "Alle Kunden",
    allClientsHint: "Auch solche, die Sie später hinzufügen.",
    someClients: "Nur einige Kunden",
    someClientsHint: "Von den anderen sieht sie nichts.",
    searchClients: "Kunden suchen",
    search: "Suchen",
    found: (total, shown) => {
      if (total === 0) return "Kein Kunde mit diesem Text im Namen oder Kundenzeichen.";
      if (total > shown)
        return `${shown} von ${total.toLocaleString("de")} Kunden werden angezeigt. Suchen Sie nach den übrigen.`;
      return `${total} gefunden.`;
    },
    approve: "Zustimmen",
    deny: "Ablehnen",
    foot: (address) =>
      html`Mit diesem Zugriff kann nichts gekauft, verkauft oder bezahlt werden. Sie können ihn jederzeit beenden: ${address}`,
    problems: {
      no_scope: "Wählen Sie mindestens eine Berechtigung, oder lehnen Sie ab.",
      no_client: "Wählen Sie mindestens einen Kunden, oder erlauben Sie alle Kunden.",
      client_gone: "Einen Kunden, den Sie gewählt haben, gibt es nicht mehr. Prüfen Sie unten, welche gewählt sind.",
      other_credentials:
        "Sie haben sich inzwischen mit anderen Zugangsdaten angemeldet. Prüfen Sie unten, um wessen Daten es geht, bevor Sie entscheiden.",
    },
    tooManyClients: (max) => `Wählen Sie höchstens ${max} Kunden, oder erlauben Sie alle Kunden.`,
  },
  permissions: {
    "connections:read": [
      "Verbundene Banken sehen",
      "Banken suchen und sehen, welche verbunden sind und ob ihre Daten aktuell sind.",
    ],
    "connections:write": [
      "Banken verbinden",
      "Eine Bank verbinden, eine Anmeldung erneuern und frische Daten anfordern. Bei der Bank melden Sie sich selbst an.",
    ],
    "connections:delete": [
      "Verbundene Banken löschen",
      "Eine verbundene Bank mit allen von ihr gelesenen Daten löschen.",
    ],
    "investments:read": ["Anlagen sehen", "Depots, Bestände, Werte und Umsätze bei allen verbundenen Banken lesen."],
    "letters:read": ["Vollmachten sehen", "Die Vollmachten an Banken suchen und sehen, wie weit jede ist."],
    "letters:write": [
      "Vollmachten einreichen und beenden",
      "Unterschriebene Vollmachten einreichen und laufende beenden.",
    ],
    "events:read": [
      "Ereignisse sehen",
      "Erfahren, wenn eine Bank verbunden ist oder eine Anmeldung braucht, wenn es neue Daten gibt und wie Vollmachten vorankommen.",
    ],
    "events:write": [
      "Neuigkeiten anderswohin senden",
      "Adressen im Internet bestimmen, an die dieser Server Ereignisse sendet.",
    ],
    "grants:manage": [
      "Alle Zugriffe verwalten",
      "Sehen, welche Apps und Programme die Daten Ihrer Organisation verwenden können, und diese Zugriffe beenden.",
    ],
  },
  unknownPermission: "Alles verwenden, was dieser Server unter diesem Namen anbietet.",
  notice: {
    next: "Weiter",
    returnToApp: "Zurück zur App",
    returnsTo: (address) => html`Der Link führt zu ${address}. Niemand hat diese App geprüft.`,
    forDeveloper: "Für die Entwickler der App",
    reference: (traceId) => html`Referenz: ${traceId}`,
    kinds: {
      bad_request: {
        title: "Diese Anfrage ist nicht verständlich",
        text: "Die App, die Sie hierher geführt hat, hat eine Anfrage gestellt, die dieser Server nicht versteht. Es wurde nichts weitergegeben.",
        next: "Gehen Sie zurück zur App und beginnen Sie von vorn. Wenn das nicht hilft, wenden Sie sich an den Hersteller der App.",
      },
      unknown_client: {
        title: "Dieser Server kennt die App nicht",
        text: "Die App, die Sie hierher geführt hat, ist bei diesem Server nicht oder nicht mehr registriert. Es wurde nichts weitergegeben.",
        next: "Entfernen Sie diesen Server aus der App und fügen Sie ihn wieder hinzu, damit sich die App neu registriert.",
      },
      client_unreachable: {
        title: "Die Beschreibung der App ist nicht erreichbar",
        text: "Die App weist sich mit einer Adresse im Internet aus, und dieser Server konnte sie nicht erreichen. Es wurde nichts weitergegeben.",
        next: "Sagen Sie dem Betreiber dieses Servers Bescheid. Den Server in der App neu hinzuzufügen hilft nicht, solange er diese Adresse nicht erreicht.",
      },
      bad_redirect: {
        title: "Die Antwort kann nicht an diese App gehen",
        text: "Die App wollte die Antwort an eine Adresse, die sie nicht registriert hat. Sie wurden nicht dorthin geleitet, und es wurde nichts weitergegeben.",
        next: "Schließen Sie diese Seite. Wenn Sie der App vertrauen, melden Sie es ihrem Hersteller.",
      },
      expired: {
        title: "Die Zeit ist abgelaufen",
        text: "Eine Anfrage muss innerhalb von 10 Minuten beantwortet werden. Es wurde nichts weitergegeben.",
        next: "Beginnen Sie in der App von vorn.",
      },
      answered: {
        title: "Sie haben schon geantwortet",
        text: "Jeder Anfrage kann man nur einmal zustimmen oder sie einmal ablehnen. Diese Seite ändert nichts an der Antwort.",
        next: "Gehen Sie zurück zur App. Wenn sie keinen Zugriff hat, beginnen Sie dort von vorn.",
      },
      other_browser: {
        title: "Diese Seite gehört zu einem anderen Browser",
        text: "Sie wurde in einem anderen Browser geöffnet, oder dieser speichert für diese Website keine Cookies. Es wurde nichts weitergegeben.",
        next: "Erlauben Sie Cookies für diese Website, und beginnen Sie dann in diesem Browser von der App aus neu.",
      },
      cancelled: {
        title: "Sie haben abgebrochen",
        text: "Es wurde nichts weitergegeben. Die App, die Sie hierher geführt hat, wartet vielleicht noch auf eine Antwort.",
        next: "Sie können diese Seite schließen.",
      },
      too_large: {
        title: "Das ist zu viel Text",
        text: "Das Formular ist größer, als dieser Server annimmt. Es wurde nichts weitergegeben.",
        next: "Gehen Sie zurück und geben Sie weniger Text ein, oder beginnen Sie in der App von vorn.",
      },
      busy: {
        title: "Der Server ist ausgelastet",
        text: "Dieser Server muss die App, die Sie hierher geführt hat, erst nachschlagen und hat gerade zu viele solche Abfragen. Es wurde nichts weitergegeben.",
        next: "Warten Sie eine Minute, und beginnen Sie dann in der App von vorn.",
      },
      away: {
        title: "Einen Moment, bitte",
        text: "Dieser Server erreicht seine Datenbank gerade nicht. Es ging nichts verloren, und es wurde nichts weitergegeben.",
        next: "Diese Seite versucht es von selbst noch einmal. Wenn Sie ein Formular abgeschickt haben, gehen Sie zurück und schicken Sie es noch einmal ab.",
      },
      defect: {
        title: "Bei uns ist etwas schiefgegangen",
        text: "Die Anfrage konnte nicht abgeschlossen werden.",
        next: "Beginnen Sie in der App von vorn. Wenn es wieder geschieht, nennen Sie dem Betreiber dieses Servers die Referenz unten.",
      },
    },
  },
  grants: {
    title: "Zugriffe auf Ihre Anlagen",
    ended: "Der Zugriff ist beendet.",
    ofTenant:
      "Diese Apps und Programme können zurzeit die Daten Ihrer Organisation verwenden. Jede Nutzung verlängert den Zugriff. Wenn Sie ihn beenden, endet er innerhalb von Sekunden.",
    ofPerson:
      "Diesen Apps haben Sie erlaubt, die Daten Ihrer Organisation zu verwenden. Jede Nutzung verlängert den Zugriff. Wenn Sie ihn beenden, endet er innerhalb von Sekunden.",
    ofCredentials:
      "Diese Apps und Programme können zurzeit mit den Zugangsdaten unten Ihre Daten verwenden. Jede Nutzung verlängert den Zugriff. Wenn Sie ihn beenden, endet er innerhalb von Sekunden.",
    signOut: "Abmelden",
    more: "Mehr anzeigen",
    all: "Alle Apps und Programme anzeigen",
    nobody: "Niemand hat Zugriff",
    nobodyHint: "Hier stehen die Apps, denen Sie zustimmen.",
    flows: {
      browser: "Im Browser erlaubt",
      machine: "Mit einem Geheimnis angemeldet",
      asserted: "Über Ihren Identitätsanbieter angemeldet",
    },
    times: (count) => `${count}-mal`,
    each: (app) => html`Einzeln anzeigen<span class="spoken">: ${app}</span>`,
    permissions: "Berechtigungen",
    whose: "Wessen Daten",
    clientsGone: "Von niemandem: Die Kunden, für die er galt, gibt es nicht mehr",
    onlyOf: (clients, others) => html`Nur von ${clients}${others > 0 && ` und ${others} weiteren`}`,
    since: "Seit",
    lastUsed: "Zuletzt verwendet",
    validUntil: "Gültig bis",
    end: (app, count) =>
      html`${count > 1 ? "Alle Zugriffe beenden" : "Zugriff beenden"}<span class="spoken">: ${app}</span>`,
  },
};
