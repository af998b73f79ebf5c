"use client";

import { useSyncExternalStore } from "react";
import { Dialog } from "@/components/ui/dialog";
import { Kbd } from "@/components/ui/kbd";
import { currentShortcuts, subscribeToShortcuts, type Shortcut } from "./registry";

const NONE: readonly Shortcut[] = [];

const keyLabel = (key: string): string => key.replace("Mod+", "Ctrl/⌘ ");

type Props = { readonly open: boolean; readonly onOpenChange: (open: boolean) => void };

/** All shortcuts that work on this page now, made from the registry. */
export const ShortcutSheet = ({ open, onOpenChange }: Props) => {
  const shortcuts = useSyncExternalStore(subscribeToShortcuts, currentShortcuts, () => NONE);
  const groups = Object.entries(Object.groupBy(shortcuts, ({ group }) => group));

  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Keyboard shortcuts" description="Those that work on this page.">
      <div className="flex flex-col gap-4">
        {groups.map(([group, members = []]) => (
          <section key={group}>
            <h3 className="mb-1 text-xs font-medium text-muted">{group}</h3>
            <dl className="divide-y">
              {members.map(({ keys, label }) => (
                <div key={`${keys.join(" ")} ${label}`} className="flex items-center justify-between gap-4 py-1.5">
                  <dt>{label}</dt>
                  <dd className="flex items-center gap-1">
                    {keys.map((key, index) => (
                      <Kbd key={`${index} ${key}`}>{keyLabel(key)}</Kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
};
