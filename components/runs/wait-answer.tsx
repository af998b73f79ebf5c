"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { readForm, type Entered } from "@/components/schema-form/entered-values";
import { SchemaFields } from "@/components/schema-form/schema-fields";
import { useTRPC } from "@/components/trpc/trpc";
import { useRefresh } from "@/components/trpc/use-refresh";
import { Form, FormActions } from "@/components/ui/form";
import { QueryState } from "@/components/ui/query-state";
import { getPublishedHere } from "@/lib/engine/frame";
import type { RunState } from "@/lib/engine/state";
import type { PublishedGraph } from "@/lib/graph/document";
import { answerPath } from "@/lib/graph/facts/access";
import type { JsonObject } from "@/lib/json";

export type WaitingState = Pick<RunState, "status" | "wait" | "activation" | "frames" | "unwinding" | "compensation">;

type Asked = { readonly key: string; readonly schema: JsonObject } | null;

/** Null: a mere signal. */
export const findAsked = (root: PublishedGraph, state: WaitingState): Asked => {
  const { graph } = getPublishedHere(root, state);
  const node = graph.nodes.find(({ id }) => id === state.wait?.node);
  const path = node && answerPath(node);
  if (path === undefined) return null;
  const declared = graph.memory.find(({ key }) => key === path);

  return { key: path, schema: { type: "object", properties: { [path]: declared?.schema ?? {} }, required: [path] } };
};

type BodyProps = { readonly runId: string; readonly waitId: string; readonly asked: Asked; readonly onDone: () => void };

const AnswerBody = ({ runId, waitId, asked, onDone }: BodyProps) => {
  const trpc = useTRPC();
  const [entered, setEntered] = useState<Entered>({});
  const [isTried, setTried] = useState(false);
  const form = asked && readForm(asked.schema, entered);
  const answer = useMutation(trpc.runs.answerWait.mutationOptions({ onSuccess: onDone, onSettled: useRefresh(trpc.runs.pathFilter()) }));
  const submit = () => {
    setTried(true);
    if (form && (form.problems.size > 0 || form.misfit)) return;
    answer.mutate({ runId, waitId, value: (asked && form?.value[asked.key]) ?? null });
  };

  return (
    <Form onSubmit={submit} error={answer.error}>
      {form ? (
        <SchemaFields
          fields={form.fields}
          entered={entered}
          problems={isTried ? form.problems : new Map()}
          onChange={(place, text) => setEntered((before) => ({ ...before, [place]: text }))}
          onLeave={() => undefined}
        />
      ) : (
        <p className="text-sm">The run takes no value. It continues.</p>
      )}
      {isTried && form?.misfit ? <p className="text-sm text-refused">The value does not match what the run expects.</p> : null}
      <FormActions submit={form ? "Answer" : "Continue run"} pending={answer.isPending ? "Committing…" : null} onCancel={onDone} />
    </Form>
  );
};

type Props = Omit<BodyProps, "asked"> & { readonly graphHash: string; readonly state: WaitingState };

export const WaitAnswer = ({ graphHash, state, ...rest }: Props) => (
  <QueryState query={useQuery(useTRPC().graphs.version.queryOptions({ hash: graphHash }))} what="the form" rows={2}>
    {({ published }) => <AnswerBody asked={findAsked(published, state)} {...rest} />}
  </QueryState>
);
