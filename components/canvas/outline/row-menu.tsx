"use client";

import type { CanvasCommand } from "@/components/canvas/commands/canvas-tools";
import { CommandMenu } from "@/components/canvas/menus/command-menu";
import type { Row } from "./rows";

type Props = {
  readonly open: boolean;
  /** The row it is about; it stays while the menu fades. */
  readonly row: Row | null;
  readonly anchor: Element | null;
  readonly commands: readonly CanvasCommand[];
  readonly onClose: () => void;
  /** Gives the keyboard back to the row. */
  readonly onBack: () => void;
};

/** What can be done with a row: the commands of the editor that are about such a thing. One menu for all rows. */
export const RowMenu = ({ open, row, anchor, commands, onClose, onBack }: Props) => (
  <CommandMenu
    open={open && row !== null}
    menu={row?.type === "edge" ? "edge" : "node"}
    commands={commands}
    onClose={onClose}
    onGone={onBack}
    anchor={anchor}
    align="end"
    sideOffset={4}
    finalFocus={false}
  />
);
