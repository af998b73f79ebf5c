"use client";

import { EmptyState } from "@/components/ui/empty-state";
import { Mark } from "@/components/ui/marks/mark";
import { Panel } from "@/components/ui/panel";
import { toVisibleText } from "@/components/values/visible-text";
import type { Json } from "@/lib/json";
import { readOutlook } from "./console-answer";

export type Exchange = { readonly number: number; readonly tool: string; readonly request: Json; readonly response: Json };

const Raw = ({ label, value }: { readonly label: string; readonly value: Json }) => (
  <div>
    <p className="text-xs text-muted">{label}</p>
    <pre className="font-mono text-xs leading-5 break-words whitespace-pre-wrap">{toVisibleText(JSON.stringify(value, null, 2))}</pre>
  </div>
);

/** Raw messages, newest first, with invisible characters shown. */
export const ConsoleMessages = ({ exchanges }: { readonly exchanges: readonly Exchange[] }) => (
  <Panel title="Messages">
    {exchanges.length === 0 ? (
      <EmptyState kind="nothing_yet" title="No messages yet">
        Each call and its response appear here exactly as sent.
      </EmptyState>
    ) : (
      <ol aria-label="Messages, newest first" className="divide-y">
        {exchanges.toReversed().map(({ number, tool, request, response }) => {
          const outlook = readOutlook(response);

          return (
            <li key={number}>
              <details open={number === exchanges.length} className="group">
                <summary className="flex h-9 cursor-pointer items-center gap-2 px-3 text-sm hover:bg-hover">
                  <span className="tabular w-6 text-xs text-muted">{number}</span>
                  <span className="font-mono text-xs font-medium">{tool}</span>
                  {outlook?.error == null && outlook ? (
                    <Mark kind="clean">answered</Mark>
                  ) : (
                    <Mark kind="refused">{outlook?.error ?? "error"}</Mark>
                  )}
                </summary>
                <div className="grid gap-3 bg-sunken px-3 py-2 lg:grid-cols-2">
                  <Raw label="Request" value={request} />
                  <Raw label="Response" value={response} />
                </div>
              </details>
            </li>
          );
        })}
      </ol>
    )}
  </Panel>
);
