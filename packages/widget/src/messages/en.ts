import type { Messages } from "./messages.js";

export const english: Messages = {
  continue: "Continue",
  cancel: "Cancel",
  chooseAnotherBank: "Choose another bank",
  errorPrefix: "Error",
  errorHeading: "There is a problem",
  backToPage: "Go back to the page",
  reference: (traceId) => `Reference: ${traceId}`,

  landingTitle: "Connect your bank",
  landingTitleOf: (bank) => `Connect ${bank}`,
  landingText: "You are about to log in at your bank so that your investment data can be read.",
  landingSteps: ["Log in there with your usual details", "Confirm that it is you, if your bank asks for it"],
  privacyHeading: "Your data",
  defaultPrivacyNotice:
    "Your portfolios, holdings and transactions are read from your bank and made available to the program that sent you " +
    "here. Your password is used for the login only; what later updates need is stored encrypted. Nothing can be bought, " +
    "sold or paid with this access.",

  bankTitle: "Choose your bank",
  bankSearch: "Name of the bank",
  bankCountry: "Country",
  allCountries: "All countries",
  search: "Search",
  banksFound: (count) => (count === 1 ? "1 bank" : `${count.toLocaleString("en")} banks`),
  noBanks: "No bank matches. Try a shorter name or another country.",
  bankList: "Banks",
  pagesLabel: "Pages of the list",
  pageOf: (page, pages) => `Page ${page} of ${pages}`,
  previousPage: "Previous page",
  nextPage: "Next page",
  bankRefused: "This bank cannot be chosen here. Choose one from the list.",
  moreBanks: "Show more banks",
  listKeys: "The arrow keys move through the list.",

  credentialsTitle: (bank) => `Log in at ${bank}`,
  credentialsText: "Use the same details as for your bank's own online banking.",
  username: "User name",
  password: "Password",
  enterUsername: "Enter your user name",
  enterPassword: "Enter your password",
  unusableValue: "This is too long or holds characters that cannot be used",
  showPassword: "Show password",
  rejectedCredentials: "Your bank did not accept the user name or the password.",
  rejectedAnswer: "Your bank did not accept this confirmation.",
  attemptsLeft: (count) => (count === 1 ? "You have 1 attempt left." : `You have ${count} attempts left.`),

  processingTitle: "One moment",
  processingText: "Your bank is being asked. This page goes on by itself.",
  checkNow: "Check now",
  processingLonger: "Some banks take a minute or two. Please keep this page open.",

  challengeTitle: "Confirm that it is you",
  challengeText: {
    sms: "Your bank has sent you a text message. Enter the code that it holds.",
    code: "Your bank asks for a code. Enter it here.",
    app: "Approve the login in your bank's app, then press Continue.",
    qr: "Scan this picture with your bank's app and approve the login there, then press Continue.",
    card: "Your bank asks for a number from your code card. Enter it here.",
  },
  bankSays: "Message from your bank",
  answer: "Code",
  enterAnswer: "Enter the code",
  qrLabel: "QR code to scan with your bank's app",
  qrAsText: "You cannot scan it? This is its content",
  newestCode: "Show the newest code",

  done: { title: "Your bank is connected", text: "Your data has been read and is ready." },
  expired: {
    title: "The time is up",
    text: "This connection was not finished in time. Nothing was connected. Ask for a new link where you started.",
  },
  aborted: {
    title: "You have cancelled",
    text: "Nothing was connected. To try again, ask for a new link where you started.",
  },
  failed: {
    InvalidCredentials: {
      title: "The login failed",
      text: "Your bank did not accept the user name or the password. Check them at your bank's own website, then ask for a new link where you started.",
    },
    InvalidChallengeResponse: {
      title: "The confirmation failed",
      text: "Your bank did not accept the confirmation. Ask for a new link where you started and try again.",
    },
    UnsupportedChallengeMethod: {
      title: "This kind of confirmation is not supported",
      text: "Your bank asks for a confirmation that cannot be given here. If your bank offers another way, such as an app or a text message, switch to it there and ask for a new link.",
    },
    UserInteractionNeeded: {
      title: "Your bank needs you first",
      text: "Log in at your bank's own website or app and do what it asks for there. Then ask for a new link where you started.",
    },
    AlreadyExists: {
      title: "This login is already connected",
      text: "There is nothing more to do: the connection that exists goes on working.",
    },
    AbortedByUser: {
      title: "You have cancelled",
      text: "Nothing was connected. To try again, ask for a new link where you started.",
    },
    SessionExpired: {
      title: "The time is up",
      text: "This connection was not finished in time. Nothing was connected. Ask for a new link where you started.",
    },
    InternalError: {
      title: "That did not work",
      text: "Your bank could not be reached, or answered with an error. Nothing was connected. Ask for a new link where you started and try again later.",
    },
  },
  closePage: "You can close this page.",
  leadingBack: "You are being taken back to where you started.",
  goBackNow: "Go back now",
  unreachable: "There is no connection at the moment. This page tries again by itself.",
  tryAgain: "Try again",

  taken: {
    title: "This link cannot be used here any more",
    text: "It works in one browser, only once and for a limited time. If you began in another browser, go on there. Otherwise ask for a new link where you got this one.",
  },
  unknownLink: {
    title: "This link does not exist",
    text: "It may be incomplete or too old. Open it again from where you got it, or ask for a new one.",
  },
  forbidden: {
    title: "This form cannot be used any more",
    text: "It was not sent from this browser's own page, or your browser does not accept cookies. Allow cookies for this site, go back to the page and try again.",
  },
  badRequest: { title: "This request cannot be read", text: "Go back to the page and try again." },
  tooLarge: { title: "This is too much text", text: "Go back to the page and enter less." },
  tooMany: { title: "Too many attempts", text: "Wait a few minutes, then go back to the page and try again." },
  defect: {
    title: "Something went wrong on our side",
    text: "Go back to the page and try again. If it happens again, tell the people who sent you here and give them the reference.",
  },
};
