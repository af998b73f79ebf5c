"use client";

import { Monitor, Moon, Sun } from "lucide-react";
import { useTheme } from "next-themes";
import { useSyncExternalStore } from "react";
import { cn } from "./cn";

const THEMES = [
  { value: "light", label: "Light", icon: Sun },
  { value: "dark", label: "Dark", icon: Moon },
  { value: "system", label: "System", icon: Monitor },
] as const;

const never = () => () => undefined;

export const ThemeSwitch = () => {
  const { theme, setTheme } = useTheme();
  // The server does not know the choice.
  const isHere = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );

  return (
    <fieldset className="flex rounded-md bg-sunken p-0.5 ring-1 ring-line ring-inset">
      <legend className="sr-only">Theme</legend>
      {THEMES.map(({ value, label, icon: Icon }) => {
        const isChosen = isHere && theme === value;

        return (
          <button
            key={value}
            type="button"
            title={label}
            aria-label={label}
            aria-pressed={isChosen}
            onClick={() => setTheme(value)}
            className={cn(
              "flex h-6 flex-1 items-center justify-center rounded-sm px-1.5 text-faint transition-colors hover:text-ink",
              isChosen && "bg-surface text-ink ring-1 ring-line-strong",
            )}
          >
            <Icon aria-hidden className="size-3.5" />
          </button>
        );
      })}
    </fieldset>
  );
};
