"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { parseAsString, useQueryStates } from "nuqs";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { buttonStyle } from "@/components/ui/button-style";
import { EmptyState } from "@/components/ui/empty-state";
import { Field } from "@/components/ui/field";
import { Failure } from "@/components/ui/failure";
import { Page } from "@/components/ui/page";
import { Select } from "@/components/ui/select";
import { SkeletonRows } from "@/components/ui/skeleton";
import type { JsonObject } from "@/lib/json";
import { explainDenial, type Role } from "@/lib/roles";
import { ConsoleActions } from "./console-actions";
import { readOutlook } from "./console-answer";
import { ConsoleMessages, type Exchange } from "./console-messages";
import { LoadFailed } from "@/components/ui/load-failed";

const UNANSWERED = "Wait for the previous call";

const READS = [
  { tool: "state", label: "State" },
  { tool: "history", label: "History" },
  { tool: "verify", label: "Verify" },
  { tool: "reset_session", label: "Reset" },
] as const;

/** Kept in the URL across reloads. */
const useCast = (userId: string) => {
  const trpc = useTRPC();
  const [chosen, setChosen] = useQueryStates({ token: parseAsString, graph: parseAsString, session: parseAsString });
  const tokens = useQuery(trpc.connect.tokens.list.queryOptions());
  const graphs = useQuery(trpc.connect.graphs.list.queryOptions());
  const own = (tokens.data ?? []).filter(({ ownerId, status }) => ownerId === userId && status === "active");
  const token = own.find(({ id }) => id === chosen.token) ?? own[0];
  const driven = (graphs.data ?? []).filter(({ graphId: id }) => token?.graphs === null || token?.graphs.includes(id));
  const graph = driven.find(({ graphId: id }) => id === chosen.graph) ?? driven[0];

  return { tokens, graphs, own, token, driven, graph, session: chosen.session, setChosen };
};

const Console = ({ userId }: { readonly userId: string }) => {
  const cast = useCast(userId);
  const { tokens, graphs, own, token, driven, graph, session, setChosen } = cast;
  const [exchanges, setExchanges] = useState<readonly Exchange[]>([]);
  const call = useMutation(useTRPC().connect.console.send.mutationOptions());
  const failed = tokens.error ?? graphs.error;
  if (failed) return <LoadFailed what="tokens and graphs" error={failed} retry={() => Promise.all([tokens.refetch(), graphs.refetch()])} />;
  if (!tokens.data || !graphs.data) return <SkeletonRows rows={6} />;
  if (!token || !graph) {
    return (
      <EmptyState
        kind="nothing_yet"
        title={token ? "Your token can't drive any graph" : "You have no token yet"}
        action={
          <Link href="/connect?show=tokens" className={buttonStyle()}>
            Create a token
          </Link>
        }
      >
        The console acts as one of your agents: with its permissions, under its name, and recorded the same way.
      </EmptyState>
    );
  }
  const send = (tool: string, args: JsonObject) => {
    call.mutate(
      { tokenId: token.id, graphId: graph.graphId, sessionId: session, tool, arguments: args },
      {
        onSuccess: ({ request, response }) => {
          setExchanges((before) => [...before, { number: before.length + 1, tool, request, response }]);
          const next = readOutlook(response)?.session;
          if (next !== undefined && next !== null) void setChosen({ session: next });
        },
      },
    );
  };
  const begin = (change: { token?: string; graph?: string }) => {
    setExchanges([]);
    void setChosen({ ...change, session: null });
  };
  const last = exchanges.at(-1);
  const outlook = exchanges.toReversed().flatMap(({ response }) => readOutlook(response) ?? [])[0] ?? null;

  return (
    <div className="grid gap-4 lg:grid-cols-[minmax(20rem,26rem)_1fr]">
      <div className="flex flex-col gap-4">
        <div className="grid gap-3 sm:grid-cols-2">
          <Field label="Agent">
            <Select
              items={own.map(({ id, name }) => ({ value: id, label: name }))}
              value={token.id}
              onValueChange={(id) => begin({ token: id })}
            />
          </Field>
          <Field label="Graph">
            <Select
              items={driven.map(({ graphId: id, name }) => ({ value: id, label: name }))}
              value={graph.graphId}
              onValueChange={(id) => begin({ graph: id })}
            />
          </Field>
        </div>
        <Failure error={call.error} />
        {outlook ? (
          <ConsoleActions key={last?.number} outlook={outlook} isBusy={call.isPending} send={send} />
        ) : (
          <Button variant="primary" pending={call.isPending ? "Loading…" : null} onClick={() => send("next", {})}>
            List legal actions
          </Button>
        )}
        {outlook ? (
          <div className="flex flex-wrap gap-2">
            <Button size="sm" disabledReason={call.isPending ? UNANSWERED : null} onClick={() => send("next", {})}>
              List legal and blocked actions
            </Button>
            {READS.map(({ tool, label }) => (
              <Button
                key={tool}
                size="sm"
                disabledReason={call.isPending ? UNANSWERED : session === null ? "Take an action first" : null}
                onClick={() => send(tool, {})}
              >
                {label}
              </Button>
            ))}
          </div>
        ) : null}
        {session ? (
          <p className="text-xs text-muted">
            Session <span className="font-mono">{session.slice(0, 8)}</span>
            {outlook?.run ? (
              <>
                {" · "}
                <Link href={`/runs/${outlook.run}`} className="underline">
                  open its run
                </Link>
              </>
            ) : null}
          </p>
        ) : null}
      </div>
      <ConsoleMessages exchanges={exchanges} />
    </div>
  );
};

type Props = { readonly role: Role; readonly userId: string };

/** Drives a graph by hand as an outside agent. */
export const ConsolePage = ({ role, userId }: Props) => (
  <Page
    parent={{ name: "Outside agents", href: "/connect" }}
    title="Agent console"
    description="Act as the agent: take steps by hand and see each request exactly as sent."
    access={{ to: "the agent console", who: explainDenial(role, "connect.manage") }}
  >
    <Console userId={userId} />
  </Page>
);
