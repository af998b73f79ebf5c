import type { Choice } from "@/components/canvas/dialogs/choice-list";
import { NODE_KINDS } from "@/lib/graph/kinds";
import { KIND_UIS, KINDS } from "./kind-uis";

/** Choices of node kinds. */
export const KIND_CHOICES: readonly Choice[] = KINDS.map((kind) => {
  const Icon = KIND_UIS[kind].icon;
  const { title, about } = NODE_KINDS[kind];

  return { value: kind, label: title, about, icon: <Icon aria-hidden className="size-4 shrink-0 text-muted" /> };
});
