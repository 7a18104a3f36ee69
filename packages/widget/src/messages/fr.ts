import type { Messages } from "./messages.js";

export const french: Messages = {
  continue: "Continuer",
  cancel: "Annuler",
  cancelQuestion: "Voulez-vous annuler ?",
  cancelText: {
    connect: "Rien ne sera connecté et ce lien ne fonctionnera plus.",
    renew: "Votre connexion ne sera pas renouvelée et ce lien ne fonctionnera plus.",
  },
  cancelYes: "Oui, annuler",
  cancelNo: "Non, continuer",
  language: "Langue",
  chooseAnotherBank: "Choisir une autre banque",
  errorPrefix: "Erreur",
  errorHeading: "Il y a un problème",
  backToPage: "Revenir à la page",
  reference: (traceId) => `Référence : ${traceId}`,

  landingTitle: "Connectez votre banque",
  landingTitleOf: (bank) => `Connectez ${bank}`,
  renewTitleOf: (bank) => `Renouvelez votre connexion à ${bank}`,
  landingText: (requester) =>
    `${requester} souhaite recevoir vos données d’investissement. Vous allez vous connecter à votre banque pour que nous puissions les lire et les lui transmettre.`,
  renewText: (requester) =>
    `Connectez-vous de nouveau à votre banque : ${requester} continuera ainsi de recevoir vos données d’investissement à jour. Utilisez les mêmes identifiants que la dernière fois.`,
  landingSteps: [
    "Connectez-vous avec vos identifiants habituels",
    "Confirmez votre identité, si votre banque le demande",
  ],
  privacyHeading: "Vos données",
  defaultPrivacyNotice: (requester) =>
    `Nous lisons vos portefeuilles, positions et opérations auprès de votre banque et les transmettons à ${requester}. Ce que ` +
    "vous saisissez ne sert qu’à cela ; ce qui est nécessaire aux mises à jour ultérieures est conservé chiffré.",
  rights: {
    unstated: "Nous ne faisons que lire : aucun achat, aucune vente, aucun paiement.",
    read: "Cet accès ne permet ni achat, ni vente, ni paiement.",
    trade:
      "Cet accès permettrait aussi de passer des ordres. Nous ne faisons que lire : aucun achat, aucune vente, aucun paiement.",
  },
  holdingsRead: {
    daily: "Positions, mises à jour chaque jour",
    weekly: "Positions, mises à jour chaque semaine",
    monthly: "Positions, mises à jour chaque mois",
  },
  transactionsRead: (count, unit) => {
    if (unit === "days") return `Opérations des ${count} derniers jours`;
    return count === 1 ? "Opérations des 12 derniers mois" : `Opérations des ${count} dernières années`;
  },
  allTransactionsRead: "Opérations, aussi loin que remonte l’historique de votre banque",
  updatesByLogin:
    "Cette banque met fin à l’accès peu après la connexion : pour des données plus récentes, il vous sera demandé de vous connecter à nouveau",
  privacyPolicy: "Politique de confidentialité",
  opensNewTab: "(s’ouvre dans un nouvel onglet)",
  requestedBy: (requester) => `Données demandées par ${requester}`,
  questions: "Des questions ?",

  bankTitle: "Choisissez votre banque",
  bankSearch: "Nom de la banque",
  bankCountry: "Pays",
  allCountries: "Tous les pays",
  search: "Rechercher",
  banksFound: (count) => (count <= 1 ? `${count} banque` : `${count.toLocaleString("fr")} banques`),
  noBanks: "Aucune banque trouvée. Essayez un nom plus court ou un autre pays.",
  bankList: "Banques",
  pagesLabel: "Pages de la liste",
  pageOf: (page, pages) => `Page ${page} sur ${pages}`,
  previousPage: "Page précédente",
  nextPage: "Page suivante",
  bankRefused: "Cette banque ne peut pas être choisie ici. Choisissez-en une dans la liste.",
  byLetter: "Par courrier",
  wayTitle: {
    letter: "Par courrier",
    key: "Avec une clé que vous créez auprès de la banque",
    login: "Avec vos identifiants, saisis ici",
    redirect: "Connexion sur la page de la banque",
  },
  wayThrough: (company) => `Via ${company}`,
  readThrough: (company) => `${company} lit vos données auprès de la banque et les transmet`,
  waysToConnect: (count) => `${count} façons de se connecter`,
  byLetterText: (requester) =>
    "Vous ne vous connectez pas à cette banque ici. Elle nous transmettra vos données dès qu’elle aura reçu une lettre " +
    `d’autorisation signée de votre main. Demandez cette lettre à ${requester}, signez-la et renvoyez-la. Vous n’avez rien ` +
    "d’autre à faire sur cette page.",
  moreBanks: "Afficher plus de banques",
  listKeys: "Utilisez les touches fléchées pour parcourir la liste.",

  credentialsTitle: (bank) => `Connexion à ${bank}`,
  credentialsText: "Utilisez les mêmes identifiants que pour votre banque en ligne.",
  detailsText: "Saisissez ici ce que votre banque demande.",
  loginElsewhere: "Vous vous identifiez sur la page de votre banque.",
  username: "Identifiant",
  password: "Mot de passe",
  enterUsername: "Saisissez votre identifiant",
  enterPassword: "Saisissez votre mot de passe",
  enterField: (label) => `Remplissez « ${label} »`,
  chooseField: (label) => `Choisissez une réponse pour « ${label} »`,
  unlikelyValue: (label) => `« ${label} » ne semble pas correct. Vérifiez votre saisie`,
  unusableValue: "C’est trop long ou contient des caractères non autorisés",
  optional: (label) => `${label} (facultatif)`,
  chooseOne: "Choisissez",
  showPassword: "Afficher le mot de passe",
  showSecret: (label) => `Afficher « ${label} »`,
  rejectedCredentials: "Votre banque n’a pas accepté l’identifiant ou le mot de passe.",
  rejectedDetails: "Votre banque n’a pas accepté ces informations.",
  rejectedAnswer: "Votre banque n’a pas accepté cette confirmation.",
  otherLogin:
    "Ces identifiants ne sont pas ceux avec lesquels cette connexion a été créée. Utilisez ceux d’origine. Pour connecter " +
    "aussi cet accès, demandez un nouveau lien là où vous avez commencé.",
  attemptsLeft: (count) => (count <= 1 ? `Il vous reste ${count} essai.` : `Il vous reste ${count} essais.`),
  cutOff:
    "La connexion a été interrompue de notre côté. Veuillez vous connecter à nouveau. Cela ne compte pas comme une tentative.",

  processingTitle: "Un instant",
  processingText: "Nous attendons la réponse de votre banque. Cette page continuera automatiquement.",
  checkNow: "Vérifier maintenant",
  processingLonger: "Certaines banques prennent une ou deux minutes. Gardez cette page ouverte, s’il vous plaît.",

  challengeTitle: "Confirmez votre identité",
  challengeText: {
    sms: "Votre banque vous a envoyé un SMS. Saisissez le code qu’il contient.",
    code: "Votre banque demande un code. Saisissez-le ici.",
    app: "Approuvez la connexion dans l’application de votre banque, puis appuyez sur « Continuer ».",
    qr: "Scannez cette image avec l’application de votre banque et approuvez-y la connexion, puis appuyez sur « Continuer ».",
    card: "Votre banque demande un numéro de votre carte de codes. Saisissez-le ici.",
  },
  bankSays: "Message de votre banque",
  answer: "Code",
  enterAnswer: "Saisissez le code",
  qrLabel: "QR code à scanner avec l’application de votre banque",
  qrAsText: "Impossible de le scanner ? Afficher le code en texte",
  newestCode: "Afficher le code le plus récent",

  askTitle: "Une question de votre banque",
  askText: "Votre banque a besoin de cette réponse pour continuer.",
  redirectTitle: "Identifiez-vous sur la page de votre banque",
  redirectText: (host) => `Vous allez maintenant sur ${host}.`,
  redirectSteps: [
    "Identifiez-vous là-bas comme d’habitude",
    "Acceptez de partager vos données",
    "Vous revenez automatiquement sur cette page",
  ],
  sameBrowser: "Restez dans ce navigateur. Dans un autre, la connexion ne peut pas être finalisée.",
  goToBank: "Aller à ma banque",
  goToBankAgain: "Retourner à ma banque",
  declined: "Vous n’avez pas donné votre accord sur la page de votre banque, ou vous avez fait demi-tour.",
  restart: "Recommencer l’identification",

  howToTitle: "Où créer la clé",
  withKey: {
    landingText: (requester) =>
      `${requester} souhaite recevoir vos données d’investissement. Nous les lisons avec une clé que vous créez auprès de votre banque et saisissez ici, et les lui transmettons.`,
    renewText: (requester) =>
      `Créez auprès de votre banque une nouvelle clé pour le même compte et saisissez-la ici : ${requester} continuera ainsi de recevoir vos données d’investissement à jour.`,
    landingSteps: ["Créez une clé auprès de votre banque", "Saisissez-la ici"],
    rights: {
      unstated: "Nous ne faisons que lire : aucun achat, aucune vente, aucun paiement.",
      read: "Une clé qui permet seulement de lire nous suffit. Elle ne permet ni achat, ni vente, ni paiement.",
      trade:
        "Une clé de cette banque permettrait aussi de passer des ordres. Nous ne faisons que lire : aucun achat, aucune vente, aucun paiement.",
    },
    credentialsTitle: (bank) => `Saisissez votre clé pour ${bank}`,
    detailsText: "Saisissez la clé que vous avez créée auprès de votre banque. Ce n’est pas votre mot de passe.",
    rejectedDetails: "Votre banque n’a pas accepté cette clé. Vérifiez-la ou créez-en une nouvelle.",
    otherLogin:
      "Cette clé correspond à un autre compte que celui avec lequel cette connexion a été créée. Créez une clé pour le compte d’origine. Pour connecter aussi cet autre compte, demandez un nouveau lien là où vous avez commencé.",
    cutOff:
      "L’opération a été interrompue de notre côté. Veuillez saisir de nouveau votre clé. Cela ne compte pas comme une tentative.",
    noAccounts: {
      title: "Connexion établie, aucun compte trouvé",
      text: "Votre banque a accepté la clé, mais n’affiche aucun compte d’investissement. Si vous y avez un autre compte, demandez un nouveau lien là où vous avez commencé et créez une clé pour ce compte. Les comptes que vous ouvrirez plus tard seront trouvés automatiquement.",
    },
    otherLoginEnd: {
      title: "Cette clé correspond à un autre compte",
      text: "Votre banque a accepté la clé, mais cette connexion a été créée avec un autre compte ; elle n’a donc pas été renouvelée. Demandez un nouveau lien là où vous avez commencé et créez une clé pour le compte d’origine.",
    },
    failed: {
      InvalidCredentials: {
        title: "La clé n’a pas été acceptée",
        text: "Créez une nouvelle clé auprès de votre banque, puis demandez un nouveau lien là où vous avez commencé.",
      },
      AlreadyExists: {
        title: "Ce compte est déjà connecté",
        text: "Vous n’avez rien d’autre à faire. La connexion existante continue de fonctionner.",
      },
    },
  },

  done: {
    title: "Votre banque est connectée",
    text: "Vos données ont été lues et sont disponibles.",
  },
  renewed: { title: "Votre connexion est renouvelée", text: "Vos données ont été relues et sont à jour." },
  noAccounts: {
    title: "Connexion établie, aucun compte trouvé",
    text: "Votre banque a accepté la connexion, mais n’affiche aucun compte d’investissement. Si vous avez d’autres identifiants dans cette banque, demandez un nouveau lien là où vous avez commencé et utilisez-les. Les comptes que vous ouvrirez plus tard seront trouvés automatiquement.",
  },
  dataPending: {
    connect: {
      title: "Votre banque est connectée",
      text: "Votre banque prépare encore vos données. Elles seront disponibles dès qu’elle aura terminé. Vous n’avez rien d’autre à faire.",
    },
    renew: {
      title: "Votre connexion est renouvelée",
      text: "Votre banque prépare encore vos données actuelles. Elles seront disponibles dès qu’elle aura terminé. Vous n’avez rien d’autre à faire.",
    },
  },
  dataIncomplete:
    "Une partie de vos données n’a pas pu être lue auprès de votre banque. Elle sera ajoutée lors de la prochaine mise à jour. Vous n’avez rien d’autre à faire.",
  expired: {
    title: "Le délai est écoulé",
    text: "La connexion n’a pas été finalisée à temps. Rien n’a été connecté. Demandez un nouveau lien là où vous avez commencé.",
  },
  aborted: {
    title: "Vous avez annulé",
    text: "Rien n’a été connecté. Pour réessayer, demandez un nouveau lien là où vous avez commencé.",
  },
  failed: {
    InvalidCredentials: {
      title: "L’identification a échoué",
      text: "Votre banque n’a pas accepté l’identifiant ou le mot de passe. Vérifiez-les sur le site de votre banque, puis demandez un nouveau lien là où vous avez commencé.",
    },
    InvalidChallengeResponse: {
      title: "La confirmation a échoué",
      text: "Votre banque n’a pas accepté la confirmation. Demandez un nouveau lien là où vous avez commencé et réessayez.",
    },
    UnsupportedChallengeMethod: {
      title: "Ce type de confirmation n’est pas pris en charge",
      text: "Votre banque exige un type de confirmation qui n’est pas possible ici. Si elle en propose un autre, par exemple une application ou un SMS, choisissez-le auprès d’elle, puis demandez un nouveau lien.",
    },
    UserInteractionNeeded: {
      title: "Votre banque attend d’abord une action de votre part",
      text: "Connectez-vous au site ou à l’application de votre banque et faites ce qu’elle demande. Demandez ensuite un nouveau lien là où vous avez commencé.",
    },
    AlreadyExists: {
      title: "Cet accès est déjà connecté",
      text: "Vous n’avez rien d’autre à faire. La connexion existante continue de fonctionner.",
    },
    AbortedByUser: {
      title: "Vous avez annulé",
      text: "Rien n’a été connecté. Pour réessayer, demandez un nouveau lien là où vous avez commencé.",
    },
    SessionExpired: {
      title: "Le délai est écoulé",
      text: "La connexion n’a pas été finalisée à temps. Rien n’a été connecté. Demandez un nouveau lien là où vous avez commencé.",
    },
    InternalError: {
      title: "Cela n’a pas fonctionné",
      text: "Votre banque n’a pas pu être jointe, ou a répondu par une erreur. Rien n’a été connecté. Demandez un nouveau lien là où vous avez commencé et réessayez plus tard.",
    },
  },
  otherLoginEnd: {
    title: "Ces identifiants sont différents",
    text: "Votre banque a accepté les identifiants, mais cette connexion a été créée avec d’autres ; elle n’a donc pas été renouvelée. Demandez un nouveau lien là où vous avez commencé et utilisez les identifiants d’origine.",
  },
  notRenewed: {
    expired:
      "L’identification n’a pas été terminée à temps ; votre connexion n’a pas été renouvelée. Demandez un nouveau lien là où vous avez commencé.",
    aborted:
      "Votre connexion n’a pas été renouvelée. Pour réessayer, demandez un nouveau lien là où vous avez commencé.",
    failed:
      "Votre banque n’a pas pu être jointe, ou a répondu par une erreur. Votre connexion n’a pas été renouvelée. Demandez un nouveau lien là où vous avez commencé et réessayez plus tard.",
  },
  closePage: "Vous pouvez fermer cette page.",
  leadingBack: "Nous vous ramenons là où vous avez commencé.",
  goBackNow: "Revenir maintenant",
  unreachable: "Il n’y a pas de connexion pour le moment. Cette page réessaiera automatiquement.",
  tryAgain: "Réessayer",

  taken: {
    title: "Ce lien ne peut plus être utilisé ici",
    text: "Un lien fonctionne une seule fois, dans un seul navigateur et pour un temps limité. Si vous avez commencé dans un autre navigateur, continuez dans celui-là. Sinon, demandez un nouveau lien là où vous avez reçu celui-ci.",
  },
  unknownLink: {
    title: "Ce lien n’existe pas",
    text: "Il est peut-être incomplet ou trop ancien. Ouvrez-le de nouveau là où vous l’avez reçu, ou demandez-en un autre.",
  },
  callbackElsewhere: {
    title: "Continuez là où vous avez commencé",
    text: "Vous revenez de votre banque dans un autre navigateur que celui où vous avez commencé ; rien n’a donc été transmis. Retournez à la fenêtre où vous avez commencé. De là, vous pouvez retourner à votre banque.",
  },
  callbackUnknown: {
    title: "Ce chemin de retour n’est pas valable",
    text: "Nous ne connaissons pas l’adresse qui vous a mené ici, ou elle a été remplacée par une plus récente. Retournez à la fenêtre où vous avez commencé. S’il n’y en a pas, demandez un nouveau lien là où vous avez reçu le premier.",
  },
  forbidden: {
    title: "Ce formulaire ne peut plus être utilisé",
    text: "Il n’a pas été envoyé depuis une page ouverte dans ce navigateur, ou votre navigateur bloque les cookies. Autorisez les cookies de ce site, revenez à la page et réessayez.",
  },
  badRequest: { title: "Cette demande n’a pas pu être traitée", text: "Revenez à la page et réessayez." },
  tooLarge: { title: "Il y a trop de texte", text: "Revenez à la page et saisissez-en moins." },
  tooMany: { title: "Trop d’essais", text: "Attendez quelques minutes, puis revenez à la page et réessayez." },
  away: {
    title: "Un instant, s’il vous plaît",
    text: "Nos données sont inaccessibles pour le moment. Cette page réessaiera automatiquement.",
  },
  defect: {
    title: "Une erreur s’est produite de notre côté",
    text: "Revenez à la page et réessayez. Si cela se répète, contactez ceux qui vous ont dirigé ici et indiquez-leur la référence.",
  },
};
