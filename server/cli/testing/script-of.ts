import { z } from "zod";
import { findTask } from "@/lib/engine/task";
import { threadMessageSchema } from "@/lib/engine/thread";
import type { RunState } from "@/lib/engine/state";
import { getOpenedValue } from "@/lib/engine/verify/verify";
import type { SignedRecord } from "@/lib/engine/ledger/record";
import type { PublishedGraph } from "@/lib/graph/document";
import { openLedger } from "@/server/runner/load";
import type { Desk } from "@/server/runner/testing/desk";

const stepSchema = z.object({ response: threadMessageSchema });

const speakerOf = (published: PublishedGraph, state: RunState, nodeId: string, task: string): string => {
  const parts: readonly PublishedGraph[] = [published, ...published.subgraphs.map((part) => ({ ...part, subgraphs: [] }))];
  for (const part of parts) {
    const node = part.graph.nodes.find(({ id }) => id === nodeId);
    const agent = node && findTask(part, state, node, task)?.agent;
    if (agent) return agent.id;
  }
  throw new Error(`no line for ${nodeId} ${task}`);
};

export const scriptOf = async (desk: Desk, state: RunState, records: readonly SignedRecord[]): Promise<object> => {
  const head = { workspaceId: desk.workspace, runId: state.run, version: state.version, digest: state.head };
  const { cells } = await openLedger(desk.deps.vault, head);
  const agents: Record<string, unknown[]> = {};
  for (const { record } of records) {
    const called = record.control.find((event) => event.type === "model_called");
    const cell = cells.find(({ seq, path }) => seq === record.seq && path.startsWith("$thread."));
    if (called?.type !== "model_called" || !cell) continue;
    const { response } = stepSchema.parse(getOpenedValue(cell));
    if (response.role !== "assistant") continue;
    const { input_tokens, output_tokens } = called.usage;
    (agents[speakerOf(desk.published, state, called.node, called.task)] ??= []).push({
      text: response.text,
      ...(response.tool_calls.length === 0 ? {} : { tool_calls: response.tool_calls.map(({ name, input }) => ({ name, input })) }),
      usage: { input_tokens, output_tokens },
    });
  }

  return { agents };
};
