import { useEffect, useState } from "react";

type Theme = "light" | "dark";
const KEY = "palimpsest-theme";

/** What the person chose here, else what the system prefers. */
export function useTheme(): [Theme, () => void] {
  const [theme, setTheme] = useState<Theme>(() => {
    const stored = localStorage.getItem(KEY);
    if (stored === "light" || stored === "dark") return stored;
    return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  });
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
  }, [theme]);
  const change = () => {
    const other = theme === "dark" ? "light" : "dark";
    localStorage.setItem(KEY, other);
    setTheme(other);
  };
  return [theme, change];
}
