import { html } from "@org/pages";
import type { PageWords } from "./page-words.js";

export const frenchPageWords: PageWords = {
  error: "Erreur : ",
  step: (step) => `Étape ${step} sur 2`,
  nameless: {
    app: "Une application sans nom",
    application: "Une application",
    person: "Une personne",
    organisation: "votre organisation",
    client: "Un client",
    place: "Inconnu",
    address: "une adresse inconnue",
    permission: "Sans nom",
  },
  account: {
    person: "Qui vous êtes",
    credentials: "Vos identifiants",
    signedInAs: "Connecté en tant que",
    ofOrganisation: (person, organisation) => html`<b>${person}</b>, ${organisation}`,
    somebodyElse: "Se connecter sous un autre nom",
  },
  client: {
    label: "L’application qui demande l’accès",
    verified: "Nom vérifié",
    notVerified: "Nom non vérifié",
    place: "Où elle se trouve",
    returnsTo: "Renvoie à",
    anybody: "N’importe qui peut choisir ce nom. Ne continuez que si vous venez de lancer cette demande vous-même.",
    onThisComputer: "Une application sur cet ordinateur",
    opensLinks: (scheme) => html`Une application qui ouvre les liens ${scheme}`,
  },
  signIn: {
    title: "Connectez-vous pour continuer",
    lead: "Une application souhaite utiliser vos données d’investissement. Vous déciderez à la page suivante de ce qu’elle peut faire.",
    ownTitle: "Connectez-vous pour voir les accès",
    ownLead: "Voyez quelles applications ont accès à vos placements et mettez-y fin si vous le souhaitez.",
    clientId: "ID client",
    clientIdHint: "Votre gestionnaire de compte vous l’a remis. Il commence par wca_.",
    clientSecret: "Secret client",
    enterClientId: "Saisissez l’ID client",
    enterClientSecret: "Saisissez le secret client",
    next: "Continuer",
    cancel: "Annuler",
    asPerson: "Se connecter en tant que personne",
    asPersonHint:
      "Avec votre propre clé d’accès ou la connexion de votre entreprise, si votre organisation vous a ouvert un compte ici.",
    leaveConsole: "Se déconnecter de la console",
    stored:
      "L’application ne voit jamais ces identifiants. Ils sont conservés chiffrés et ce navigateur les garde en mémoire pendant 30 jours.",
    ownStored: "Vos identifiants sont conservés chiffrés et ce navigateur les garde en mémoire pendant 30 jours.",
    problems: {
      missing: "Saisissez l’ID client et le secret client.",
      wrong_credentials: "Ces identifiants n’ont pas été acceptés. Vérifiez les deux, puis saisissez-les de nouveau.",
      operator:
        "Vous êtes connecté en tant qu’opérateur de ce serveur. Les opérateurs n’ont pas de placements à partager et ne peuvent pas approuver à la place d’autrui. Déconnectez-vous, puis connectez-vous en tant que personne de l’organisation ou saisissez les identifiants de celle-ci.",
    },
    tooManyAttempts: (wait) => `Trop de tentatives. Réessayez ${wait ?? "plus tard"}.`,
  },
  review: {
    title: "Vérifier l’accès",
    lead: "Une application souhaite utiliser vos données d’investissement. Vous décidez de ce qu’elle peut faire.",
    useDifferent: "Utiliser d’autres identifiants",
    limitedByRole: "L’application a demandé davantage. Votre rôle limite ce que vous pouvez autoriser.",
    unknownScopes: "L’application a aussi demandé des autorisations qui n’existent pas ici. Elles sont ignorées.",
    allowed: "Ce qu’elle peut faire",
    deletion: "Suppression",
    deletionHint:
      "Les données supprimées ne peuvent pas être récupérées. Ne cochez cette case que si l’application en a besoin.",
    whose: "Les données qu’elle peut utiliser",
    allClients: "Tous les clients",
    allClientsHint: "Y compris ceux que vous ajouterez plus tard.",
    someClients: "Certains clients seulement",
    someClientsHint: "Elle ne voit rien des autres.",
    searchClients: "Rechercher des clients",
    search: "Rechercher",
    found: (total, shown) => {
      if (total === 0) return "Aucun client n’a ce texte dans son nom ou sa référence.";
      if (total > shown)
        return `${shown} clients sur ${total.toLocaleString("fr")} sont affichés. Recherchez les autres.`;
      return total === 1 ? "1 trouvé." : `${total} trouvés.`;
    },
    approve: "Approuver",
    deny: "Refuser",
    foot: (address) =>
      html`Cet accès ne permet ni achat, ni vente, ni paiement. Vous pouvez y mettre fin à tout moment à l’adresse ${address}.`,
    problems: {
      no_scope: "Choisissez au moins une autorisation ou refusez l’accès.",
      no_client: "Choisissez au moins un client ou autorisez tous les clients.",
      client_gone: "Un client que vous avez choisi n’existe plus. Vérifiez ci-dessous lesquels sont choisis.",
      other_credentials:
        "Vous vous êtes entre-temps connecté avec d’autres identifiants. Vérifiez ci-dessous de qui sont les données avant de décider.",
    },
    tooManyClients: (max) => `Choisissez au plus ${max} clients ou autorisez tous les clients.`,
  },
  permissions: {
    "connections:read": [
      "Voir les banques connectées",
      "Chercher des banques, voir lesquelles sont connectées et si leurs données sont à jour.",
    ],
    "connections:write": [
      "Connecter des banques",
      "Connecter une banque, renouveler un accès et demander des données fraîches. C’est vous qui vous connectez à la banque.",
    ],
    "connections:delete": [
      "Supprimer des banques connectées",
      "Retirer une banque connectée avec toutes les données lues chez elle.",
    ],
    "investments:read": [
      "Voir les placements",
      "Lire les portefeuilles, positions, valeurs et mouvements de toutes les banques connectées.",
    ],
    "letters:read": ["Voir les lettres d’autorisation", "Chercher les lettres aux banques et voir où en est chacune."],
    "letters:write": [
      "Soumettre et clore des lettres",
      "Soumettre des lettres d’autorisation signées et mettre fin à celles en cours.",
    ],
    "events:read": [
      "Voir ce qui se passe",
      "Être informé quand une banque est connectée ou demande une connexion, quand des données arrivent et quand une lettre avance.",
    ],
    "events:write": [
      "Envoyer les nouvelles ailleurs",
      "Choisir les adresses internet auxquelles ce serveur envoie les nouvelles.",
    ],
    "grants:manage": [
      "Gérer les accès de tous",
      "Voir quelles applications et quels programmes peuvent utiliser les données de votre organisation et y mettre fin.",
    ],
  },
  unknownPermission: "Utiliser tout ce que ce serveur propose sous ce nom.",
  notice: {
    next: "Continuer",
    returnToApp: "Revenir à l’application",
    returnsTo: (address) => html`Ce lien mène à ${address}. Personne n’a vérifié cette application.`,
    forDeveloper: "Pour les développeurs de l’application",
    reference: (traceId) => html`Référence : ${traceId}`,
    kinds: {
      bad_request: {
        title: "Cette demande est incompréhensible",
        text: "L’application qui vous a envoyé ici a fait une demande que ce serveur ne comprend pas. Rien n’a été partagé.",
        next: "Retournez à l’application et recommencez. Si cela ne suffit pas, contactez son éditeur.",
      },
      unknown_client: {
        title: "Ce serveur ne connaît pas l’application",
        text: "L’application qui vous a envoyé ici n’est pas enregistrée auprès de ce serveur, ou ne l’est plus. Rien n’a été partagé.",
        next: "Retirez ce serveur de l’application, puis ajoutez-le de nouveau pour qu’elle s’enregistre une nouvelle fois.",
      },
      client_unreachable: {
        title: "La description de l’application est inaccessible",
        text: "L’application se désigne par une adresse internet que ce serveur n’a pas pu joindre. Rien n’a été partagé.",
        next: "Prévenez l’exploitant de ce serveur : ajouter de nouveau le serveur à l’application ne sert à rien tant qu’il ne peut pas joindre cette adresse.",
      },
      bad_redirect: {
        title: "La réponse ne peut pas être envoyée à cette application",
        text: "L’application a demandé l’envoi de la réponse à une adresse qu’elle n’a pas enregistrée. Vous n’y avez pas été envoyé et rien n’a été partagé.",
        next: "Fermez cette page. Si vous faites confiance à l’application, prévenez son éditeur.",
      },
      expired: {
        title: "Le délai est écoulé",
        text: "Il faut répondre à une demande dans les 10 minutes. Rien n’a été partagé.",
        next: "Recommencez depuis l’application.",
      },
      answered: {
        title: "Vous avez déjà répondu",
        text: "Une demande ne peut être approuvée ou refusée qu’une fois. Cette page ne change pas la réponse.",
        next: "Retournez à l’application. Si elle n’a pas accès, recommencez depuis celle-ci.",
      },
      other_browser: {
        title: "Cette page appartient à un autre navigateur",
        text: "Elle a été ouverte dans un autre navigateur, ou celui-ci ne conserve pas les cookies de ce site. Rien n’a été partagé.",
        next: "Autorisez les cookies de ce site, puis recommencez depuis l’application dans ce navigateur.",
      },
      cancelled: {
        title: "Vous avez annulé",
        text: "Rien n’a été partagé. L’application qui vous a envoyé ici attend peut-être encore une réponse.",
        next: "Vous pouvez fermer cette page.",
      },
      too_large: {
        title: "Le texte est trop long",
        text: "Le formulaire dépasse la taille que ce serveur accepte. Rien n’a été partagé.",
        next: "Revenez en arrière et saisissez moins de texte, ou recommencez depuis l’application.",
      },
      busy: {
        title: "Le serveur est occupé",
        text: "Ce serveur doit se renseigner sur l’application qui vous a envoyé ici et a trop de recherches en cours. Rien n’a été partagé.",
        next: "Attendez une minute, puis recommencez depuis l’application.",
      },
      away: {
        title: "Un instant, s’il vous plaît",
        text: "Ce serveur ne peut pas joindre sa base de données pour le moment. Rien n’a été perdu ni partagé.",
        next: "Cette page réessaie d’elle-même. Si vous veniez d’envoyer un formulaire, revenez en arrière et envoyez-le de nouveau.",
      },
      defect: {
        title: "Une erreur est survenue de notre côté",
        text: "La demande n’a pas pu aboutir.",
        next: "Recommencez depuis l’application. Si cela se reproduit, donnez la référence ci-dessous à l’exploitant de ce serveur.",
      },
    },
  },
  grants: {
    title: "Accès à vos placements",
    ended: "L’accès a pris fin.",
    ofTenant:
      "Ces applications et programmes peuvent actuellement utiliser les données de votre organisation. Chaque utilisation prolonge l’accès. Si vous y mettez fin, il cesse en quelques secondes.",
    ofPerson:
      "Vous avez autorisé ces applications à utiliser les données de votre organisation. Chaque utilisation prolonge l’accès. Si vous y mettez fin, il cesse en quelques secondes.",
    ofCredentials:
      "Ces applications et programmes peuvent actuellement utiliser vos données avec les identifiants ci-dessous. Chaque utilisation prolonge l’accès. Si vous y mettez fin, il cesse en quelques secondes.",
    signOut: "Se déconnecter",
    more: "Afficher plus",
    all: "Afficher toutes les applications et tous les programmes",
    nobody: "Personne n’a accès",
    nobodyHint: "Les applications que vous approuvez figureront ici.",
    flows: {
      browser: "Approuvé dans un navigateur",
      machine: "Connecté avec un secret",
      asserted: "Connecté par votre fournisseur d’identité",
    },
    times: (count) => `${count} fois`,
    each: (app) => html`Afficher chaque accès<span class="spoken"> de ${app}</span>`,
    permissions: "Autorisations",
    whose: "Données de",
    clientsGone: "Personne : les clients concernés n’existent plus",
    onlyOf: (clients, others) => html`${clients}${others > 0 && ` et ${others} de plus`} seulement`,
    since: "Depuis",
    lastUsed: "Dernière utilisation",
    validUntil: "Valable jusqu’au",
    end: (app, count) =>
      html`${count > 1 ? "Mettre fin à tous les accès" : "Mettre fin à l’accès"}<span class="spoken"> de ${app}</span>`,
  },
};
