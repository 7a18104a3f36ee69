import type { Messages } from "./messages.js";

export const german: Messages = {
  continue: "Weiter",
  cancel: "Abbrechen",
  cancelQuestion: "Möchten Sie abbrechen?",
  cancelText: {
    connect: "Es wird nichts verbunden, und dieser Link funktioniert danach nicht mehr.",
    renew: "Ihre Verbindung wird nicht erneuert, und dieser Link funktioniert danach nicht mehr.",
  },
  cancelYes: "Ja, abbrechen",
  cancelNo: "Nein, fortfahren",
  language: "Sprache",
  chooseAnotherBank: "Andere Bank wählen",
  errorPrefix: "Fehler",
  errorHeading: "Es gibt ein Problem",
  backToPage: "Zurück zur Seite",
  reference: (traceId) => `Referenz: ${traceId}`,

  landingTitle: "Verbinden Sie Ihre Bank",
  landingTitleOf: (bank) => `Verbinden Sie ${bank}`,
  renewTitleOf: (bank) => `Erneuern Sie Ihre Verbindung zu ${bank}`,
  landingText: (requester) =>
    `${requester} bittet um Ihre Anlagedaten. Sie melden sich gleich bei Ihrer Bank an, damit wir die Daten abrufen und weitergeben können.`,
  renewText: (requester) =>
    `Melden Sie sich noch einmal bei Ihrer Bank an, damit ${requester} weiterhin aktuelle Anlagedaten erhält. Verwenden Sie dieselben Zugangsdaten wie beim letzten Mal.`,
  landingSteps: ["Melden Sie sich wie gewohnt an", "Bestätigen Sie Ihre Identität, falls Ihre Bank es verlangt"],
  privacyHeading: "Ihre Daten",
  defaultPrivacyNotice: (requester) =>
    `Wir rufen Ihre Depots, Bestände und Umsätze bei Ihrer Bank ab und stellen sie ${requester} zur Verfügung. Was Sie ` +
    "eingeben, dient nur diesem Zweck; was für spätere Aktualisierungen nötig ist, wird verschlüsselt gespeichert.",
  rights: {
    unstated: "Wir lesen nur: Wir kaufen, verkaufen und bezahlen nichts.",
    read: "Mit diesem Zugang kann nichts gekauft, verkauft oder bezahlt werden.",
    trade:
      "Mit diesem Zugang könnte auch gehandelt werden. Wir lesen damit nur: Wir kaufen, verkaufen und bezahlen nichts.",
  },
  holdingsRead: {
    daily: "Bestände, täglich aktualisiert",
    weekly: "Bestände, wöchentlich aktualisiert",
    monthly: "Bestände, monatlich aktualisiert",
  },
  transactionsRead: (count, unit) => {
    if (unit === "days") return `Umsätze der letzten ${count} Tage`;
    return count === 1 ? "Umsätze des letzten Jahres" : `Umsätze der letzten ${count} Jahre`;
  },
  allTransactionsRead: "Umsätze, so weit sie bei Ihrer Bank zurückreichen",
  updatesByLogin:
    "Diese Bank beendet den Zugang bald nach der Anmeldung: Für neuere Daten werden Sie gebeten, sich noch einmal anzumelden",
  privacyPolicy: "Datenschutzerklärung",
  opensNewTab: "(öffnet sich in einem neuen Tab)",
  requestedBy: (requester) => `Daten angefordert von ${requester}`,
  questions: "Fragen?",

  bankTitle: "Wählen Sie Ihre Bank",
  bankSearch: "Name der Bank",
  bankCountry: "Land",
  allCountries: "Alle Länder",
  search: "Suchen",
  banksFound: (count) => (count === 1 ? "1 Bank" : `${count.toLocaleString("de")} Banken`),
  noBanks: "Keine Bank gefunden. Versuchen Sie es mit einem kürzeren Namen oder einem anderen Land.",
  bankList: "Banken",
  pagesLabel: "Seiten der Liste",
  pageOf: (page, pages) => `Seite ${page} von ${pages}`,
  previousPage: "Vorige Seite",
  nextPage: "Nächste Seite",
  bankRefused: "Diese Bank kann hier nicht ausgewählt werden. Wählen Sie eine aus der Liste.",
  byLetter: "Per Brief",
  wayTitle: {
    letter: "Per Brief",
    key: "Mit einem Schlüssel, den Sie bei der Bank erstellen",
    login: "Mit Ihren Zugangsdaten, hier eingegeben",
    redirect: "Anmeldung auf der Seite der Bank",
  },
  wayThrough: (company) => `Über ${company}`,
  readThrough: (company) => `${company} liest Ihre Daten bei der Bank und gibt sie weiter`,
  waysToConnect: (count) => `${count} Wege zur Verbindung`,
  byLetterText: (requester) =>
    "Bei dieser Bank melden Sie sich nicht hier an. Sie sendet uns Ihre Daten, sobald ihr eine von Ihnen unterschriebene " +
    `Ermächtigung vorliegt. Fordern Sie den Brief bei ${requester} an, unterschreiben Sie ihn und senden Sie ihn zurück. Auf ` +
    "dieser Seite ist nichts weiter zu tun.",
  moreBanks: "Weitere Banken anzeigen",
  listKeys: "Mit den Pfeiltasten bewegen Sie sich durch die Liste.",

  credentialsTitle: (bank) => `Anmeldung bei ${bank}`,
  credentialsText: "Verwenden Sie dieselben Zugangsdaten wie im Online-Banking.",
  detailsText: "Geben Sie hier ein, was Ihre Bank verlangt.",
  loginElsewhere: "Sie melden sich auf der Seite Ihrer Bank an.",
  username: "Benutzername",
  password: "Passwort",
  enterUsername: "Geben Sie Ihren Benutzernamen ein",
  enterPassword: "Geben Sie Ihr Passwort ein",
  enterField: (label) => `Füllen Sie „${label}“ aus`,
  chooseField: (label) => `Wählen Sie bei „${label}“ etwas aus`,
  unlikelyValue: (label) => `„${label}“ scheint nicht zu stimmen. Prüfen Sie Ihre Eingabe`,
  unusableValue: "Das ist zu lang oder enthält unzulässige Zeichen",
  optional: (label) => `${label} (freiwillig)`,
  chooseOne: "Bitte wählen",
  showPassword: "Passwort anzeigen",
  showSecret: (label) => `„${label}“ anzeigen`,
  rejectedCredentials: "Ihre Bank hat Benutzername oder Passwort nicht akzeptiert.",
  rejectedDetails: "Ihre Bank hat diese Angaben nicht akzeptiert.",
  rejectedAnswer: "Ihre Bank hat diese Bestätigung nicht akzeptiert.",
  otherLogin:
    "Das ist ein anderer Zugang als der, mit dem diese Verbindung eingerichtet wurde. Bitte verwenden Sie den ursprünglichen. " +
    "Um auch diesen Zugang zu verbinden, fordern Sie dort, wo Sie begonnen haben, einen neuen Link an.",
  attemptsLeft: (count) => (count === 1 ? "Sie haben noch 1 Versuch." : `Sie haben noch ${count} Versuche.`),
  cutOff:
    "Die Anmeldung wurde auf unserer Seite unterbrochen. Bitte melden Sie sich noch einmal an. Das zählt nicht als Versuch.",

  processingTitle: "Einen Augenblick",
  processingText: "Wir warten auf Ihre Bank. Danach geht es automatisch weiter.",
  checkNow: "Jetzt prüfen",
  processingLonger: "Manche Banken brauchen ein bis zwei Minuten. Bitte lassen Sie diese Seite offen.",

  challengeTitle: "Bestätigen Sie Ihre Identität",
  challengeText: {
    sms: "Ihre Bank hat Ihnen eine SMS geschickt. Geben Sie den Code daraus ein.",
    code: "Ihre Bank verlangt einen Code. Geben Sie ihn hier ein.",
    app: "Geben Sie die Anmeldung in der App Ihrer Bank frei und tippen Sie dann auf „Weiter“.",
    qr: "Scannen Sie dieses Bild mit der App Ihrer Bank, geben Sie die Anmeldung dort frei und tippen Sie dann auf „Weiter“.",
    card: "Ihre Bank verlangt eine Zahl von Ihrer Codekarte. Geben Sie sie hier ein.",
  },
  bankSays: "Nachricht Ihrer Bank",
  answer: "Code",
  enterAnswer: "Geben Sie den Code ein",
  qrLabel: "QR-Code zum Scannen mit der App Ihrer Bank",
  qrAsText: "Scannen nicht möglich? Code als Text anzeigen",
  newestCode: "Den neuesten Code anzeigen",

  askTitle: "Eine Frage Ihrer Bank",
  askText: "Ihre Bank muss das wissen, bevor es weitergeht.",
  redirectTitle: "Melden Sie sich auf der Seite Ihrer Bank an",
  redirectText: (host) => `Sie kommen jetzt zu ${host}.`,
  redirectSteps: [
    "Melden Sie sich dort wie gewohnt an",
    "Stimmen Sie der Weitergabe Ihrer Daten zu",
    "Sie kehren automatisch auf diese Seite zurück",
  ],
  sameBrowser: "Bleiben Sie in diesem Browser. In einem anderen lässt sich die Verbindung nicht abschließen.",
  goToBank: "Zur Bank",
  goToBankAgain: "Noch einmal zur Bank",
  declined: "Sie haben auf der Seite Ihrer Bank nicht zugestimmt oder sind dort umgekehrt.",
  restart: "Anmeldung neu beginnen",

  howToTitle: "Hier erzeugen Sie den Schlüssel",
  withKey: {
    landingText: (requester) =>
      `${requester} bittet um Ihre Anlagedaten. Wir rufen sie mit einem Schlüssel ab, den Sie bei Ihrer Bank erzeugen und hier eingeben, und geben sie weiter.`,
    renewText: (requester) =>
      `Erzeugen Sie bei Ihrer Bank einen neuen Schlüssel für dasselbe Konto und geben Sie ihn hier ein, damit ${requester} weiterhin aktuelle Anlagedaten erhält.`,
    landingSteps: ["Erzeugen Sie bei Ihrer Bank einen Schlüssel", "Geben Sie ihn hier ein"],
    rights: {
      unstated: "Wir lesen nur: Wir kaufen, verkaufen und bezahlen nichts.",
      read: "Ein Schlüssel, der nur lesen darf, genügt uns. Mit ihm kann nichts gekauft, verkauft oder bezahlt werden.",
      trade:
        "Mit einem Schlüssel dieser Bank könnte auch gehandelt werden. Wir lesen damit nur: Wir kaufen, verkaufen und bezahlen nichts.",
    },
    credentialsTitle: (bank) => `Ihr Schlüssel für ${bank}`,
    detailsText: "Geben Sie den Schlüssel ein, den Sie bei Ihrer Bank erzeugt haben. Es ist nicht Ihr Passwort.",
    rejectedDetails: "Ihre Bank hat diesen Schlüssel nicht akzeptiert. Prüfen Sie ihn oder erzeugen Sie einen neuen.",
    otherLogin:
      "Dieser Schlüssel gehört zu einem anderen Konto als dem, mit dem diese Verbindung eingerichtet wurde. Bitte erzeugen Sie einen für das ursprüngliche Konto. Um auch dieses Konto zu verbinden, fordern Sie dort, wo Sie begonnen haben, einen neuen Link an.",
    cutOff:
      "Der Vorgang wurde auf unserer Seite unterbrochen. Bitte geben Sie Ihren Schlüssel noch einmal ein. Das zählt nicht als Versuch.",
    noAccounts: {
      title: "Verbunden, keine Depots gefunden",
      text: "Ihre Bank hat den Schlüssel akzeptiert, zeigt dafür aber keine Depots. Wenn Sie dort ein anderes Konto haben, fordern Sie dort, wo Sie begonnen haben, einen neuen Link an und erzeugen Sie einen Schlüssel für dieses Konto. Depots, die Sie später eröffnen, werden automatisch gefunden.",
    },
    otherLoginEnd: {
      title: "Dieser Schlüssel gehört zu einem anderen Konto",
      text: "Ihre Bank hat den Schlüssel akzeptiert, aber diese Verbindung wurde mit einem anderen Konto eingerichtet. Sie wurde nicht erneuert. Fordern Sie dort, wo Sie begonnen haben, einen neuen Link an und erzeugen Sie einen Schlüssel für das ursprüngliche Konto.",
    },
    failed: {
      InvalidCredentials: {
        title: "Der Schlüssel wurde nicht akzeptiert",
        text: "Erzeugen Sie bei Ihrer Bank einen neuen Schlüssel und fordern Sie dort, wo Sie begonnen haben, einen neuen Link an.",
      },
      AlreadyExists: {
        title: "Dieses Konto ist schon verbunden",
        text: "Sie müssen nichts weiter tun. Die bestehende Verbindung funktioniert weiterhin.",
      },
    },
  },

  done: { title: "Ihre Bank ist verbunden", text: "Ihre Daten wurden abgerufen und stehen bereit." },
  renewed: { title: "Ihre Verbindung ist erneuert", text: "Ihre Daten wurden neu abgerufen und sind aktuell." },
  noAccounts: {
    title: "Verbunden, keine Depots gefunden",
    text: "Ihre Bank hat die Anmeldung angenommen, zeigt für diesen Zugang aber keine Depots. Wenn Sie dort einen anderen Zugang haben, fordern Sie dort, wo Sie begonnen haben, einen neuen Link an und verwenden Sie diesen Zugang. Depots, die Sie später eröffnen, werden automatisch gefunden.",
  },
  dataPending: {
    connect: {
      title: "Ihre Bank ist verbunden",
      text: "Ihre Bank stellt Ihre Daten noch zusammen. Sobald sie damit fertig ist, stehen die Daten bereit. Sie müssen nichts weiter tun.",
    },
    renew: {
      title: "Ihre Verbindung ist erneuert",
      text: "Ihre Bank stellt Ihre aktuellen Daten noch zusammen. Sobald sie damit fertig ist, stehen die Daten bereit. Sie müssen nichts weiter tun.",
    },
  },
  dataIncomplete:
    "Ein Teil Ihrer Daten konnte bei Ihrer Bank nicht gelesen werden. Er wird bei der nächsten Aktualisierung ergänzt. Sie müssen nichts weiter tun.",
  expired: {
    title: "Die Zeit ist abgelaufen",
    text: "Die Verbindung wurde nicht rechtzeitig abgeschlossen. Es wurde nichts verbunden. Fordern Sie dort, wo Sie begonnen haben, einen neuen Link an.",
  },
  aborted: {
    title: "Sie haben abgebrochen",
    text: "Es wurde nichts verbunden. Für einen neuen Versuch fordern Sie dort, wo Sie begonnen haben, einen neuen Link an.",
  },
  failed: {
    InvalidCredentials: {
      title: "Die Anmeldung ist fehlgeschlagen",
      text: "Ihre Bank hat Benutzername oder Passwort nicht akzeptiert. Prüfen Sie beide auf der Website Ihrer Bank und fordern Sie dort, wo Sie begonnen haben, einen neuen Link an.",
    },
    InvalidChallengeResponse: {
      title: "Die Bestätigung ist fehlgeschlagen",
      text: "Ihre Bank hat die Bestätigung nicht akzeptiert. Fordern Sie dort, wo Sie begonnen haben, einen neuen Link an und versuchen Sie es noch einmal.",
    },
    UnsupportedChallengeMethod: {
      title: "Diese Art der Bestätigung wird nicht unterstützt",
      text: "Ihre Bank verlangt eine Art der Bestätigung, die hier nicht möglich ist. Wenn sie eine andere anbietet, etwa per App oder SMS, stellen Sie das bei Ihrer Bank um und fordern Sie einen neuen Link an.",
    },
    UserInteractionNeeded: {
      title: "Ihre Bank braucht zuerst etwas von Ihnen",
      text: "Melden Sie sich auf der Website oder in der App Ihrer Bank an und erledigen Sie, was sie dort verlangt. Fordern Sie danach dort, wo Sie begonnen haben, einen neuen Link an.",
    },
    AlreadyExists: {
      title: "Dieser Zugang ist schon verbunden",
      text: "Sie müssen nichts weiter tun. Die bestehende Verbindung funktioniert weiterhin.",
    },
    AbortedByUser: {
      title: "Sie haben abgebrochen",
      text: "Es wurde nichts verbunden. Für einen neuen Versuch fordern Sie dort, wo Sie begonnen haben, einen neuen Link an.",
    },
    SessionExpired: {
      title: "Die Zeit ist abgelaufen",
      text: "Die Verbindung wurde nicht rechtzeitig abgeschlossen. Es wurde nichts verbunden. Fordern Sie dort, wo Sie begonnen haben, einen neuen Link an.",
    },
    InternalError: {
      title: "Das hat nicht geklappt",
      text: "Ihre Bank war nicht erreichbar oder hat mit einem Fehler geantwortet. Es wurde nichts verbunden. Fordern Sie dort, wo Sie begonnen haben, einen neuen Link an und versuchen Sie es später noch einmal.",
    },
  },
  otherLoginEnd: {
    title: "Das war ein anderer Zugang",
    text: "Ihre Bank hat die Anmeldung angenommen, aber diese Verbindung wurde mit einem anderen Zugang eingerichtet. Sie wurde nicht erneuert. Fordern Sie dort, wo Sie begonnen haben, einen neuen Link an und verwenden Sie den ursprünglichen Zugang.",
  },
  notRenewed: {
    expired:
      "Die Anmeldung wurde nicht rechtzeitig abgeschlossen. Ihre Verbindung wurde nicht erneuert. Fordern Sie dort, wo Sie begonnen haben, einen neuen Link an.",
    aborted:
      "Ihre Verbindung wurde nicht erneuert. Für einen neuen Versuch fordern Sie dort, wo Sie begonnen haben, einen neuen Link an.",
    failed:
      "Ihre Bank war nicht erreichbar oder hat mit einem Fehler geantwortet. Ihre Verbindung wurde nicht erneuert. Fordern Sie dort, wo Sie begonnen haben, einen neuen Link an und versuchen Sie es später noch einmal.",
  },
  closePage: "Sie können diese Seite schließen.",
  leadingBack: "Sie werden jetzt dorthin zurückgeleitet, wo Sie begonnen haben.",
  goBackNow: "Jetzt zurück",
  unreachable: "Im Moment besteht keine Verbindung. Diese Seite versucht es automatisch erneut.",
  tryAgain: "Erneut versuchen",

  taken: {
    title: "Dieser Link ist hier nicht mehr gültig",
    text: "Ein Link funktioniert nur einmal, in einem einzigen Browser und für begrenzte Zeit. Wenn Sie in einem anderen Browser begonnen haben, machen Sie dort weiter. Fordern Sie andernfalls dort, wo Sie diesen Link bekommen haben, einen neuen an.",
  },
  unknownLink: {
    title: "Diesen Link gibt es nicht",
    text: "Vielleicht ist er unvollständig oder zu alt. Öffnen Sie ihn noch einmal dort, wo Sie ihn bekommen haben, oder fordern Sie einen neuen an.",
  },
  callbackElsewhere: {
    title: "Machen Sie dort weiter, wo Sie begonnen haben",
    text: "Sie sind von Ihrer Bank in einem anderen Browser zurückgekommen als dem, in dem Sie begonnen haben. Deshalb wurde nichts weitergegeben. Kehren Sie in das Fenster zurück, in dem Sie begonnen haben. Von dort können Sie noch einmal zu Ihrer Bank gehen.",
  },
  callbackUnknown: {
    title: "Dieser Rückweg ist nicht gültig",
    text: "Wir kennen die Adresse nicht, die Sie hierher geführt hat, oder sie wurde durch eine neuere ersetzt. Kehren Sie in das Fenster zurück, in dem Sie begonnen haben. Gibt es keines, fordern Sie dort, wo Sie den ersten Link bekommen haben, einen neuen an.",
  },
  forbidden: {
    title: "Dieses Formular ist nicht mehr gültig",
    text: "Es wurde nicht von einer Seite gesendet, die in diesem Browser geöffnet ist, oder Ihr Browser blockiert Cookies. Erlauben Sie Cookies für diese Website, gehen Sie zurück zur Seite und versuchen Sie es noch einmal.",
  },
  badRequest: {
    title: "Diese Anfrage konnte nicht verarbeitet werden",
    text: "Gehen Sie zurück zur Seite und versuchen Sie es noch einmal.",
  },
  tooLarge: { title: "Das ist zu viel Text", text: "Gehen Sie zurück zur Seite und geben Sie weniger ein." },
  tooMany: {
    title: "Zu viele Versuche",
    text: "Warten Sie einige Minuten, gehen Sie dann zurück zur Seite und versuchen Sie es noch einmal.",
  },
  away: {
    title: "Einen Augenblick bitte",
    text: "Unsere Daten sind gerade nicht erreichbar. Diese Seite versucht es automatisch erneut.",
  },
  defect: {
    title: "Bei uns ist etwas schiefgegangen",
    text: "Gehen Sie zurück zur Seite und versuchen Sie es noch einmal. Tritt das Problem erneut auf, wenden Sie sich an den Anbieter, der Sie hierher geführt hat, und nennen Sie die Referenz.",
  },
};
