"use client";

import { Ellipsis } from "lucide-react";
import { useRef } from "react";
import type { CanvasCommand } from "@/components/canvas/commands/canvas-tools";
import type { Shortcut } from "@/components/shell/shortcuts/registry";
import { Button } from "@/components/ui/button";
import { Menu } from "@/components/ui/menu";
import { CommandItem } from "./command-item";

/** What is done less often than to publish and to run. */
export const MoreMenu = ({ commands }: { readonly commands: readonly CanvasCommand[] }) => {
  const chosen = useRef<Shortcut | null>(null);
  // Only when the menu is gone and the keyboard is back: what a command does with the focus is not undone by the menu.
  const runChosen = () => {
    chosen.current?.run("");
    chosen.current = null;
  };

  return (
    <Menu
      align="end"
      trigger={
        <Button size="iconMd" variant="ghost" aria-label="More">
          <Ellipsis aria-hidden />
        </Button>
      }
      onClosed={runChosen}
    >
      {commands.map((command) =>
        command.menus?.includes("more") === true ? (
          <CommandItem
            key={command.label}
            command={command}
            onChoose={(choice) => {
              chosen.current = choice;
            }}
          />
        ) : null,
      )}
    </Menu>
  );
};
