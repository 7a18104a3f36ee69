import { type Html, html } from "@org/pages";
import { claimedText } from "./claimed-text.js";

/** A name that somebody chose, isolated from the direction of the text around it and cut to what a name needs. */
export function nameOf(name: string, otherwise: string): Html {
  return html`<bdi>${claimedText(name, LONGEST) ?? otherwise}</bdi>`;
}

const LONGEST = 60;
