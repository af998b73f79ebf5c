"use client";

import { Ellipsis } from "lucide-react";
import { useRef } from "react";
import type { CanvasCommand } from "@/components/canvas/commands/canvas-tools";
import type { Shortcut } from "@/components/shortcuts/registry";
import { Button } from "@/components/ui/button";
import { Menu } from "@/components/ui/menu";
import { CommandItem } from "./command-item";

export const MoreMenu = ({ commands }: { readonly commands: readonly CanvasCommand[] }) => {
  const chosen = useRef<Shortcut | null>(null);
  // The closing menu must not undo a command's focus.
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
