// Runs before the first paint, as a file of its own because the page's Content-Security-Policy allows no inline script: sets the colours and the
// density that were chosen in this browser (shell/appearance.ts).
try {
  const { theme, density } = JSON.parse(localStorage.getItem("wealth-connect-console-appearance") ?? "{}");
  if (theme) document.documentElement.dataset.theme = theme;
  if (density) document.documentElement.dataset.density = density;
} catch {
  // Nothing is stored, or storage is unavailable.
}
