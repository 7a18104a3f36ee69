import type { Messages } from "./messages.js";

export const english: Messages = {
  continue: "Continue",
  cancel: "Cancel",
  cancelQuestion: "Do you want to cancel?",
  cancelText: {
    connect: "Nothing will be connected, and this link will no longer work.",
    renew: "Your connection will not be renewed, and this link will no longer work.",
  },
  cancelYes: "Yes, cancel",
  cancelNo: "No, continue",
  language: "Language",
  chooseAnotherBank: "Choose another bank",
  errorPrefix: "Error",
  errorHeading: "There is a problem",
  backToPage: "Go back to the page",
  reference: (traceId) => `Reference: ${traceId}`,

  landingTitle: "Connect your bank",
  landingTitleOf: (bank) => `Connect ${bank}`,
  renewTitleOf: (bank) => `Renew your connection to ${bank}`,
  landingText: (requester) =>
    `${requester} asks for your investment data. You are about to log in to your bank so that we can read it and pass it on.`,
  renewText: (requester) =>
    `Log in to your bank again so that ${requester} keeps getting your current investment data. Use the same login as before.`,
  landingSteps: ["Log in with your usual details", "Confirm your identity, if your bank asks you to"],
  privacyHeading: "Your data",
  defaultPrivacyNotice: (requester) =>
    `We read your portfolios, holdings and transactions from your bank and make them available to ${requester}. What you ` +
    "enter is used only for that; anything needed for later updates is stored encrypted.",
  rights: {
    unstated: "We only read: we do not buy, sell or pay for anything.",
    read: "This access cannot be used to buy, sell or pay for anything.",
    trade: "This access could also be used to trade. We only read with it: we do not buy, sell or pay for anything.",
  },
  holdingsRead: {
    daily: "Holdings, updated daily",
    weekly: "Holdings, updated weekly",
    monthly: "Holdings, updated monthly",
  },
  transactionsRead: (count, unit) => {
    if (unit === "days") return `Transactions of the last ${count} days`;
    return count === 1 ? "Transactions of the last year" : `Transactions of the last ${count} years`;
  },
  allTransactionsRead: "Transactions, as far back as your bank has them",
  updatesByLogin: "This bank ends the access soon after the login: for newer data you will be asked to log in again",
  privacyPolicy: "Privacy policy",
  opensNewTab: "(opens in a new tab)",
  requestedBy: (requester) => `Data requested by ${requester}`,
  questions: "Questions?",

  bankTitle: "Choose your bank",
  bankSearch: "Name of the bank",
  bankCountry: "Country",
  allCountries: "All countries",
  search: "Search",
  banksFound: (count) => (count === 1 ? "1 bank" : `${count.toLocaleString("en")} banks`),
  noBanks: "No banks found. Try a shorter name or another country.",
  bankList: "Banks",
  pagesLabel: "Pages of the list",
  pageOf: (page, pages) => `Page ${page} of ${pages}`,
  previousPage: "Previous page",
  nextPage: "Next page",
  bankRefused: "This bank cannot be chosen here. Choose one from the list.",
  byLetter: "By letter",
  wayTitle: {
    letter: "By letter",
    key: "With a key that you make at the bank",
    login: "With your login, entered here",
    redirect: "Log in on the bank's own page",
  },
  wayThrough: (company) => `Through ${company}`,
  readThrough: (company) => `${company} reads your data from the bank and passes it on`,
  waysToConnect: (count) => `${count} ways to connect`,
  byLetterText: (requester) =>
    "You do not log in to this bank here. It sends us your data once it has an authorization letter signed by you. Ask " +
    `${requester} for the letter, sign it and return it. There is nothing else to do on this page.`,
  moreBanks: "Show more banks",
  listKeys: "Use the arrow keys to move through the list.",

  credentialsTitle: (bank) => `Log in to ${bank}`,
  credentialsText: "Use the details you use for online banking.",
  detailsText: "Enter what your bank asks for here.",
  loginElsewhere: "You log in on your bank's own page.",
  username: "User name",
  password: "Password",
  enterUsername: "Enter your user name",
  enterPassword: "Enter your password",
  enterField: (label) => `Fill in “${label}”`,
  chooseField: (label) => `Choose an answer for “${label}”`,
  unlikelyValue: (label) => `“${label}” does not look right. Check what you entered`,
  unusableValue: "This is too long or contains characters that cannot be used",
  optional: (label) => `${label} (optional)`,
  chooseOne: "Choose one",
  showPassword: "Show password",
  showSecret: (label) => `Show “${label}”`,
  rejectedCredentials: "Your bank did not accept the user name or the password.",
  rejectedDetails: "Your bank did not accept these details.",
  rejectedAnswer: "Your bank did not accept this confirmation.",
  otherLogin:
    "This is a different login from the one this connection was made with. Please use that one. To connect this login as " +
    "well, ask for a new link where you started.",
  attemptsLeft: (count) => (count === 1 ? "You have 1 attempt left." : `You have ${count} attempts left.`),
  cutOff: "The login was interrupted on our side. Please log in again. This does not count as an attempt.",

  processingTitle: "One moment",
  processingText: "We are waiting for your bank. This page will continue by itself.",
  checkNow: "Check now",
  processingLonger: "Some banks take a minute or two. Please keep this page open.",

  challengeTitle: "Confirm your identity",
  challengeText: {
    sms: "Your bank has sent you a text message. Enter the code it contains.",
    code: "Your bank is asking for a code. Enter it here.",
    app: "Approve the login in your bank's app, then press Continue.",
    qr: "Scan this picture with your bank's app and approve the login there, then press Continue.",
    card: "Your bank is asking for a number from your code card. Enter it here.",
  },
  bankSays: "Message from your bank",
  answer: "Code",
  enterAnswer: "Enter the code",
  qrLabel: "QR code to scan with your bank's app",
  qrAsText: "Cannot scan it? Show the code as text",
  newestCode: "Show the latest code",

  askTitle: "A question from your bank",
  askText: "Your bank needs to know this before it goes on.",
  redirectTitle: "Log in on your bank's page",
  redirectText: (host) => `You are about to go to ${host}.`,
  redirectSteps: ["Log in there as usual", "Agree to share your data", "Come back to this page automatically"],
  sameBrowser: "Stay in this browser. In another one, the connection cannot be completed.",
  goToBank: "Go to your bank",
  goToBankAgain: "Go to your bank again",
  declined: "You did not agree on your bank's page, or you turned back there.",
  restart: "Start the login again",

  howToTitle: "Where to make the key",
  withKey: {
    landingText: (requester) =>
      `${requester} asks for your investment data. We read it with a key that you make at your bank and enter here, and pass it on.`,
    renewText: (requester) =>
      `Make a new key at your bank, for the same account, and enter it here so that ${requester} keeps getting your current investment data.`,
    landingSteps: ["Make a key at your bank", "Enter it here"],
    rights: {
      unstated: "We only read: we do not buy, sell or pay for anything.",
      read: "A key that only reads is all we need. It cannot be used to buy, sell or pay for anything.",
      trade:
        "A key of this bank could also be used to trade. We only read with it: we do not buy, sell or pay for anything.",
    },
    credentialsTitle: (bank) => `Enter your key for ${bank}`,
    detailsText: "Enter the key that you made at your bank. It is not your password.",
    rejectedDetails: "Your bank did not accept this key. Check it, or make a new one.",
    otherLogin:
      "This key is for a different account from the one this connection was made with. Please make a key for that account. To connect this account as well, ask for a new link where you started.",
    cutOff: "This was interrupted on our side. Please enter your key again. This does not count as an attempt.",
    noAccounts: {
      title: "Connected, no accounts found",
      text: "Your bank accepted the key but shows no investment accounts for it. If you have another account there, ask for a new link where you started and make a key for that one. Accounts that you open later will be found automatically.",
    },
    otherLoginEnd: {
      title: "This key is for a different account",
      text: "Your bank accepted the key, but this connection was made with a different account, so it was not renewed. Ask for a new link where you started and make a key for the original account.",
    },
    failed: {
      InvalidCredentials: {
        title: "The key was not accepted",
        text: "Make a new key at your bank, then ask for a new link where you started.",
      },
      AlreadyExists: {
        title: "This account is already connected",
        text: "There is nothing more to do. The existing connection keeps working.",
      },
    },
  },

  done: { title: "Your bank is connected", text: "Your data has been read and is ready." },
  renewed: { title: "Your connection is renewed", text: "Your data has been read again and is up to date." },
  noAccounts: {
    title: "Connected, no accounts found",
    text: "Your bank let you in but shows no investment accounts for this login. If you have another login there, ask for a new link where you started and use that one. Accounts that you open later will be found automatically.",
  },
  dataPending: {
    connect: {
      title: "Your bank is connected",
      text: "Your bank is still preparing your data. It will be available as soon as your bank has finished. There is nothing else for you to do.",
    },
    renew: {
      title: "Your connection is renewed",
      text: "Your bank is still preparing your current data. It will be available as soon as your bank has finished. There is nothing else for you to do.",
    },
  },
  dataIncomplete:
    "Some of your data could not be read at your bank. It will be added with the next update. There is nothing else for you to do.",
  expired: {
    title: "Your session has expired",
    text: "The connection was not completed in time, so nothing was connected. Ask for a new link where you started.",
  },
  aborted: {
    title: "You have cancelled",
    text: "Nothing was connected. To try again, ask for a new link where you started.",
  },
  failed: {
    InvalidCredentials: {
      title: "The login failed",
      text: "Your bank did not accept the user name or the password. Check them on your bank's own website, then ask for a new link where you started.",
    },
    InvalidChallengeResponse: {
      title: "The confirmation failed",
      text: "Your bank did not accept the confirmation. Ask for a new link where you started and try again.",
    },
    UnsupportedChallengeMethod: {
      title: "This kind of confirmation is not supported",
      text: "Your bank asks for a type of confirmation that is not possible here. If it offers another one, such as an app or a text message, switch to that with your bank and ask for a new link.",
    },
    UserInteractionNeeded: {
      title: "Your bank needs something from you first",
      text: "Log in to your bank's own website or app and do what it asks. Then ask for a new link where you started.",
    },
    AlreadyExists: {
      title: "This login is already connected",
      text: "There is nothing more to do. The existing connection keeps working.",
    },
    AbortedByUser: {
      title: "You have cancelled",
      text: "Nothing was connected. To try again, ask for a new link where you started.",
    },
    SessionExpired: {
      title: "Your session has expired",
      text: "The connection was not completed in time, so nothing was connected. Ask for a new link where you started.",
    },
    InternalError: {
      title: "That did not work",
      text: "Your bank could not be reached, or returned an error. Nothing was connected. Ask for a new link where you started and try again later.",
    },
  },
  otherLoginEnd: {
    title: "This was a different login",
    text: "Your bank accepted the login, but this connection was made with a different one, so it was not renewed. Ask for a new link where you started and use the original login.",
  },
  notRenewed: {
    expired:
      "The login was not completed in time, so your connection was not renewed. Ask for a new link where you started.",
    aborted: "Your connection was not renewed. To try again, ask for a new link where you started.",
    failed:
      "Your bank could not be reached, or returned an error. Your connection was not renewed. Ask for a new link where you started and try again later.",
  },
  closePage: "You can close this page.",
  leadingBack: "You are being taken back to where you started.",
  goBackNow: "Go back now",
  unreachable: "There is no connection at the moment. This page will try again by itself.",
  tryAgain: "Try again",

  taken: {
    title: "This link cannot be used here any more",
    text: "A link works only once, in one browser, and for a limited time. If you started in another browser, continue there. Otherwise, ask for a new link where you got this one.",
  },
  unknownLink: {
    title: "This link does not exist",
    text: "It may be incomplete or too old. Open it again from where you got it, or ask for a new one.",
  },
  callbackElsewhere: {
    title: "Continue where you started",
    text: "You have come back from your bank in a different browser from the one you started in, so nothing was passed on. Return to the window where you started. From there you can go to your bank again.",
  },
  callbackUnknown: {
    title: "This way back is not valid",
    text: "We do not recognize the address that led you here, or it has been replaced by a newer one. Return to the window where you started. If there is none, ask for a new link where you got the first one.",
  },
  forbidden: {
    title: "This form cannot be used any more",
    text: "It was not sent from a page opened in this browser, or your browser blocks cookies. Allow cookies for this site, go back to the page and try again.",
  },
  badRequest: { title: "This request cannot be understood", text: "Go back to the page and try again." },
  tooLarge: { title: "That is too much text", text: "Go back to the page and enter less." },
  tooMany: { title: "Too many attempts", text: "Wait a few minutes, then go back to the page and try again." },
  away: {
    title: "One moment, please",
    text: "We cannot reach our records just now. This page will try again by itself.",
  },
  defect: {
    title: "Something went wrong on our side",
    text: "Go back to the page and try again. If it happens again, contact whoever sent you here and give them the reference.",
  },
};
