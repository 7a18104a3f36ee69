import type { Messages } from "./messages.js";

export const spanish: Messages = {
  continue: "Continuar",
  cancel: "Cancelar",
  cancelQuestion: "¿Quiere cancelar?",
  cancelText: {
    connect: "No se conectará nada y este enlace dejará de funcionar.",
    renew: "Su conexión no se renovará y este enlace dejará de funcionar.",
  },
  cancelYes: "Sí, cancelar",
  cancelNo: "No, continuar",
  language: "Idioma",
  chooseAnotherBank: "Elegir otro banco",
  errorPrefix: "Error",
  errorHeading: "Hay un problema",
  backToPage: "Volver a la página",
  reference: (traceId) => `Referencia: ${traceId}`,

  landingTitle: "Conecte su banco",
  landingTitleOf: (bank) => `Conecte ${bank}`,
  renewTitleOf: (bank) => `Renueve su conexión con ${bank}`,
  landingText: (requester) =>
    `${requester} solicita los datos de sus inversiones. Va a iniciar sesión en su banco para que podamos leerlos y transmitírselos.`,
  renewText: (requester) =>
    `Vuelva a iniciar sesión en su banco para que ${requester} siga recibiendo los datos actualizados de sus inversiones. Use los mismos datos de acceso que la vez anterior.`,
  landingSteps: ["Inicie sesión con sus datos habituales", "Confirme su identidad, si su banco se lo pide"],
  privacyHeading: "Sus datos",
  defaultPrivacyNotice: (requester) =>
    `Leemos sus carteras, posiciones y movimientos en su banco y los ponemos a disposición de ${requester}. Lo que usted ` +
    "escribe se usa solo para eso; lo necesario para las actualizaciones posteriores se guarda cifrado.",
  rights: {
    unstated: "Solo leemos: no compramos, vendemos ni pagamos nada.",
    read: "Con este acceso no se puede comprar, vender ni pagar nada.",
    trade: "Con este acceso también se podría operar. Nosotros solo leemos: no compramos, vendemos ni pagamos nada.",
  },
  holdingsRead: {
    daily: "Posiciones, actualizadas a diario",
    weekly: "Posiciones, actualizadas cada semana",
    monthly: "Posiciones, actualizadas cada mes",
  },
  transactionsRead: (count, unit) => {
    if (unit === "days") return `Movimientos de los últimos ${count} días`;
    return count === 1 ? "Movimientos del último año" : `Movimientos de los últimos ${count} años`;
  },
  allTransactionsRead: "Movimientos, hasta donde llegue el historial de su banco",
  updatesByLogin:
    "Este banco pone fin al acceso poco después de iniciar sesión: para datos más recientes se le pedirá que inicie sesión de nuevo",
  privacyPolicy: "Política de privacidad",
  opensNewTab: "(se abre en una pestaña nueva)",
  requestedBy: (requester) => `Datos solicitados por ${requester}`,
  questions: "¿Tiene preguntas?",

  bankTitle: "Elija su banco",
  bankSearch: "Nombre del banco",
  bankCountry: "País",
  allCountries: "Todos los países",
  search: "Buscar",
  banksFound: (count) => (count === 1 ? "1 banco" : `${count.toLocaleString("es")} bancos`),
  noBanks: "No se ha encontrado ningún banco. Pruebe con un nombre más corto o con otro país.",
  bankList: "Bancos",
  pagesLabel: "Páginas de la lista",
  pageOf: (page, pages) => `Página ${page} de ${pages}`,
  previousPage: "Página anterior",
  nextPage: "Página siguiente",
  bankRefused: "Este banco no se puede elegir aquí. Elija uno de la lista.",
  byLetter: "Por carta",
  wayTitle: {
    letter: "Por carta",
    key: "Con una clave que usted crea en el banco",
    login: "Con sus datos de acceso, introducidos aquí",
    redirect: "Iniciar sesión en la página del banco",
  },
  wayThrough: (company) => `A través de ${company}`,
  readThrough: (company) => `${company} lee sus datos en el banco y los transmite`,
  waysToConnect: (count) => `${count} formas de conectarse`,
  byLetterText: (requester) =>
    "En este banco no se inicia sesión aquí. Nos enviará sus datos cuando tenga una carta de autorización firmada por usted. " +
    `Pida la carta a ${requester}, fírmela y devuélvala. En esta página no tiene que hacer nada más.`,
  moreBanks: "Mostrar más bancos",
  listKeys: "Use las flechas del teclado para recorrer la lista.",

  credentialsTitle: (bank) => `Inicie sesión en ${bank}`,
  credentialsText: "Use los mismos datos que en la banca en línea.",
  detailsText: "Escriba aquí lo que le pide su banco.",
  loginElsewhere: "Usted inicia sesión en la página de su banco.",
  username: "Nombre de usuario",
  password: "Contraseña",
  enterUsername: "Escriba su nombre de usuario",
  enterPassword: "Escriba su contraseña",
  enterField: (label) => `Rellene «${label}»`,
  chooseField: (label) => `Elija una respuesta para «${label}»`,
  unlikelyValue: (label) => `«${label}» no parece correcto. Compruebe lo que ha escrito`,
  unusableValue: "Es demasiado largo o contiene caracteres no permitidos",
  optional: (label) => `${label} (opcional)`,
  chooseOne: "Elija una opción",
  showPassword: "Mostrar la contraseña",
  showSecret: (label) => `Mostrar «${label}»`,
  rejectedCredentials: "Su banco no ha aceptado el nombre de usuario o la contraseña.",
  rejectedDetails: "Su banco no ha aceptado estos datos.",
  rejectedAnswer: "Su banco no ha aceptado esta confirmación.",
  otherLogin:
    "Este acceso no es el que se usó para crear esta conexión. Use aquel. Si quiere conectar también este, pida un enlace " +
    "nuevo donde empezó.",
  attemptsLeft: (count) => (count === 1 ? "Le queda 1 intento." : `Le quedan ${count} intentos.`),
  cutOff: "El acceso se ha interrumpido por nuestra parte. Vuelva a iniciar sesión. Esto no cuenta como intento.",

  processingTitle: "Un momento",
  processingText: "Estamos esperando a su banco. Esta página continuará automáticamente.",
  checkNow: "Comprobar ahora",
  processingLonger: "Algunos bancos tardan uno o dos minutos. Mantenga esta página abierta.",

  challengeTitle: "Confirme su identidad",
  challengeText: {
    sms: "Su banco le ha enviado un mensaje de texto. Escriba el código que contiene.",
    code: "Su banco le pide un código. Escríbalo aquí.",
    app: "Apruebe el acceso en la aplicación de su banco y pulse «Continuar».",
    qr: "Escanee esta imagen con la aplicación de su banco, apruebe allí el acceso y pulse «Continuar».",
    card: "Su banco le pide un número de su tarjeta de coordenadas. Escríbalo aquí.",
  },
  bankSays: "Mensaje de su banco",
  answer: "Código",
  enterAnswer: "Escriba el código",
  qrLabel: "Código QR para escanear con la aplicación de su banco",
  qrAsText: "¿No puede escanearlo? Ver el código como texto",
  newestCode: "Mostrar el código más reciente",

  askTitle: "Una pregunta de su banco",
  askText: "Su banco necesita saber esto para continuar.",
  redirectTitle: "Inicie sesión en la página de su banco",
  redirectText: (host) => `Va a ir a ${host}.`,
  redirectSteps: [
    "Inicie sesión allí como siempre",
    "Acepte compartir sus datos",
    "Volverá automáticamente a esta página",
  ],
  sameBrowser: "Quédese en este navegador. En otro no se puede completar la conexión.",
  goToBank: "Ir a mi banco",
  goToBankAgain: "Volver a mi banco",
  declined: "No ha dado su consentimiento en la página de su banco, o se ha vuelto atrás allí.",
  restart: "Empezar de nuevo el acceso",

  howToTitle: "Dónde se crea la clave",
  withKey: {
    landingText: (requester) =>
      `${requester} solicita los datos de sus inversiones. Los leemos con una clave que usted crea en su banco y escribe aquí, y se los transmitimos.`,
    renewText: (requester) =>
      `Cree en su banco una clave nueva para la misma cuenta y escríbala aquí para que ${requester} siga recibiendo los datos actualizados de sus inversiones.`,
    landingSteps: ["Cree una clave en su banco", "Escríbala aquí"],
    rights: {
      unstated: "Solo leemos: no compramos, vendemos ni pagamos nada.",
      read: "Nos basta una clave que solo permita leer. Con ella no se puede comprar, vender ni pagar nada.",
      trade:
        "Con una clave de este banco también se podría operar. Nosotros solo leemos: no compramos, vendemos ni pagamos nada.",
    },
    credentialsTitle: (bank) => `Escriba su clave de ${bank}`,
    detailsText: "Escriba la clave que ha creado en su banco. No es su contraseña.",
    rejectedDetails: "Su banco no ha aceptado esta clave. Compruébela o cree una nueva.",
    otherLogin:
      "Esta clave es de una cuenta distinta de aquella con la que se creó esta conexión. Cree una clave para esa cuenta. Si quiere conectar también esta, pida un enlace nuevo donde empezó.",
    cutOff:
      "La operación se ha interrumpido por nuestra parte. Vuelva a escribir su clave. Esto no cuenta como intento.",
    noAccounts: {
      title: "Conectado, pero sin cuentas",
      text: "Su banco ha aceptado la clave, pero no muestra ninguna cuenta de inversión. Si tiene otra cuenta en este banco, pida un enlace nuevo donde empezó y cree una clave para esa cuenta. Las cuentas que abra más adelante se encontrarán automáticamente.",
    },
    otherLoginEnd: {
      title: "Esta clave es de otra cuenta",
      text: "Su banco ha aceptado la clave, pero esta conexión se creó con otra cuenta, por lo que no se ha renovado. Pida un enlace nuevo donde empezó y cree una clave para la cuenta original.",
    },
    failed: {
      InvalidCredentials: {
        title: "La clave no se ha aceptado",
        text: "Cree una clave nueva en su banco y pida un enlace nuevo donde empezó.",
      },
      AlreadyExists: {
        title: "Esta cuenta ya está conectada",
        text: "No tiene que hacer nada más. La conexión existente sigue funcionando.",
      },
    },
  },

  done: { title: "Su banco está conectado", text: "Sus datos se han leído y están disponibles." },
  renewed: { title: "Su conexión está renovada", text: "Sus datos se han leído de nuevo y están actualizados." },
  noAccounts: {
    title: "Conectado, pero sin cuentas",
    text: "Su banco le ha dado acceso, pero no muestra ninguna cuenta de inversión. Si tiene otro usuario en este banco, pida un enlace nuevo donde empezó y úselo. Las cuentas que abra más adelante se encontrarán automáticamente.",
  },
  dataPending: {
    connect: {
      title: "Su banco está conectado",
      text: "Su banco todavía está preparando sus datos. Estarán disponibles en cuanto termine. No tiene que hacer nada más.",
    },
    renew: {
      title: "Su conexión está renovada",
      text: "Su banco todavía está preparando sus datos actuales. Estarán disponibles en cuanto termine. No tiene que hacer nada más.",
    },
  },
  dataIncomplete:
    "Una parte de sus datos no se pudo leer en su banco. Se añadirá con la próxima actualización. No tiene que hacer nada más.",
  expired: {
    title: "El tiempo se ha agotado",
    text: "La conexión no se completó a tiempo. No se ha conectado nada. Pida un enlace nuevo donde empezó.",
  },
  aborted: {
    title: "Ha cancelado",
    text: "No se ha conectado nada. Para intentarlo de nuevo, pida un enlace nuevo donde empezó.",
  },
  failed: {
    InvalidCredentials: {
      title: "No se ha podido iniciar sesión",
      text: "Su banco no ha aceptado el nombre de usuario o la contraseña. Compruébelos en el sitio web de su banco y pida un enlace nuevo donde empezó.",
    },
    InvalidChallengeResponse: {
      title: "La confirmación ha fallado",
      text: "Su banco no ha aceptado la confirmación. Pida un enlace nuevo donde empezó e inténtelo de nuevo.",
    },
    UnsupportedChallengeMethod: {
      title: "Este tipo de confirmación no se admite",
      text: "Su banco pide un tipo de confirmación que aquí no es posible. Si ofrece otro, como una aplicación o un mensaje de texto, elíjalo en su banco y pida un enlace nuevo.",
    },
    UserInteractionNeeded: {
      title: "Su banco necesita antes algo de usted",
      text: "Entre en el sitio web o en la aplicación de su banco y haga lo que le pida. Después pida un enlace nuevo donde empezó.",
    },
    AlreadyExists: {
      title: "Este acceso ya está conectado",
      text: "No tiene que hacer nada más. La conexión existente sigue funcionando.",
    },
    AbortedByUser: {
      title: "Ha cancelado",
      text: "No se ha conectado nada. Para intentarlo de nuevo, pida un enlace nuevo donde empezó.",
    },
    SessionExpired: {
      title: "El tiempo se ha agotado",
      text: "La conexión no se completó a tiempo. No se ha conectado nada. Pida un enlace nuevo donde empezó.",
    },
    InternalError: {
      title: "No ha funcionado",
      text: "No se pudo contactar con su banco, o respondió con un error. No se ha conectado nada. Pida un enlace nuevo donde empezó e inténtelo más tarde.",
    },
  },
  otherLoginEnd: {
    title: "Este acceso es otro",
    text: "Su banco ha aceptado el acceso, pero esta conexión se creó con otro distinto, por lo que no se ha renovado. Pida un enlace nuevo donde empezó y use el acceso original.",
  },
  notRenewed: {
    expired: "No se inició sesión a tiempo y su conexión no se ha renovado. Pida un enlace nuevo donde empezó.",
    aborted: "Su conexión no se ha renovado. Para intentarlo de nuevo, pida un enlace nuevo donde empezó.",
    failed:
      "No se pudo contactar con su banco, o respondió con un error. Su conexión no se ha renovado. Pida un enlace nuevo donde empezó e inténtelo más tarde.",
  },
  closePage: "Puede cerrar esta página.",
  leadingBack: "Le llevamos de vuelta a donde empezó.",
  goBackNow: "Volver ahora",
  unreachable: "No hay conexión en este momento. Esta página lo volverá a intentar automáticamente.",
  tryAgain: "Reintentar",

  taken: {
    title: "Este enlace ya no se puede usar aquí",
    text: "Un enlace funciona una sola vez, en un solo navegador y por tiempo limitado. Si empezó en otro navegador, continúe allí. Si no, pida un enlace nuevo donde recibió este.",
  },
  unknownLink: {
    title: "Este enlace no existe",
    text: "Puede que esté incompleto o sea demasiado antiguo. Ábralo de nuevo desde donde lo recibió o pida uno nuevo.",
  },
  callbackElsewhere: {
    title: "Continúe donde empezó",
    text: "Ha vuelto de su banco en un navegador distinto de aquel en el que empezó, así que no se ha transmitido nada. Vuelva a la ventana donde empezó. Desde allí puede ir de nuevo a su banco.",
  },
  callbackUnknown: {
    title: "Este camino de vuelta no es válido",
    text: "No reconocemos la dirección que le ha traído aquí, o ha sido sustituida por otra más reciente. Vuelva a la ventana donde empezó. Si no la hay, pida un enlace nuevo donde recibió el primero.",
  },
  forbidden: {
    title: "Este formulario ya no se puede usar",
    text: "No se envió desde una página abierta en este navegador, o su navegador bloquea las cookies. Permita las cookies de este sitio, vuelva a la página e inténtelo de nuevo.",
  },
  badRequest: { title: "No se ha podido procesar esta solicitud", text: "Vuelva a la página e inténtelo de nuevo." },
  tooLarge: { title: "Es demasiado texto", text: "Vuelva a la página y escriba menos." },
  tooMany: { title: "Demasiados intentos", text: "Espere unos minutos, vuelva a la página e inténtelo de nuevo." },
  away: {
    title: "Un momento, por favor",
    text: "En este momento no podemos acceder a nuestros datos. Esta página lo volverá a intentar automáticamente.",
  },
  defect: {
    title: "Se ha producido un error por nuestra parte",
    text: "Vuelva a la página e inténtelo de nuevo. Si vuelve a ocurrir, avise a quien le envió aquí e indíquele la referencia.",
  },
};
