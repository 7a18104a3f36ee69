import type { Messages } from "./messages.js";

export const german: Messages = {
  continue: "Weiter",
  cancel: "Abbrechen",
  chooseAnotherBank: "Andere Bank wählen",
  errorPrefix: "Fehler",
  errorHeading: "Es gibt ein Problem",
  backToPage: "Zurück zur Seite",
  reference: (traceId) => `Referenz: ${traceId}`,

  landingTitle: "Verbinden Sie Ihre Bank",
  landingTitleOf: (bank) => `Verbinden Sie ${bank}`,
  landingText: "Sie melden sich gleich bei Ihrer Bank an, damit Ihre Anlagedaten gelesen werden können.",
  landingSteps: ["Melden Sie sich dort an wie gewohnt", "Bestätigen Sie Ihre Identität, falls Ihre Bank es verlangt"],
  privacyHeading: "Ihre Daten",
  defaultPrivacyNotice:
    "Ihre Depots, Bestände und Umsätze werden bei Ihrer Bank gelesen und dem Programm zur Verfügung gestellt, das Sie " +
    "hierher geschickt hat. Ihr Passwort dient nur der Anmeldung; was spätere Aktualisierungen brauchen, wird " +
    "verschlüsselt gespeichert. Mit diesem Zugang kann nichts gekauft, verkauft oder bezahlt werden.",

  bankTitle: "Wählen Sie Ihre Bank",
  bankSearch: "Name der Bank",
  bankCountry: "Land",
  allCountries: "Alle Länder",
  search: "Suchen",
  banksFound: (count) => (count === 1 ? "1 Bank" : `${count.toLocaleString("de")} Banken`),
  noBanks: "Keine Bank passt dazu. Versuchen Sie einen kürzeren Namen oder ein anderes Land.",
  bankList: "Banken",
  pagesLabel: "Seiten der Liste",
  pageOf: (page, pages) => `Seite ${page} von ${pages}`,
  previousPage: "Vorige Seite",
  nextPage: "Nächste Seite",
  bankRefused: "Diese Bank kann hier nicht gewählt werden. Wählen Sie eine aus der Liste.",
  moreBanks: "Mehr Banken zeigen",
  listKeys: "Die Pfeiltasten führen durch die Liste.",

  credentialsTitle: (bank) => `Anmelden bei ${bank}`,
  credentialsText: "Verwenden Sie dieselben Angaben wie im Online-Banking Ihrer Bank.",
  username: "Benutzername",
  password: "Passwort",
  enterUsername: "Geben Sie Ihren Benutzernamen ein",
  enterPassword: "Geben Sie Ihr Passwort ein",
  unusableValue: "Das ist zu lang oder enthält Zeichen, die nicht verwendet werden können",
  showPassword: "Passwort zeigen",
  rejectedCredentials: "Ihre Bank hat Benutzername oder Passwort nicht angenommen.",
  rejectedAnswer: "Ihre Bank hat diese Bestätigung nicht angenommen.",
  attemptsLeft: (count) => (count === 1 ? "Sie haben noch 1 Versuch." : `Sie haben noch ${count} Versuche.`),

  processingTitle: "Einen Augenblick",
  processingText: "Ihre Bank wird gefragt. Diese Seite geht von selbst weiter.",
  checkNow: "Jetzt nachsehen",
  processingLonger: "Manche Banken brauchen ein bis zwei Minuten. Bitte lassen Sie diese Seite offen.",

  challengeTitle: "Bestätigen Sie, dass Sie es sind",
  challengeText: {
    sms: "Ihre Bank hat Ihnen eine SMS geschickt. Geben Sie den Code daraus ein.",
    code: "Ihre Bank fragt nach einem Code. Geben Sie ihn hier ein.",
    app: "Geben Sie die Anmeldung in der App Ihrer Bank frei und drücken Sie dann auf Weiter.",
    qr: "Scannen Sie dieses Bild mit der App Ihrer Bank, geben Sie die Anmeldung dort frei und drücken Sie dann auf Weiter.",
    card: "Ihre Bank fragt nach einer Zahl von Ihrer Codekarte. Geben Sie sie hier ein.",
  },
  bankSays: "Nachricht Ihrer Bank",
  answer: "Code",
  enterAnswer: "Geben Sie den Code ein",
  qrLabel: "QR-Code zum Scannen mit der App Ihrer Bank",
  qrAsText: "Sie können ihn nicht scannen? Das ist sein Inhalt",
  newestCode: "Den neuesten Code anzeigen",

  done: { title: "Ihre Bank ist verbunden", text: "Ihre Daten wurden gelesen und stehen bereit." },
  expired: {
    title: "Die Zeit ist abgelaufen",
    text: "Die Verbindung wurde nicht rechtzeitig fertiggestellt. Es wurde nichts verbunden. Fordern Sie dort, wo Sie begonnen haben, einen neuen Link an.",
  },
  aborted: {
    title: "Sie haben abgebrochen",
    text: "Es wurde nichts verbunden. Für einen neuen Versuch fordern Sie dort, wo Sie begonnen haben, einen neuen Link an.",
  },
  failed: {
    InvalidCredentials: {
      title: "Die Anmeldung ist fehlgeschlagen",
      text: "Ihre Bank hat Benutzername oder Passwort nicht angenommen. Prüfen Sie beide auf der Website Ihrer Bank und fordern Sie dort, wo Sie begonnen haben, einen neuen Link an.",
    },
    InvalidChallengeResponse: {
      title: "Die Bestätigung ist fehlgeschlagen",
      text: "Ihre Bank hat die Bestätigung nicht angenommen. Fordern Sie dort, wo Sie begonnen haben, einen neuen Link an und versuchen Sie es noch einmal.",
    },
    UnsupportedChallengeMethod: {
      title: "Diese Art der Bestätigung wird nicht unterstützt",
      text: "Ihre Bank verlangt eine Bestätigung, die hier nicht gegeben werden kann. Bietet sie eine andere an, etwa eine App oder SMS, dann stellen Sie dort um und fordern Sie einen neuen Link an.",
    },
    UserInteractionNeeded: {
      title: "Ihre Bank braucht Sie zuerst",
      text: "Melden Sie sich auf der Website oder in der App Ihrer Bank an und erledigen Sie, was sie dort verlangt. Fordern Sie danach dort, wo Sie begonnen haben, einen neuen Link an.",
    },
    AlreadyExists: {
      title: "Dieser Zugang ist schon verbunden",
      text: "Es ist nichts weiter zu tun: die bestehende Verbindung arbeitet weiter.",
    },
    AbortedByUser: {
      title: "Sie haben abgebrochen",
      text: "Es wurde nichts verbunden. Für einen neuen Versuch fordern Sie dort, wo Sie begonnen haben, einen neuen Link an.",
    },
    SessionExpired: {
      title: "Die Zeit ist abgelaufen",
      text: "Die Verbindung wurde nicht rechtzeitig fertiggestellt. Es wurde nichts verbunden. Fordern Sie dort, wo Sie begonnen haben, einen neuen Link an.",
    },
    InternalError: {
      title: "Das hat nicht geklappt",
      text: "Ihre Bank war nicht erreichbar oder hat mit einem Fehler geantwortet. Es wurde nichts verbunden. Fordern Sie dort, wo Sie begonnen haben, einen neuen Link an und versuchen Sie es später noch einmal.",
    },
  },
  closePage: "Sie können diese Seite schließen.",
  leadingBack: "Sie kommen jetzt zurück, wo Sie begonnen haben.",
  goBackNow: "Jetzt zurück",
  unreachable: "Im Moment gibt es keine Verbindung. Diese Seite versucht es von selbst wieder.",
  tryAgain: "Erneut versuchen",

  taken: {
    title: "Dieser Link gilt hier nicht mehr",
    text: "Er gilt in einem einzigen Browser, nur einmal und nur für begrenzte Zeit. Haben Sie in einem anderen Browser begonnen, dann machen Sie dort weiter. Sonst fordern Sie dort, wo Sie ihn bekommen haben, einen neuen an.",
  },
  unknownLink: {
    title: "Diesen Link gibt es nicht",
    text: "Vielleicht ist er unvollständig oder zu alt. Öffnen Sie ihn noch einmal dort, wo Sie ihn bekommen haben, oder fordern Sie einen neuen an.",
  },
  forbidden: {
    title: "Dieses Formular gilt nicht mehr",
    text: "Es kam nicht von der eigenen Seite dieses Browsers, oder Ihr Browser nimmt keine Cookies an. Erlauben Sie Cookies für diese Website, gehen Sie zurück zur Seite und versuchen Sie es noch einmal.",
  },
  badRequest: {
    title: "Diese Anfrage ist nicht lesbar",
    text: "Gehen Sie zurück zur Seite und versuchen Sie es noch einmal.",
  },
  tooLarge: { title: "Das ist zu viel Text", text: "Gehen Sie zurück zur Seite und geben Sie weniger ein." },
  tooMany: {
    title: "Zu viele Versuche",
    text: "Warten Sie einige Minuten, gehen Sie dann zurück zur Seite und versuchen Sie es noch einmal.",
  },
  defect: {
    title: "Auf unserer Seite ist etwas schiefgegangen",
    text: "Gehen Sie zurück zur Seite und versuchen Sie es noch einmal. Wiederholt es sich, dann sagen Sie denen Bescheid, die Sie hierher geschickt haben, und nennen Sie die Referenz.",
  },
};
