"use client";

import { useCanvas } from "@/components/canvas/state/canvas-context";
import { isSaved, type SaveState as State } from "@/components/canvas/state/saving";
import { Mark } from "@/components/ui/marks/mark";
import type { MarkKind } from "@/components/ui/marks/marks";

const WORDS: Record<Exclude<State["at"], "rest" | "sending">, { readonly mark: MarkKind; readonly word: string }> = {
  waiting: { mark: "waiting", word: "Not saved, retrying" },
  stopped: { mark: "refused", word: "Not saved" },
  emptied: { mark: "waiting", word: "Not saved: graph is empty" },
  conflict: { mark: "refused", word: "Not saved: conflict" },
};

export const SaveState = () => {
  const at = useCanvas((state) => state.save.at);
  const isClean = useCanvas(isSaved);
  const revision = useCanvas((state) => state.base.revision);
  const calm = at === "sending" ? "Saving…" : isClean ? "Saved" : "Unsaved changes";

  return (
    <output className="tabular text-xs text-muted">
      {at === "rest" || at === "sending" ? `${calm} · revision ${revision}` : <Mark kind={WORDS[at].mark}>{WORDS[at].word}</Mark>}
    </output>
  );
};
