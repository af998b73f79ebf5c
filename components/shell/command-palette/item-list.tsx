import { Keys } from "@/components/shortcuts/keys";
import { cn } from "@/components/ui/cn";
import type { Item } from "./items";

type Props = {
  readonly id: string;
  readonly items: readonly Item[];
  readonly marked: Item | undefined;
  readonly grouped: boolean;
  /** State of the search. */
  readonly note: string | null;
  readonly optionId: (item: Item) => string;
  readonly onChoose: (item: Item) => void;
};

/** Palette items; unavailable ones show why. */
export const ItemList = ({ id, items, marked, grouped, note, optionId, onChoose }: Props) => (
  // A combobox can't control a native list box.
  // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
  <div role="listbox" id={id} aria-label="Commands" tabIndex={-1} className="min-h-0 overflow-y-auto p-1">
    {items.map((item, index) => (
      <div key={item.id} role="presentation">
        {grouped && items[index - 1]?.group !== item.group ? (
          <p aria-hidden className="px-2 pt-2 pb-1 text-xs font-medium text-muted">
            {item.group}
          </p>
        ) : null}
        {/* Keyboard focus stays in the field. */}
        {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events */}
        <div
          id={optionId(item)}
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an option of the list box above
          role="option"
          tabIndex={-1}
          aria-selected={item === marked}
          aria-disabled={item.reason !== null || undefined}
          className={cn(
            "flex min-h-8 cursor-default items-center gap-2 rounded-md px-2 text-sm hover:bg-hover",
            item === marked && "bg-accent-soft",
          )}
          onClick={() => onChoose(item)}
        >
          <span className={cn("max-w-[70%] shrink-0 truncate", item.reason !== null && "text-muted")}>{item.label}</span>
          <span className="flex-1 truncate text-xs text-muted">
            {item.reason ?? (grouped ? item.about : [item.group, item.about].filter((part) => part !== "").join(" · "))}
          </span>
          <Keys keys={item.keys} />
        </div>
      </div>
    ))}
    {note === null ? null : <p className="px-2 py-2 text-center text-xs text-muted">{note}</p>}
    {items.length === 0 && note === null ? <p className="px-2 py-6 text-center text-sm text-muted">No results</p> : null}
  </div>
);
