"use client";

import { Keys } from "@/components/shortcuts/keys";
import { useCharacterKeys, stripCharacterKeys } from "@/components/shortcuts/character-keys";
import { explainNotNow, type Shortcut } from "@/components/shortcuts/registry";
import { MenuItem } from "@/components/ui/menu";

type Props = { readonly command: Shortcut; readonly onChoose: (command: Shortcut) => void };

export const CommandItem = ({ command, onChoose }: Props) => {
  const reason = explainNotNow(command);
  const { keys } = useCharacterKeys() ? command : stripCharacterKeys(command);

  return (
    <MenuItem disabled={reason !== null} onClick={() => onChoose(command)}>
      <span className="flex-1">{command.label}</span>
      {reason === null ? <Keys keys={keys} /> : <span className="max-w-48 truncate text-xs text-muted">{reason}</span>}
    </MenuItem>
  );
};
