/**
 * The palette, light and dark, as `#rrggbb`. Text has a contrast of at least 4.5 to 1 with its background, edges of controls 3
 * to 1 (WCAG 2.2, 1.4.3 and 1.4.11); `line` is only decorative.
 */
export const colours = {
  light: {
    ground: "#eff3f2",
    paper: "#ffffff",
    tint: "#f4f7f6",
    ink: "#13201e",
    quiet: "#4c5d5a",
    line: "#d6dfdc",
    edge: "#788884",
    accent: "#0b5f58",
    pressed: "#07463f",
    "on-accent": "#ffffff",
    good: "#17603a",
    "good-tint": "#e6f4eb",
    warn: "#754600",
    "warn-tint": "#fff4dd",
    bad: "#a3211b",
    "bad-tint": "#fdefed",
  },
  dark: {
    ground: "#0b1211",
    paper: "#141d1c",
    tint: "#1b2625",
    ink: "#e8efed",
    quiet: "#a7b6b3",
    line: "#2d3b39",
    edge: "#738581",
    accent: "#74d4c6",
    pressed: "#a2e6dc",
    "on-accent": "#04201c",
    good: "#8adba8",
    "good-tint": "#142a1e",
    warn: "#f1c673",
    "warn-tint": "#2b2312",
    bad: "#ffa198",
    "bad-tint": "#301a18",
  },
} as const;
