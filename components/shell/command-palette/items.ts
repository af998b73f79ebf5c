/** Palette items in order. Pure. */
import { explainNotNow, type Shortcut } from "@/components/shortcuts/registry";
import type { Jump } from "@/components/shortcuts/jumps";

export type Item = {
  readonly id: string;
  readonly label: string;
  readonly group: string;
  readonly about: string;
  readonly keys: readonly string[];
  /** Null: available. */
  readonly reason: string | null;
  readonly run: () => void;
};

const RECENT = "Recent";

/** Arrow-dependent commands have no single name. */
const isByName = ({ keys, when }: Shortcut): boolean => keys.at(-1)?.endsWith("Arrow") !== true && (when?.() ?? true);

const idOf = ({ group, label }: Shortcut): string => `${group}: ${label}`;

/** The last registered wins, as with keys. */
export const listCommandItems = (shortcuts: readonly Shortcut[]): readonly Item[] => {
  const byId = new Map(shortcuts.filter(isByName).map((shortcut) => [idOf(shortcut), shortcut]));

  return [...byId].map(([id, shortcut]) => ({
    id,
    label: shortcut.label,
    group: shortcut.group,
    about: "",
    keys: shortcut.keys,
    reason: explainNotNow(shortcut),
    run: () => shortcut.run(""),
  }));
};

export const jumpItems = (jumps: readonly Jump[]): readonly Item[] =>
  jumps.map(({ id, label, about, run }) => ({ id: `@${id}`, label, about, group: "Nodes", keys: [], reason: null, run }));

const startFirst = (items: readonly Item[], wanted: string): readonly Item[] => {
  const there = items.filter(({ label, about, group }) => `${label} ${about} ${group}`.toLowerCase().includes(wanted));
  const rank = ({ label }: Item) => (label.toLowerCase().startsWith(wanted) ? 0 : label.toLowerCase().includes(wanted) ? 1 : 2);

  return there.toSorted((a, b) => rank(a) - rank(b));
};

type Offer = { readonly commands: readonly Item[]; readonly jumps: readonly Item[]; readonly recent: readonly string[] };

/** Jumps after `@`, else commands, recent first. */
export const listOffered = ({ commands, jumps, recent }: Offer, text: string): readonly Item[] => {
  const wanted = text.trim().toLowerCase();
  if (wanted.startsWith("@")) return startFirst(jumps, wanted.slice(1).trim());
  if (wanted !== "") return startFirst(commands, wanted);
  const again = recent.flatMap((id) => commands.filter((item) => item.id === id));
  const others = Object.values(
    Object.groupBy(
      commands.filter((item) => !again.includes(item)),
      ({ group }) => group,
    ),
  ).flatMap((members = []) => members);

  return [...again.map((item) => ({ ...item, group: RECENT })), ...others];
};
