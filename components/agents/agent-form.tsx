"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/trpc";
import { useRefresh } from "@/components/trpc/use-refresh";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Field } from "@/components/ui/field";
import { Form } from "@/components/ui/form";
import { Input } from "@/components/ui/input";
import { Textarea } from "@/components/ui/textarea";
import { HiddenCharacters } from "@/components/values/hidden-characters";
import { agentSchema, type Agent, type PinnedTool } from "@/lib/graph/document";
import type { ToolName } from "@/lib/mcp/tool-use";
import { AgentEffort, AgentModel, FallbackModel } from "./agent-model";
import { AgentTools } from "./agent-tools";
import { addPath, toDraft, fromDraft, removeTools, suggestDraft, suggestId, type AddedPath, type AgentDraft } from "./agent-draft";

type Props = {
  readonly agent: Agent | null;
  readonly revision: number | null;
  readonly tools: readonly PinnedTool[];
  readonly suggestedName: string;
  readonly taken: readonly string[];
  readonly without?: readonly ToolName[] | undefined;
  readonly adds?: AddedPath;
  readonly onSaved: (agent: Agent) => void;
};

export const AgentForm = ({ agent, revision, tools, suggestedName, taken, without = [], adds, onSaved }: Props) => {
  const trpc = useTRPC();
  const refreshAgents = useRefresh(trpc.agents.pathFilter());
  const refreshCatalog = useRefresh(trpc.graphs.catalog.queryFilter());
  const [draft, setDraft] = useState<AgentDraft>(() =>
    agent ? addPath(removeTools(toDraft(agent), without), adds) : suggestDraft(suggestedName, taken),
  );
  const parsed = agentSchema.safeParse(fromDraft(draft));
  const save = useMutation(
    trpc.agents.save.mutationOptions({
      onSuccess: async (_answer, { agent: saved }) => {
        await Promise.all([refreshAgents(), refreshCatalog()]);
        onSaved(agentSchema.parse(saved));
      },
    }),
  );
  const change = (changed: Partial<AgentDraft>) => setDraft({ ...draft, ...changed });
  /** The id of a new agent follows its name until one is typed. */
  const rename = (name: string) =>
    change(agent === null && draft.id === suggestId(draft.name, taken) ? { name, id: suggestId(name, taken) } : { name });
  const faultAt = (field: string) =>
    parsed.success ? null : (parsed.error.issues.find((issue) => issue.path[0] === field)?.message ?? null);

  return (
    <Form
      onSubmit={() => (parsed.success && !save.isPending ? save.mutate({ agent: parsed.data, revision }) : undefined)}
      error={save.error}
    >
      {without.length > 0 ? (
        <Callout kind="waiting" title={`Removed below: ${without.map(({ server, tool }) => `${server} / ${tool}`).join(", ")}`}>
          Nothing is saved yet. Check the recent tool usage, then save.
        </Callout>
      ) : null}
      {adds ? (
        <Callout kind="waiting" title={`Added below: may ${adds.side === "read_keys" ? "read" : "write"} ${adds.path}`}>
          Nothing is saved yet. Every graph with this agent can then grant it.
        </Callout>
      ) : null}
      <Field label="Name" error={draft.name === "" ? null : faultAt("name")}>
        <Input value={draft.name} onChange={(event) => rename(event.target.value)} />
      </Field>
      <Field
        label="ID"
        hint={
          agent ? "Nodes refer to the agent by this ID. It can't be changed." : "Starts with a letter, followed by letters, digits, - or _."
        }
        error={draft.id === "" ? null : faultAt("id")}
      >
        <Input value={draft.id} readOnly={agent !== null} className="font-mono" onChange={(event) => change({ id: event.target.value })} />
      </Field>
      <Field label="System prompt" error={faultAt("system_prompt")}>
        <Textarea rows={6} value={draft.systemPrompt} onChange={(event) => change({ systemPrompt: event.target.value })} />
        <HiddenCharacters text={draft.systemPrompt} onRemove={(systemPrompt) => change({ systemPrompt })} />
      </Field>
      <AgentModel model={draft.model} onChange={(model) => change({ model })} />
      <AgentEffort effort={draft.effort} onChange={(effort) => change({ effort })} />
      <FallbackModel model={draft.fallback} onChange={(fallback) => change({ fallback })} />
      <Field label="Allowed read paths" hint="Comma-separated. Leave empty to allow whatever a node grants." error={faultAt("permissions")}>
        <Input value={draft.reads} className="font-mono" onChange={(event) => change({ reads: event.target.value })} />
      </Field>
      <Field label="Allowed write paths" hint="Comma-separated. Leave empty to allow whatever a node grants.">
        <Input value={draft.writes} className="font-mono" onChange={(event) => change({ writes: event.target.value })} />
      </Field>
      <AgentTools agentId={agent?.id ?? null} granted={draft.tools} offered={tools} onChange={(granted) => change({ tools: granted })} />
      <Field label="Max model calls per visit" error={faultAt("max_steps")}>
        <Input inputMode="numeric" value={draft.maxSteps} onChange={(event) => change({ maxSteps: event.target.value })} />
      </Field>
      <div className="flex items-center justify-between gap-3 border-t pt-3">
        <p className="text-xs text-muted">Published versions keep the previous agent.</p>
        <Button
          type="submit"
          variant="primary"
          disabledReason={parsed.success ? null : "Fill in all fields and fix the errors first"}
          pending={save.isPending ? "Saving…" : null}
        >
          Save agent
        </Button>
      </div>
    </Form>
  );
};
