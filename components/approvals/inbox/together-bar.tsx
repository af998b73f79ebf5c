import { Button } from "@/components/ui/button";
import type { QueueRow } from "@/components/approvals/types";
import { explainNotTogether } from "./selection";

type Props = {
  readonly rows: readonly QueueRow[];
  readonly onClear: () => void;
  readonly onSnooze: (ids: readonly string[]) => void;
  readonly onTogether: (ids: readonly string[]) => void;
};

export const TogetherBar = ({ rows, onClear, onSnooze, onTogether }: Props) => {
  if (rows.length === 0) return null;
  const reason = explainNotTogether(rows);

  return (
    <footer aria-label="Selection" className="flex shrink-0 flex-wrap items-center gap-3 border-t bg-surface px-6 py-2 max-sm:px-3">
      <output className="text-sm">
        <span className="tabular font-medium">{rows.length}</span> selected
      </output>
      <p className="min-w-0 flex-1 text-sm text-muted">{reason ?? "Each request gets its own decision, bound to what you are shown."}</p>
      <Button variant="ghost" onClick={onClear}>
        Clear selection
      </Button>
      <Button onClick={() => onSnooze(rows.map(({ id }) => id))}>Snooze…</Button>
      <Button disabledReason={reason} onClick={() => onTogether(rows.map(({ id }) => id))}>
        Decide together…
      </Button>
    </footer>
  );
};
