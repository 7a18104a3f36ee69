import { wordsOf } from "../../language/language.js";

/** Texts about a tenant's profile. */
export const profileWords = wordsOf({
  en: {
    title: "Profile",
    lead: "How the tenant shows itself: clients see it from their next page on, custodians in letters that are generated from now on.",
    kept: "The profile is kept",
    logo: "Logo (PNG, JPEG or WebP, up to 64 KiB)",
    noLogo: "Take the logo away",
    fields: {
      display_name: "Name that clients know",
      legal_name: "Name in the register",
      postal_address: "Postal address",
      privacy_url: "Privacy notice",
      support_contact: "Help for clients",
    },
    hints: {
      display_name: "Left empty: the tenant's name stands in for it.",
      legal_name: "For letters.",
      postal_address: "For letters, line by line.",
      privacy_url: "An https link.",
      support_contact: "An e-mail address or an https link.",
    },
  },
  de: {
    title: "Profil",
    lead: "Wie sich der Mandant zeigt: Bankkunden sehen es ab ihrer nächsten Seite, Depotbanken in Vollmachten, die von jetzt an erzeugt werden.",
    kept: "Das Profil ist gespeichert",
    logo: "Logo (PNG, JPEG oder WebP, bis 64 KiB)",
    noLogo: "Logo entfernen",
    fields: {
      display_name: "Name, den Kunden kennen",
      legal_name: "Name im Register",
      postal_address: "Postanschrift",
      privacy_url: "Datenschutzerklärung",
      support_contact: "Hilfe für Kunden",
    },
    hints: {
      display_name: "Leer: Der Name des Mandanten steht dafür.",
      legal_name: "Für Vollmachten.",
      postal_address: "Für Vollmachten, Zeile für Zeile.",
      privacy_url: "Ein https-Link.",
      support_contact: "Eine E-Mail-Adresse oder ein https-Link.",
    },
  },
  fr: {
    title: "Profil",
    lead: "Comment le mandant se présente : les clients le voient dès leur prochaine page, les dépositaires dans les lettres produites désormais.",
    kept: "Le profil est gardé",
    logo: "Logo (PNG, JPEG ou WebP, 64 Kio au plus)",
    noLogo: "Retirer le logo",
    fields: {
      display_name: "Nom que les clients connaissent",
      legal_name: "Nom au registre",
      postal_address: "Adresse postale",
      privacy_url: "Protection des données",
      support_contact: "Aide aux clients",
    },
    hints: {
      display_name: "Laissé vide : le nom du mandant le remplace.",
      legal_name: "Pour les lettres.",
      postal_address: "Pour les lettres, ligne par ligne.",
      privacy_url: "Un lien https.",
      support_contact: "Une adresse e-mail ou un lien https.",
    },
  },
  es: {
    title: "Perfil",
    lead: "Cómo se presenta el mandante: los clientes lo ven desde su próxima página, los custodios en las cartas que se generen desde ahora.",
    kept: "El perfil está guardado",
    logo: "Logotipo (PNG, JPEG o WebP, hasta 64 KiB)",
    noLogo: "Quitar el logotipo",
    fields: {
      display_name: "Nombre que conocen los clientes",
      legal_name: "Nombre en el registro",
      postal_address: "Dirección postal",
      privacy_url: "Privacidad",
      support_contact: "Ayuda para clientes",
    },
    hints: {
      display_name: "Vacío: vale el nombre del mandante.",
      legal_name: "Para las cartas.",
      postal_address: "Para las cartas, línea a línea.",
      privacy_url: "Un enlace https.",
      support_contact: "Un correo electrónico o un enlace https.",
    },
  },
});
