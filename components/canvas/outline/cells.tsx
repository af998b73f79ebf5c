"use client";

import { ShieldAlert } from "lucide-react";
import type { Decoration } from "@/components/canvas/flow/decoration";
import { Mark } from "@/components/ui/marks/mark";
import type { ChangeMark } from "@/lib/graph/diff";
import type { GraphNode } from "@/lib/graph/document";
import type { Problem, Severity } from "@/lib/graph/problems/problem";

export const Keys = ({ keys }: { readonly keys: readonly string[] }) => (
  <span className="block truncate font-mono text-xs text-muted" title={keys.length > 1 ? keys.join(", ") : undefined}>
    {keys.join(", ")}
  </span>
);

export const Effect = ({ effect }: Pick<GraphNode, "effect">) => {
  if (effect === "pure") return null;
  const isChange = effect === "write" || effect === "irreversible";

  return (
    <span className="inline-flex items-center gap-1 text-xs text-muted">
      {isChange ? <ShieldAlert aria-hidden className="size-3.5 shrink-0 text-tainted" /> : null}
      {effect}
    </span>
  );
};

export const Remark = ({ decoration }: { readonly decoration: Decoration | undefined }) => {
  if (decoration?.text === undefined) return null;

  return decoration.mark ? (
    <Mark kind={decoration.mark} bare>
      {decoration.text}
    </Mark>
  ) : (
    <span className="text-xs whitespace-nowrap text-muted">{decoration.text}</span>
  );
};

export const MARKED = { added: "Added", changed: "Changed", removed: "Removed" } as const satisfies Record<ChangeMark, string>;

const KINDS = { error: "refused", warning: "tainted" } as const satisfies Record<Severity, string>;

const WORDS = { error: ["error", "errors"], warning: ["warning", "warnings"] } as const satisfies Record<
  Severity,
  readonly [string, string]
>;

export const ProblemCounts = ({ problems }: { readonly problems: readonly Problem[] }) => (
  <span className="flex items-center gap-2">
    {(["error", "warning"] as const).map((severity) => {
      const count = problems.filter((found) => found.severity === severity).length;
      const [one, many] = WORDS[severity];

      return count === 0 ? null : (
        <Mark key={severity} kind={KINDS[severity]} bare>
          {count}
          <span className="sr-only"> {count === 1 ? one : many}</span>
        </Mark>
      );
    })}
  </span>
);
