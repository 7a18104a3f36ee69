import { useWords } from "../language/language.js";
import { Menu } from "../parts/menu.js";
import { changeAppearance, densities, themes, useAppearance } from "./appearance.js";
import { shellWords } from "./shell-words.js";

/** Chooses colours and density. */
export function AppearanceMenu() {
  const words = useWords(shellWords);
  const { theme, density } = useAppearance();
  return (
    <Menu
      label={words.appearance}
      button={{ look: "plain", icon: "appearance", isIconOnly: true }}
      items={[
        ...themes.map((one) => ({
          label: words.themes[one],
          isChosen: theme === one,
          onSelect: () => changeAppearance({ theme: one }),
        })),
        ...densities.map((one) => ({
          label: words.densities[one],
          isChosen: density === one,
          onSelect: () => changeAppearance({ density: one }),
        })),
      ]}
    />
  );
}
