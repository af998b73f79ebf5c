"use client";

import { Search } from "lucide-react";
import { useMemo, useState } from "react";
import type { CanvasCommand } from "@/components/canvas/commands/canvas-tools";
import { NoNodes } from "@/components/canvas/no-nodes";
import { useCanvas, useDocument } from "@/components/canvas/state/canvas-context";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { EmptyState } from "@/components/ui/empty-state";
import { Input } from "@/components/ui/input";
import { count } from "@/lib/format";
import { OutlineGrid } from "./outline-grid";
import { listRows } from "./rows";

type Props = { readonly commands: readonly CanvasCommand[]; readonly onAdd: () => void };

export const Outline = ({ commands, onAdd }: Props) => {
  const document = useDocument();
  const problems = useCanvas((state) => state.findings.problems);
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const [find, setFind] = useState("");
  const [isOnlyProblems, setIsOnlyProblems] = useState(false);
  const only = useMemo(() => {
    if (!isOnlyProblems) return null;
    const sources = new Map(document.edges.map(({ id, source }) => [id, source]));

    return new Set(problems.flatMap(({ node, edge }) => node ?? sources.get(edge ?? "") ?? []));
  }, [isOnlyProblems, problems, document.edges]);
  const rows = useMemo(() => listRows(document, { closed, find, only }), [document, closed, find, only]);
  const shown = rows.filter(({ type }) => type === "node").length;
  const all = document.nodes.length;
  const toggle = (node: string) =>
    setClosed((before) => {
      const next = new Set(before);
      if (!next.delete(node)) next.add(node);

      return next;
    });

  if (all === 0) return <NoNodes onAdd={onAdd} />;

  return (
    <div className="flex h-full min-h-0 flex-col bg-surface">
      <div className="flex h-10 shrink-0 items-center gap-3 border-b px-2">
        <div className="relative w-56">
          <Search aria-hidden className="pointer-events-none absolute top-1/2 left-2 size-3.5 -translate-y-1/2 text-faint" />
          <Input
            type="search"
            aria-label="Find in outline"
            placeholder="Title, id, kind, memory"
            className="h-7 pl-7 text-xs"
            value={find}
            onChange={(event) => setFind(event.target.value)}
          />
        </div>
        <Checkbox checked={isOnlyProblems} onCheckedChange={setIsOnlyProblems}>
          Only with problems
        </Checkbox>
        <p aria-live="polite" className="tabular ml-auto text-xs whitespace-nowrap text-muted">
          {shown === all ? `${count(all)} ${all === 1 ? "node" : "nodes"}` : `${count(shown)} of ${count(all)} nodes`}
        </p>
      </div>
      {rows.length > 0 ? (
        <OutlineGrid rows={rows} commands={commands} onToggle={toggle} />
      ) : (
        <EmptyState
          kind="no_match"
          title={isOnlyProblems && find === "" ? "No nodes with problems" : "No matching nodes"}
          action={
            <Button
              onClick={() => {
                setFind("");
                setIsOnlyProblems(false);
              }}
            >
              Show all nodes
            </Button>
          }
        />
      )}
    </div>
  );
};
