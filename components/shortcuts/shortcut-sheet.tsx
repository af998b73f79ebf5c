"use client";

import { useSyncExternalStore } from "react";
import { Checkbox } from "@/components/ui/checkbox";
import { Dialog } from "@/components/ui/dialog";
import { switchCharacterKeys, useCharacterKeys, stripCharacterKeys } from "./character-keys";
import { Keys } from "./keys";
import { getCurrentShortcuts, subscribeToShortcuts, type Shortcut } from "./registry";

const NONE: readonly Shortcut[] = [];

const Row = ({ shortcut, isOn }: { readonly shortcut: Shortcut; readonly isOn: boolean }) => {
  const { keys, alsoKeys } = isOn ? shortcut : stripCharacterKeys(shortcut);

  return (
    <div className="flex items-center justify-between gap-4 py-1.5">
      <dt>{shortcut.label}</dt>
      <dd className="flex items-center gap-2 text-xs text-muted">
        {keys.length > 0 ? <Keys keys={keys} /> : "off"}
        {alsoKeys ? (
          <>
            or <Keys keys={alsoKeys} />
          </>
        ) : null}
      </dd>
    </div>
  );
};

type Props = { readonly open: boolean; readonly onOpenChange: (open: boolean) => void };

export const ShortcutSheet = ({ open, onOpenChange }: Props) => {
  const shortcuts = useSyncExternalStore(subscribeToShortcuts, getCurrentShortcuts, () => NONE);
  const isOn = useCharacterKeys();
  const groups = Object.entries(
    Object.groupBy(
      shortcuts.filter(({ keys }) => keys.length > 0),
      ({ group }) => group,
    ),
  );

  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Keyboard shortcuts" description="Available on this page.">
      <div className="flex flex-col gap-4">
        <Checkbox checked={isOn} onCheckedChange={switchCharacterKeys}>
          Single-key shortcuts
          <span className="block text-xs text-muted">Saved in this browser. When off, use the command palette instead.</span>
        </Checkbox>
        {groups.map(([group, members = []]) => (
          <section key={group}>
            <h3 className="mb-1 text-xs font-medium text-muted">{group}</h3>
            <dl className="divide-y">
              {members.map((shortcut) => (
                <Row key={`${shortcut.keys.join(" ")} ${shortcut.label}`} shortcut={shortcut} isOn={isOn} />
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
};
