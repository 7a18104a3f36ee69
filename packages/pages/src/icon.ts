import { colours } from "./colours.js";

const { accent, "on-accent": onAccent } = colours.light;

/** The product's mark as an SVG file, to be served as `image/svg+xml`: browsers ask every site for `/favicon.ico`. */
export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 28 28"><rect width="28" height="28" rx="8" fill="${accent}"/><path d="M8 19v-4M14 19v-7M20 19V8" fill="none" stroke="${onAccent}" stroke-width="2.5" stroke-linecap="round"/></svg>
`;
