/** Keeps findings current with the document. */
import { openHere, openWorker, type AnalystPort, type OpenPort } from "@/components/canvas/analyst/ports";
import { notify } from "@/components/ui/toast";
import type { AnalystAnswer } from "@/lib/graph/analyst";
import type { Graph } from "@/lib/graph/document";
import { NO_FINDINGS, type Findings } from "@/lib/graph/findings";
import { withChange } from "@/lib/graph/findings-change";
import type { ValidationContext } from "@/lib/graph/facts/facts";
import type { CanvasStore } from "./canvas-store";

/** Fallbacks in order, with a notice for each. */
export type Opening = { readonly open: OpenPort; readonly said: string | null };

const OPENINGS: readonly Opening[] = [
  { open: openWorker, said: null },
  { open: openWorker, said: "Validation stopped and was restarted." },
  { open: openHere, said: "Validation stopped again. It now runs in this page, which may be slow." },
];

const FAILED = "This graph could not be validated here. Publishing validates it again.";

type Asked = { readonly document: Graph; readonly catalog: ValidationContext };

/** Analyses the newest document, one at a time; stale answers are dropped. @returns a stop function */
export const startAnalyst = (store: CanvasStore, openings: readonly Opening[] = OPENINGS, say = notify): (() => void) => {
  let opened = -1;
  let port: AnalystPort | null = null;
  let asked: Asked | null = null;
  /** Base of the next incremental answer, even if stale. */
  let answered: Findings = NO_FINDINGS;
  let context: ValidationContext | null = null;

  const ask = () => {
    if (asked !== null || port === null) return;
    const { history, catalog } = store.getState();
    asked = { document: history.document, catalog };
    const isKnown = context === catalog;
    context = catalog;
    port.post({ document: history.document, context: isKnown ? null : catalog });
  };

  const onAnswer = (answer: AnalystAnswer) => {
    if (answer.type === "failed") {
      onFailure();

      return;
    }
    answered = withChange(answered, answer.change);
    const { history, catalog, set } = store.getState();
    const isNewest = asked?.document === history.document && asked.catalog === catalog;
    asked = null;
    if (isNewest) set({ findings: answered, checked: history.document, bundle: answer.bundle });
    else ask();
  };

  const open = () => {
    const next = openings[opened + 1];
    if (!next) return false;
    opened += 1;
    port?.close();
    port = next.open(onAnswer, onFailure);
    if (next.said !== null) say({ title: next.said, tone: "error" });

    return true;
  };

  const onFailure = () => {
    asked = null;
    answered = NO_FINDINGS;
    context = null;
    if (open()) {
      ask();

      return;
    }
    store.getState().set({ findings: NO_FINDINGS, checked: null });
    say({ title: FAILED, tone: "error" });
  };

  open();
  ask();
  const unsubscribe = store.subscribe((state, before) => {
    if (state.history.document !== before.history.document || state.catalog !== before.catalog) ask();
  });

  return () => {
    unsubscribe();
    port?.close();
    port = null;
  };
};
