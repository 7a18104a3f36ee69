import { html } from "@org/pages";
import type { PageWords } from "./page-words.js";

export const spanishPageWords: PageWords = {
  error: "Error: ",
  step: (step) => `Paso ${step} de 2`,
  nameless: {
    app: "Una aplicación sin nombre",
    application: "Una aplicación",
    person: "Una persona",
    organisation: "su organización",
    client: "Un cliente",
    place: "Desconocido",
    address: "una dirección desconocida",
    permission: "Sin nombre",
  },
  account: {
    person: "Quién es usted",
    credentials: "Sus credenciales",
    signedInAs: "Sesión iniciada como",
    ofOrganisation: (person, organisation) => html`<b>${person}</b>, ${organisation}`,
    somebodyElse: "Iniciar sesión como otra persona",
  },
  client: {
    label: "La aplicación que solicita acceso",
    verified: "Nombre verificado",
    notVerified: "Nombre sin verificar",
    place: "Dónde está",
    returnsTo: "Vuelve a",
    anybody: "Cualquiera puede elegir este nombre. Continúe solo si acaba de iniciar esto usted mismo.",
    onThisComputer: "Una aplicación en este equipo",
    opensLinks: (scheme) => html`Una aplicación que abre enlaces ${scheme}`,
  },
  signIn: {
    title: "Inicie sesión para continuar",
    lead: "Una aplicación quiere usar sus datos de inversión. En la página siguiente decidirá qué puede hacer.",
    ownTitle: "Inicie sesión para ver los accesos",
    ownLead: "Vea qué aplicaciones tienen acceso a sus inversiones y retíreselo si lo desea.",
    clientId: "ID de cliente",
    clientIdHint: "Se lo facilitó su gestor de cuenta. Empieza por wca_.",
    clientSecret: "Secreto de cliente",
    enterClientId: "Introduzca el ID de cliente",
    enterClientSecret: "Introduzca el secreto de cliente",
    next: "Continuar",
    cancel: "Cancelar",
    asPerson: "Iniciar sesión como persona",
    asPersonHint:
      "Con su propia llave de acceso o el inicio de sesión de su empresa, si su organización le ha dado una cuenta aquí.",
    leaveConsole: "Cerrar la sesión de la consola",
    stored:
      "La aplicación nunca ve estas credenciales. Se guardan cifradas y este navegador las recuerda durante 30 días.",
    ownStored: "Sus credenciales se guardan cifradas y este navegador las recuerda durante 30 días.",
    problems: {
      missing: "Introduzca el ID de cliente y el secreto de cliente.",
      wrong_credentials: "Estas credenciales no se han aceptado. Compruebe ambas e introdúzcalas de nuevo.",
      operator:
        "Ha iniciado sesión como operador de este servidor. Los operadores no tienen inversiones que compartir y no pueden aprobar por quienes las tienen. Cierre la sesión e iníciela como persona de la organización, o introduzca las credenciales de esta.",
    },
    tooManyAttempts: (wait) => `Demasiados intentos. Vuelva a intentarlo ${wait ?? "más tarde"}.`,
  },
  review: {
    title: "Revisar el acceso",
    lead: "Una aplicación quiere usar sus datos de inversión. Usted decide qué puede hacer.",
    useDifferent: "Usar otras credenciales",
    limitedByRole: "La aplicación ha pedido más. Su función limita lo que usted puede permitir.",
    unknownScopes: "La aplicación también ha pedido permisos que aquí no existen. Se omiten.",
    allowed: "Qué puede hacer",
    deletion: "Eliminación",
    deletionHint: "Los datos eliminados no se pueden recuperar. Márquelo solo si la aplicación lo necesita.",
    whose: "De quién son los datos que puede usar",
    allClients: "Todos los clientes",
    allClientsHint: "También los que añada más adelante.",
    someClients: "Solo algunos clientes",
    someClientsHint: "De los demás no ve nada.",
    searchClients: "Buscar clientes",
    search: "Buscar",
    found: (total, shown) => {
      if (total === 0) return "Ningún cliente tiene este texto en su nombre o referencia.";
      if (total > shown) return `Se muestran ${shown} de ${total.toLocaleString("es")} clientes. Busque los demás.`;
      return total === 1 ? "1 encontrado." : `${total} encontrados.`;
    },
    approve: "Aprobar",
    deny: "Denegar",
    foot: (address) =>
      html`Con este acceso no se puede comprar, vender ni pagar nada. Puede retirarlo en cualquier momento en ${address}.`,
    problems: {
      no_scope: "Elija al menos un permiso o deniegue el acceso.",
      no_client: "Elija al menos un cliente o permita todos los clientes.",
      client_gone: "Un cliente que ha elegido ya no existe. Compruebe abajo cuáles están elegidos.",
      other_credentials:
        "Entretanto ha iniciado sesión con otras credenciales. Compruebe abajo de quién son los datos antes de decidir.",
    },
    tooManyClients: (max) => `Elija como máximo ${max} clientes o permita todos los clientes.`,
  },
  permissions: {
    "connections:read": [
      "Ver los bancos conectados",
      "Buscar bancos y ver cuáles están conectados y si sus datos están al día.",
    ],
    "connections:write": [
      "Conectar bancos",
      "Conectar un banco, renovar un acceso y pedir datos nuevos. Usted mismo inicia sesión en el banco.",
    ],
    "connections:delete": [
      "Eliminar bancos conectados",
      "Quitar un banco conectado junto con todos los datos leídos de él.",
    ],
    "investments:read": [
      "Ver las inversiones",
      "Leer carteras, posiciones, valores y movimientos de todos los bancos conectados.",
    ],
    "letters:read": ["Ver las cartas de autorización", "Buscar las cartas a los bancos y ver cómo va cada una."],
    "letters:write": [
      "Presentar y terminar cartas",
      "Presentar cartas de autorización firmadas y terminar las existentes.",
    ],
    "events:read": [
      "Ver lo que ocurre",
      "Saber cuándo se conecta un banco o necesita un inicio de sesión, cuándo hay datos nuevos y cómo avanzan las cartas.",
    ],
    "events:write": [
      "Enviar novedades a otro lugar",
      "Elegir direcciones de internet a las que este servidor envía las novedades.",
    ],
    "grants:manage": [
      "Gestionar los accesos de todos",
      "Ver qué aplicaciones y programas pueden usar los datos de su organización y retirarles el acceso.",
    ],
  },
  unknownPermission: "Usar todo lo que este servidor ofrece con este nombre.",
  notice: {
    next: "Continuar",
    returnToApp: "Volver a la aplicación",
    returnsTo: (address) => html`El enlace lleva a ${address}. Nadie ha verificado esta aplicación.`,
    forDeveloper: "Para los desarrolladores de la aplicación",
    reference: (traceId) => html`Referencia: ${traceId}`,
    kinds: {
      bad_request: {
        title: "Esta solicitud no se entiende",
        text: "La aplicación que le ha traído aquí ha hecho una solicitud que este servidor no entiende. No se ha compartido nada.",
        next: "Vuelva a la aplicación y empiece de nuevo. Si no sirve, póngase en contacto con sus creadores.",
      },
      unknown_client: {
        title: "Este servidor no conoce la aplicación",
        text: "La aplicación que le ha traído aquí no está registrada en este servidor o ya no lo está. No se ha compartido nada.",
        next: "Quite este servidor de la aplicación y vuelva a añadirlo para que se registre de nuevo.",
      },
      client_unreachable: {
        title: "No se puede acceder a la descripción de la aplicación",
        text: "La aplicación se identifica con una dirección de internet a la que este servidor no ha podido acceder. No se ha compartido nada.",
        next: "Avise a quien gestiona este servidor: volver a añadirlo a la aplicación no sirve de nada hasta que pueda acceder a esa dirección.",
      },
      bad_redirect: {
        title: "La respuesta no se puede enviar a esta aplicación",
        text: "La aplicación ha pedido que la respuesta se envíe a una dirección que no ha registrado. No se le ha enviado allí y no se ha compartido nada.",
        next: "Cierre esta página. Si confía en la aplicación, avise a sus creadores.",
      },
      expired: {
        title: "Se ha agotado el tiempo",
        text: "Una solicitud debe responderse en 10 minutos. No se ha compartido nada.",
        next: "Empiece de nuevo desde la aplicación.",
      },
      answered: {
        title: "Ya ha respondido",
        text: "Cada solicitud se puede aprobar o denegar una sola vez. Esta página no cambia la respuesta.",
        next: "Vuelva a la aplicación. Si no tiene acceso, empiece de nuevo desde allí.",
      },
      other_browser: {
        title: "Esta página pertenece a otro navegador",
        text: "Se abrió en otro navegador, o este no guarda cookies de este sitio. No se ha compartido nada.",
        next: "Permita las cookies de este sitio y empiece de nuevo desde la aplicación en este navegador.",
      },
      cancelled: {
        title: "Ha cancelado",
        text: "No se ha compartido nada. Es posible que la aplicación que le ha traído aquí siga esperando una respuesta.",
        next: "Puede cerrar esta página.",
      },
      too_large: {
        title: "Es demasiado texto",
        text: "El formulario es mayor de lo que este servidor acepta. No se ha compartido nada.",
        next: "Vuelva atrás e introduzca menos texto, o empiece de nuevo desde la aplicación.",
      },
      busy: {
        title: "El servidor está ocupado",
        text: "Este servidor tiene que consultar la aplicación que le ha traído aquí y tiene demasiadas consultas en curso. No se ha compartido nada.",
        next: "Espere un minuto y empiece de nuevo desde la aplicación.",
      },
      away: {
        title: "Un momento, por favor",
        text: "Este servidor no puede acceder a su base de datos en este momento. No se ha perdido ni compartido nada.",
        next: "Esta página lo vuelve a intentar sola. Si había enviado un formulario, vuelva atrás y envíelo de nuevo.",
      },
      defect: {
        title: "Algo ha fallado por nuestra parte",
        text: "La solicitud no se ha podido completar.",
        next: "Empiece de nuevo desde la aplicación. Si vuelve a ocurrir, dé la referencia de abajo a quien gestiona este servidor.",
      },
    },
  },
  grants: {
    title: "Accesos a sus inversiones",
    ended: "El acceso ha terminado.",
    ofTenant:
      "Estas aplicaciones y programas pueden usar ahora los datos de su organización. El acceso se prolonga cada vez que se usa. Si lo retira, termina en unos segundos.",
    ofPerson:
      "Ha permitido que estas aplicaciones usen los datos de su organización. El acceso se prolonga cada vez que se usa. Si lo retira, termina en unos segundos.",
    ofCredentials:
      "Estas aplicaciones y programas pueden usar ahora sus datos con las credenciales de abajo. El acceso se prolonga cada vez que se usa. Si lo retira, termina en unos segundos.",
    signOut: "Cerrar sesión",
    more: "Mostrar más",
    all: "Mostrar todas las aplicaciones y programas",
    nobody: "Nadie tiene acceso",
    nobodyHint: "Aquí aparecerán las aplicaciones que apruebe.",
    flows: {
      browser: "Aprobado en un navegador",
      machine: "Sesión iniciada con un secreto",
      asserted: "Sesión iniciada con su proveedor de identidad",
    },
    times: (count) => `${count} veces`,
    each: (app) => html`Mostrar cada acceso<span class="spoken"> de ${app}</span>`,
    permissions: "Permisos",
    whose: "Datos de quién",
    clientsGone: "De nadie: los clientes para los que era ya no existen",
    onlyOf: (clients, others) => html`Solo de ${clients}${others > 0 && ` y ${others} más`}`,
    since: "Desde",
    lastUsed: "Último uso",
    validUntil: "Válido hasta",
    end: (app, count) =>
      html`${count > 1 ? "Retirar todos los accesos" : "Retirar el acceso"}<span class="spoken"> de ${app}</span>`,
  },
};
