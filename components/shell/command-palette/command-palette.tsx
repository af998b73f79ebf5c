"use client";

import { Dialog } from "@base-ui/react/dialog";
import { useId, useState, type KeyboardEvent } from "react";
import { Input } from "@/components/ui/input";
import { backdropStyle } from "@/components/ui/popup-style";
import { ItemList } from "./item-list";
import { listOffered, type Item } from "./items";
import { useHits } from "./use-hits";

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };

/** Longer lists are narrowed by typing. */
const MAX_SHOWN = 100;

export type Offer = Parameters<typeof listOffered>[0];

const noteOf = ({ isSearching, failed }: ReturnType<typeof useHits>): string | null => {
  if (failed) return "The search failed. Commands still work.";

  return isSearching ? "Searching…" : null;
};

type ChooserProps = { readonly offer: Offer; readonly onChoose: (item: Item) => void };

/** The field keeps the focus. */
const Chooser = ({ offer, onChoose }: ChooserProps) => {
  const listId = useId();
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const hits = useHits(text);
  const items = [...listOffered(offer, text).slice(0, MAX_SHOWN), ...hits.items];
  const marked = items[Math.min(at, items.length - 1)];
  const optionId = (item: Item) => `${listId}-${items.indexOf(item)}`;
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step !== undefined) {
      event.preventDefault();
      const next = Math.max(0, Math.min(at + step, items.length - 1));
      setAt(next);
      document.getElementById(`${listId}-${next}`)?.scrollIntoView({ block: "nearest" });
    }
    if (event.key === "Enter" && marked && !event.nativeEvent.isComposing) {
      event.preventDefault();
      onChoose(marked);
    }
  };

  return (
    <>
      <div className="border-b p-2">
        <Input
          aria-label="Search or run a command"
          placeholder={offer.jumps.length > 0 ? "Search, type a command, or @ and a node name" : "Search or type a command"}
          value={text}
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- it is an input, with a list
          role="combobox"
          aria-expanded
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={marked ? optionId(marked) : undefined}
          autoComplete="off"
          onChange={(event) => {
            setText(event.target.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <ItemList
        id={listId}
        items={items}
        marked={marked}
        grouped={text.trim() === ""}
        note={noteOf(hits)}
        optionId={optionId}
        onChoose={onChoose}
      />
    </>
  );
};

type Props = {
  readonly open: boolean;
  readonly offer: Offer;
  readonly onClose: () => void;
  readonly onChoose: (item: Item) => void;
  /** Called once the focus is restored. */
  readonly onClosed: () => void;
};

export const CommandPalette = ({ open, offer, onClose, onChoose, onClosed }: Props) => (
  <Dialog.Root
    open={open}
    onOpenChange={(next) => (next ? undefined : onClose())}
    onOpenChangeComplete={(isOpen) => (isOpen ? undefined : onClosed())}
  >
    <Dialog.Portal>
      <Dialog.Backdrop className={backdropStyle} />
      <Dialog.Popup className="fixed top-[12vh] left-1/2 z-40 flex max-h-[60vh] w-[calc(100vw-32px)] max-w-xl -translate-x-1/2 flex-col rounded-lg bg-surface shadow-float outline-hidden transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0">
        <Dialog.Title className="sr-only">Commands</Dialog.Title>
        <Chooser offer={offer} onChoose={onChoose} />
      </Dialog.Popup>
    </Dialog.Portal>
  </Dialog.Root>
);
