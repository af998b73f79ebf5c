"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { parseAsBoolean, useQueryState } from "nuqs";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { buttonStyle } from "@/components/ui/button-style";
import { Dialog } from "@/components/ui/dialog";
import { EmptyState } from "@/components/ui/empty-state";
import { Input } from "@/components/ui/input";
import { QueryState } from "@/components/ui/query-state";
import { RelativeTime } from "@/components/ui/relative-time";
import { explainDenial, type Role } from "@/lib/roles";

const PublishedGraphs = () => {
  const graphs = useQuery(useTRPC().graphs.list.queryOptions());
  const [text, setText] = useState("");

  return (
    <QueryState query={graphs} rows={5}>
      {(all) => {
        const published = all.filter(({ version }) => version !== null);
        const shown = published.filter(({ name }) => name.toLowerCase().includes(text.trim().toLowerCase()));
        if (published.length === 0) {
          return (
            <EmptyState
              kind="nothing_yet"
              title="No published graphs yet"
              className="py-8"
              action={
                <Link href="/graphs?new=template" className={buttonStyle()}>
                  New from template
                </Link>
              }
            >
              Only published versions can run.
            </EmptyState>
          );
        }

        return (
          <>
            <Input aria-label="Find a graph" placeholder="Find a graph" value={text} onChange={(event) => setText(event.target.value)} />
            <ul className="mt-2 divide-y">
              {shown.map(({ id, name, version, runs }) => (
                <li key={id}>
                  <Link href={`/graphs/${id}?dialog=run`} className="flex min-h-11 items-center gap-3 px-2 hover:bg-hover">
                    <span className="min-w-0 flex-1 truncate font-medium">{name}</span>
                    <span className="tabular text-xs text-muted">v{version?.number}</span>
                    <span className="w-28 text-right text-xs text-muted max-sm:hidden">
                      {runs === null ? "never run" : <RelativeTime at={runs.lastAt} />}
                    </span>
                  </Link>
                </li>
              ))}
            </ul>
            {shown.length === 0 ? <p className="py-4 text-center text-sm text-muted">No matching graphs</p> : null}
          </>
        );
      }}
    </QueryState>
  );
};

/** Chooses the graph to run; `?start=true` opens it. */
export const StartPicker = ({ role }: { readonly role: Role }) => {
  const [isOpen, setOpen] = useQueryState("start", parseAsBoolean.withDefault(false));
  const reason = explainDenial(role, "run.start");
  const toggle = (next: boolean) => void setOpen(next ? true : null);

  return (
    <>
      <Button variant="primary" disabledReason={reason} onClick={() => toggle(true)}>
        Start a run
      </Button>
      <Dialog
        open={isOpen && reason === null}
        onOpenChange={toggle}
        title="Choose a graph to run"
        description="Inputs, model and limits come next."
        size="lg"
      >
        {isOpen ? <PublishedGraphs /> : null}
      </Dialog>
    </>
  );
};
