"use client";

import { Button } from "@/components/ui/button";
import { describeHidden, removeHidden } from "@/lib/sanitize/hidden";

type Props = { readonly text: string; readonly onRemove: (text: string) => void };

export const HiddenCharacters = ({ text, onRemove }: Props) => {
  const described = describeHidden(text);
  if (described === null) return null;

  return (
    <output className="flex flex-wrap items-center justify-between gap-2 text-xs text-refused">
      <span className="min-w-0 break-words">{described}</span>
      <Button size="sm" onClick={() => onRemove(removeHidden(text))}>
        Remove hidden characters
      </Button>
    </output>
  );
};
